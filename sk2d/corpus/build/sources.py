"""The text of functions in source files."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from sk2d.c.functions import function_definitions
from sk2d.c.parse import decode, parse
from sk2d.c.tokens import clean_source
from sk2d.errors import SourceError


@dataclass(frozen=True)
class Defined:
    """A function as it stands in a file.

    Args:
        name: Its name.
        text: The whole definition, as written.
        first: Its first line.
        last: Its last line.
    """

    name: str
    text: str
    first: int
    last: int


@functools.lru_cache(maxsize=256)
def functions_of(file: Path) -> tuple[Defined, ...]:
    """List the functions that a file defines in plain sight; those that macros make are not there.

    Args:
        file: A C file or header.

    Returns:
        In the order of the file; none for a file that is no C, or not readable.
    """
    try:
        text = clean_source(file.read_text(encoding="utf-8", errors="replace"))
        tree = parse(text)
        found = function_definitions(tree)
    except (OSError, SourceError):
        return ()
    return tuple(
        Defined(
            function.name,
            decode(tree.source[function.start : function.end]),
            tree.source.count(b"\n", 0, function.start) + 1,
            tree.source.count(b"\n", 0, function.end) + 1,
        )
        for function in found
    )


def text_at(file: Path, name: str, line: int) -> str | None:
    """Find the text of a function by its name and the line that debug information gives.

    Args:
        file: The file.
        name: Name of the function.
        line: A line of its head.

    Returns:
        The whole definition, or None where it does not stand there in plain sight.
    """
    for function in functions_of(file):
        if function.name == name and function.first <= line <= function.last:
            return function.text
    return None
