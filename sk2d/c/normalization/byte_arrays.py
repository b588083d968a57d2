"""Ghidra's registers of bytes, `undefined auVar1 [16]`, which it assigns and returns as C cannot.

A variable that is used as one value becomes an integer of its size, and what indexes it goes
through a pointer to bytes. Arrays that are used as C's arrays stay.
"""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.words import Word, closing, remove, word_at, words_of

_BYTES: Final = frozenset(("undefined", "undefined1", "byte", "xunknown1", "uint8_t"))
_WIDTHS: Final = ((1, "uint8_t"), (2, "uint16_t"), (4, "uint32_t"), (8, "uint64_t"))
_REGISTER: Final = re.compile(r"auVar\d+\Z")
_WIDEST: Final = 16


def make_integers(words: list[Word]) -> None:
    """Make integers of byte arrays that are used as values.

    Args:
        words: The words, changed in place.
    """
    if not any(word.text in _BYTES for word in words):
        return
    _read_through_pointers(words)
    values = _value_arrays(words)
    index = 0
    while index < len(words):
        word = words[index]
        if word.text in _BYTES and word.is_name:
            _make_integer(words, index, values)
        elif word.text in values and word_at(words, index + 1).text == "[":
            _index_bytes(words, index)
        index += 1


def _size_at(words: list[Word], index: int) -> int | None:
    """Give N of a `[N]` that begins at a word, if it fits an integer."""
    texts = [word_at(words, at).text for at in range(index, index + 3)]
    if texts[0] != "[" or texts[2] != "]":
        return None
    try:
        size = int(texts[1], 0)
    except ValueError:
        return None
    return size if 1 < size <= _WIDEST else None


def _integer(size: int) -> str:
    return next((name for width, name in _WIDTHS if width >= size), "unsigned __int128")


def _value_arrays(words: list[Word]) -> frozenset[str]:
    """Find the byte arrays that are values: by Ghidra's name for them, or by a use as no array."""
    found = set()
    declared = {}
    for index, word in enumerate(words):
        name = word_at(words, index + 1)
        if word.text in _BYTES and name.is_name and _size_at(words, index + 2):
            declared[name.text] = index + 1
            passed = word_at(words, index + 5).text in (",", ")") and word.text != "uint8_t"
            if passed or _REGISTER.match(name.text):
                found.add(name.text)
    for index, word in enumerate(words):
        if word.text in declared and index != declared[word.text] and _is_value(words, index):
            found.add(word.text)
    return frozenset(found)


def _is_value(words: list[Word], index: int) -> bool:
    before, behind = word_at(words, index - 1).text, word_at(words, index + 1).text
    assigned = behind == "=" and before not in (".", "->", "*")
    return assigned or (before == "return" and behind == ";")


def _read_through_pointers(words: list[Word]) -> None:
    """Write `v = *p` as `v = *(unsigned __int128 *)p` where p points to byte arrays."""
    sizes = {}
    for index, word in enumerate(words):
        texts = [word_at(words, at).text for at in range(index + 1, index + 5)]
        size = _size_at(words, index + 5)
        if word.text in _BYTES and texts[:2] == ["(", "*"] and texts[3] == ")" and size:
            sizes[texts[2]] = size
    for index in range(len(words) - 2, 0, -1):
        size = sizes.get(words[index + 1].text)
        if size and words[index].text == "*" and _is_whole(words, index, index + 2):
            words[index + 1 : index + 1] = _pointer_cast(size)


def _is_whole(words: list[Word], start: int, end: int) -> bool:
    """Tell whether an expression is one side of an assignment, or returned."""
    before, behind = word_at(words, start - 1).text, word_at(words, end).text
    read = before in ("=", "return") and behind == ";"
    return read or (before in ("", ";", "{", "}") and behind == "=")


def _pointer_cast(size: int) -> list[Word]:
    kind = Word(_integer(size), "name")
    return [Word("(", "op"), kind, Word("*", "op", " "), Word(")", "op")]


def _make_integer(words: list[Word], index: int, values: frozenset[str]) -> None:
    """Rewrite a declaration, a cast, or the type of the function."""
    size = _size_at(words, index + 1)
    if size is not None and word_at(words, index + 4).text in (")", *_names(words, index + 4)):
        remove(words, index + 1, index + 4)
        words[index].text = _integer(size)
        return
    texts = [word_at(words, at).text for at in range(index - 2, index + 4)]
    size = _size_at(words, index + 4)
    if size and texts == ["*", "(", words[index].text, "(", "*", ")"]:
        words[index - 1 : index + 8] = _pointer_cast(size)
        return
    size = _size_at(words, index + 2)
    if size is not None and word_at(words, index + 1).text in values:
        remove(words, index + 2, index + 5)
        words[index].text = _integer(size)


def _names(words: list[Word], index: int) -> tuple[str, ...]:
    word = word_at(words, index)
    return (word.text,) if word.is_name else ()


def _index_bytes(words: list[Word], index: int) -> None:
    """Write `v[3]` as `((uint8_t *)&v)[3]`."""
    if closing(words, index + 1) is not None:
        name = words[index]
        name.text = f"((uint8_t *)&{name.text})"
        parts = words_of(name.text)[:-1]
        parts[0].space = name.space
        words[index : index + 1] = parts
