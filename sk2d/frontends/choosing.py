"""Front ends by name, and which of them this machine has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from sk2d.frontends.external import Angr, Ghidra, Ida
from sk2d.frontends.flatline import Flatline
from sk2d.frontends.pseudo_rows import PseudoRows
from sk2d.frontends.records import Frontend

Names = Literal["flatline", "ghidra", "ida", "angr", "pseudo"]
FRONTENDS: Final[dict[str, Callable[[int, float], Frontend]]] = {
    "flatline": lambda workers, seconds: Flatline(workers=workers, seconds=seconds),
    "ghidra": lambda workers, seconds: Ghidra(seconds),
    "ida": lambda workers, seconds: Ida(seconds),
    "angr": lambda workers, seconds: Angr(seconds),
    "pseudo": lambda workers, seconds: PseudoRows(),
}


def choose(name: Names, workers: int = 1, seconds: float = 60.0) -> Frontend:
    """Make a front end.

    Args:
        name: flatline, ghidra, ida, angr or pseudo.
        workers: Processes, for flatline.
        seconds: Longest time for one function.

    Returns:
        The front end; whether this machine has it, its `missing` tells.
    """
    return FRONTENDS[name](workers, seconds)


def available() -> dict[str, str | None]:
    """Look for all front ends.

    Returns:
        Name -> None where it can be used, else why not.
    """
    found: dict[str, str | None] = {}
    for name in FRONTENDS:
        frontend = FRONTENDS[name](1, 60.0)
        found[name] = frontend.missing()
        frontend.close()
    return found
