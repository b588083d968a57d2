"""The objects of a JSON document one by one, each with the line on which it begins."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sk2d.errors import DataError

_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def json_items(text: str, file: str) -> Iterator[tuple[Any, int]]:
    """Go through the rows of a JSON document: a list, or an object that holds one list.

    Args:
        text: The whole document.
        file: Its name, for messages.

    Yields:
        Each item of the list and the line, from 1, on which it begins.

    Raises:
        DataError: The document is no JSON, or is neither of the two.
    """
    try:
        json.loads(text)
        start = _list_start(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise DataError(
            f"this is no JSON ({getattr(error, 'msg', error)})",
            where=f"{file}:{line}:{column}",
            remedy="Mend the file; one object per line belongs into a .jsonl file",
        ) from error
    if start is None:
        raise DataError(
            "this is neither a list of objects nor an object that holds one list",
            where=file,
            remedy="Give a list of rows",
        )
    yield from _items(text, start)


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    assert match is not None, "a pattern of blanks matches everywhere"
    return match.end()


def _items(text: str, start: int) -> Iterator[tuple[Any, int]]:
    """Walk over the list at `start`; the document is known to be well formed."""
    position, line, counted = _skip(text, start + 1), 1, 0
    while text[position] != "]":
        line += text.count("\n", counted, position)
        counted = position
        value, position = _DECODER.raw_decode(text, position)
        yield value, line
        position = _skip(text, position)
        if text[position] == ",":
            position = _skip(text, position + 1)


def _list_start(text: str) -> int | None:
    """Find the bracket that opens the one list of rows; None where there is none, or two."""
    position = _skip(text, 0)
    if text[position] == "[":
        return position
    if text[position] != "{":
        return None
    starts = [start for start in _member_values(text, position) if text[start] == "["]
    return starts[0] if len(starts) == 1 else None


def _member_values(text: str, position: int) -> Iterator[int]:
    """Give where each value of the object at `position` begins."""
    position = _skip(text, position + 1)
    while text[position] != "}":
        _, position = _DECODER.raw_decode(text, position)
        position = _skip(text, _skip(text, position) + 1)
        yield position
        _, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if text[position] == ",":
            position = _skip(text, position + 1)
