"""Names that linkers and compilers make: `f.part.0`, `.puts`, `?f@@YAXXZ`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from sk2d.c.normalization.words import NEAR, Word, word_at
from sk2d.c.tokens import KEYWORDS

_NO_IDENTIFIER: Final = re.compile(r"[^\w$]+")
_GCC_SUFFIXES: Final = frozenset(
    ["part", "isra", "constprop", "cold", "lto_priv", "llvm", "clone", "str"]
)


def name_symbols(words: list[Word], present: set[str]) -> None:
    """Make identifiers of the names that linkers and compilers make.

    Args:
        words: The words, changed in place.
        present: Their texts.
    """
    if "?" in present and "@" in present:
        _join_where(words, _mangled_end)
    if any(text[0] == "." for text in present if text):
        _join_where(words, _dotted_end)
        _drop_leading_dots(words)


def join(words: list[Word], start: int, end: int, name: str) -> None:
    """Put one name in the place of words.

    Args:
        words: The words, changed in place.
        start: First word that goes.
        end: First word that stays.
        name: The name.
    """
    words[start].text, words[start].kind = name, "name"
    del words[start + 1 : end]


def identifier(text: str) -> str:
    """Make an identifier of a name with other characters in it.

    Args:
        text: The name.

    Returns:
        An identifier.
    """
    name = _NO_IDENTIFIER.sub("_", text)
    return f"_{name}" if name[:1].isdigit() else name


def _join_where(words: list[Word], find_end: Callable[[list[Word], int], int | None]) -> None:
    """Join the words of each name that `find_end` finds to begin at a word."""
    index = 0
    while index < len(words):
        end = find_end(words, index)
        if end is not None:
            text = "".join(word.text for word in words[index:end])
            join(words, index, end, identifier(text))
        index += 1


def _mangled_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name mangled by Microsoft's compiler, which begins with `?`."""
    inside = word_at(words, index - 1).text == "?" and not words[index].space
    if words[index].text != "?" or inside:
        return None
    end, seen = index + 1, False
    while (word := word_at(words, end)).text and not word.space and end < index + NEAR:
        if not (word.kind in ("name", "number") or word.text in "?@"):
            break
        seen = seen or word.text == "@"
        end += 1
    return end if seen and end > index + 2 else None


def _dotted_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name with dots that gcc made, such as `f.part.0` or `counter.1`."""
    if not words[index].is_name or word_at(words, index - 1).text in (".", "->"):
        return None
    end, dotted = index + 1, False
    while not word_at(words, end).space:
        number = word_at(words, end)
        if number.kind == "number" and number.text.startswith("."):
            end, dotted = end + 1, True
        elif number.text == "." and word_at(words, end + 1).text in _GCC_SUFFIXES:
            end += 2
        else:
            break
    called = word_at(words, end).text == "(" and words[end - 1].text == "cold"
    return end if dotted or (called and end > index + 1) else None


def _drop_leading_dots(words: list[Word]) -> None:
    """Take the dot off names such as `.puts`, which are no designators `.x = 1`."""
    for index in range(len(words) - 2, -1, -1):
        word, name = words[index], words[index + 1]
        if word.text != "." or not name.is_name or name.space:
            continue
        before = word_at(words, index - 1)
        operand = before.kind in ("name", "string", "number") or before.text in (")", "]", "}")
        if before.is_name and before.text in KEYWORDS:
            operand = False
        designator = before.text in ("{", ",", "]") and word_at(words, index + 2).text != "("
        glued = operand and not word.space
        if not glued and not designator and not (operand and before.text in (")", "]")):
            name.space = word.space
            del words[index]
