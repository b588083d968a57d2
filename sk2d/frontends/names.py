"""Names of functions as C has them: identifiers, each for one function of the binary."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sk2d.frontends.records import Target

_NOT_IN_A_NAME = re.compile(r"\W", re.ASCII)


def c_names(targets: Iterable[Target]) -> dict[int, str]:
    """Give every function of a binary a name of its own that C takes.

    Compilers make names such as `copy.part.0`, and two files of a program may both have a static
    `init`: the first one by address keeps the plain name.

    Args:
        targets: All functions of the binary.

    Returns:
        Name by address.
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for target in sorted(targets, key=lambda one: one.address):
        name = _identifier(target.name)
        if name in taken:
            name = f"{name}_{target.address:x}"
        taken.add(name)
        found[target.address] = name
    return found


def _identifier(name: str) -> str:
    plain = _NOT_IN_A_NAME.sub("_", name)
    return f"_{plain}" if plain[:1].isdigit() or not plain else plain
