"""The text of functions in source files."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sk2d.c.functions import function_definitions
from sk2d.c.parse import decode, parse
from sk2d.c.tokens import Token, clean_source, tokenize
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
    return _by_braces(file, name, line)


@functools.lru_cache(maxsize=64)
def _tokens_of(file: Path) -> tuple[tuple[Token, int], ...]:
    """Give the tokens of a file with their lines, without blanks and comments."""
    try:
        text = clean_source(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, SourceError):
        return ()
    found = []
    line = 1
    for token in tokenize(text):
        if not token.blank:
            found.append((token, line))
        line += token.text.count("\n")
    return tuple(found)


def _by_braces(file: Path, name: str, line: int) -> str | None:
    """Find a definition by its name, parameter list and braces alone.

    That works in files that no parser takes as a whole, for macros stand in their heads, and for
    heads in the old style. A body in which branches of `#if` open more braces than they close is
    not found.
    """
    tokens = _tokens_of(file)
    for place, (token, at) in enumerate(tokens):
        if at == line and token.text == name:
            end = _end_of_definition(tokens, place)
            if end is not None:
                return _between(file, tokens, _start_of_definition(tokens, place), end)
    return None


def _start_of_definition(tokens: Sequence[tuple[Token, int]], place: int) -> int:
    while place and not _ends_before(tokens[place - 1][0]):
        place -= 1
    return place


def _ends_before(token: Token) -> bool:
    return token.text in (";", "}") or token.kind == "directive"


def _end_of_definition(tokens: Sequence[tuple[Token, int]], place: int) -> int | None:
    """Give the token behind the closing brace; None where no parameter list and body follow."""
    if place + 1 >= len(tokens) or tokens[place + 1][0].text != "(":
        return None
    depth = braces = closed = 0
    for number in range(place + 1, len(tokens)):
        text = tokens[number][0].text
        depth += (text == "(") - (text == ")")
        if not closed:
            closed = number if depth == 0 else 0
        elif braces == 0 and (text in ("=", "}") or (text == ";" and number == closed + 1)):
            return None  # a prototype, or no function at all
        braces += (text == "{") - (text == "}")
        if closed and text == "}" and braces == 0:
            return number + 1
    return None


def _between(file: Path, tokens: Sequence[tuple[Token, int]], first: int, end: int) -> str:
    text = clean_source(file.read_text(encoding="utf-8", errors="replace"))
    start = tokens[first][0].start
    last = tokens[end - 1][0]
    return text[start : last.end]
