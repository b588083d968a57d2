"""What the structure reward knows of a row's reference, worked out once for all its answers."""

from __future__ import annotations

import functools
import re
from typing import Final, NamedTuple

from sk2d.c.calls import prototype
from sk2d.c.inference import infer
from sk2d.errors import SourceError
from sk2d.rewards.guard_text import RefusedError
from sk2d.rewards.guards import admit, without_line_markers
from sk2d.rewards.placeholders import placeholders
from sk2d.rewards.usage import Usage, usage
from sk2d.sandbox import compile_c

_STORAGE: Final = re.compile(r"^\s*(?:(?:static|extern|inline|__inline|__inline__)\s+)+")


class Reference(NamedTuple):
    """What is known of a reference.

    Attributes:
        header: Declarations that it compiles with.
        placeholders: Its placeholders.
        name: Name of its function; None for a reference that the guards refuse.
        usage: How it uses its placeholders; None for one that is refused.
        prototype: Its prototype; empty where none stands by itself, as of an old-style head.
        warnings: Kinds of warnings that it causes.
        refused: Why the guards refuse it; empty where they do not.
    """

    header: str
    placeholders: frozenset[str]
    name: str | None = None
    usage: Usage | None = None
    prototype: str = ""
    warnings: frozenset[str] = frozenset()
    refused: str = ""


@functools.lru_cache(maxsize=4096)
def known_reference(text: str, header: str | None) -> Reference:
    """Read a reference.

    Args:
        text: The reference; trusted.
        header: Declarations that it compiles with; None has them inferred.

    Returns:
        What is known of it.

    Raises:
        SourceError: No header can be inferred.
        JailError: The jail failed; the next call tries again.
    """  # noqa: DOC502
    text = without_line_markers(text)
    header = infer(text) if header is None else header
    found = placeholders(text)
    try:
        admitted = admit(text, may_be_main=True)
    except RefusedError as refused:
        return Reference(header, found, refused=str(refused))
    return Reference(
        header,
        found,
        admitted.name,
        usage(admitted),
        _prototype(admitted.text, header),
        frozenset(compile_c(f"{header}\n{admitted.text}\n").warnings),
    )


def without_storage(text: str) -> str:
    """Take `static` and the like off the head of a function, which a prototype need not repeat.

    Args:
        text: C text that begins with the function.

    Returns:
        The text.
    """
    return _STORAGE.sub("", text)


def _prototype(text: str, header: str) -> str:
    try:
        written = without_storage(prototype(text))
    except SourceError:
        return ""
    return written if compile_c(f"{header}\n{written}\n").compiles else ""
