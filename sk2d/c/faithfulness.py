"""What a text lost or made up against the pseudo-code that it stands for.

A model that restores source can drop a string, change a constant or call something else, and the
text still compiles. These are signs, not proofs: a compiler folds constants and replaces calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from sk2d.c import libc
from sk2d.c.calls import called_functions
from sk2d.c.inference.conditions import number_value
from sk2d.c.tokens import tokenize
from sk2d.errors import SourceError

SMALL: Final = 256
"""Smaller constants are offsets, sizes and counts, which source writes in other ways."""

WORD: Final = 2**32
SHOWN: Final = 40
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def differences(pseudo: str, code: str) -> list[str]:
    """Compare the strings, large constants and standard calls of two texts.

    Args:
        pseudo: Normalised pseudo-code.
        code: What a model made of it.

    Returns:
        One sentence per difference: what was lost first, then what was invented.

    Raises:
        SourceError: The pseudo-code is no C. A code that is none has no calls.
    """  # noqa: DOC502
    found: list[tuple[str, list[str], list[str]]] = []
    for kind, read in READERS.items():
        before, after = read(pseudo), _read_answer(read, code)
        lost = [item for item in before if item not in after]
        invented = [item for item in after if item not in before]
        found.append((kind, lost, invented))
    sentences = [f"{kind} lost: {_short(item)}" for kind, lost, _ in found for item in lost]
    return sentences + [
        f"{kind} invented: {_short(item)}" for kind, _, new in found for item in new
    ]


def _read_answer(read: Callable[[str], list[str]], code: str) -> list[str]:
    try:
        return read(code)
    except SourceError:
        return []


def strings(code: str) -> list[str]:
    """List the string literals of a text.

    Args:
        code: Any text.

    Returns:
        Each once, as what it stands for in one spelling; empty ones are left out.
    """
    texts: list[str] = []
    joined = False  # neighbours are one string
    for token in tokenize(code):
        if token.kind == "string":
            value = _ESCAPE.sub(_unescaped, token.text[token.text.index('"') + 1 : -1])
            texts = [*texts[:-1], texts[-1] + value] if joined and texts else [*texts, value]
            joined = True
        elif token.kind not in ("space", "comment"):
            joined = False
    return list(dict.fromkeys(repr(text)[1:-1] for text in texts if text))


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    if what[0] == "x" and len(what) > 1:
        return chr(int(what[1:], 16))
    return chr(int(what, 8)) if what[0] in "01234567" else _LETTERS.get(what, what)


def constants(code: str) -> list[str]:
    """List the large integer constants of a text.

    Args:
        code: Any text.

    Returns:
        Each once, in hexadecimal; those that are equal in 32 bits with either sign are one.
    """
    found: dict[int, None] = {}
    for token in tokenize(code):
        value = number_value(token.text) if token.kind == "number" else None
        if value is None:
            continue
        low = value % WORD
        size = min(low, WORD - low)
        if size >= SMALL:
            found[size] = None
    return [hex(value) for value in found]


def standard_calls(code: str) -> list[str]:
    """List the standard functions that a text calls.

    Args:
        code: C text.

    Returns:
        Each once.

    Raises:
        SourceError: The text is no C.
    """  # noqa: DOC502
    return [name for name in called_functions(code) if libc.kind_of(name) is not None]


READERS: Final[dict[str, Callable[[str], list[str]]]] = {
    "string": strings,
    "constant": constants,
    "call": standard_calls,
}


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
