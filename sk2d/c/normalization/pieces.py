"""Ghidra's pieces of variables, `auVar1._4_2_`: bytes 4 and 5 of it, as something assignable."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.words import NEAR, Word, opened_by, word_at, words_of

_PIECE: Final = re.compile(r"_(\d{1,3})_(\d{1,2})_\Z")
_WHOLE: Final = {
    1: "uint8_t",
    2: "uint16_t",
    4: "uint32_t",
    8: "uint64_t",
    16: "unsigned __int128",
}
_POSTFIX: Final = frozenset(("[", "++", "--", ".", "->", "("))


def write_pieces(words: list[Word]) -> None:
    """Write pieces of variables as C.

    A piece of 1, 2, 4, 8 or 16 bytes is a cast pointer that is read; for others the shim has
    `PIECE(variable, offset, bytes)`.

    Args:
        words: The words, changed in place.
    """
    index = 0
    while index < len(words):
        text = words[index].text
        match = _PIECE.match(text) if text[:1] == "_" else None
        if match and word_at(words, index - 1).text == ".":
            index = _write_piece(words, index, int(match[1]), int(match[2]))
        index += 1


def _write_piece(words: list[Word], index: int, offset: int, size: int) -> int:
    """Write the piece whose name stands at `index`; give the place of its last word."""
    start = operand_start(words, index - 2)
    if start is None or size > 16:
        return index
    before = word_at(words, start - 1)
    operand = words[start : index - 1]
    space, operand[0].space = operand[0].space, ""
    behind = word_at(words, index + 1).text
    alone = behind not in _POSTFIX and (before.text != "/" or bool(space))
    piece = _piece("".join([word.space + word.text for word in operand]), offset, size, alone)
    made = words_of(piece)[:-1]
    made[0].space = space
    words[start : index + 1] = made
    return start + len(made) - 1


def _piece(operand: str, offset: int, size: int, alone: bool) -> str:
    if size not in _WHOLE:
        return f"PIECE({operand}, {offset}, {size})"
    address = f"((char *)&{operand} + {offset})" if offset else f"&{operand}"
    piece = f"*({_WHOLE[size]} *){address}"
    return piece if alone else f"({piece})"


def operand_start(words: list[Word], end: int) -> int | None:
    """Find where the operand before a `.` or `->` begins: a name with members, indices, calls.

    Args:
        words: The words.
        end: Its last word.

    Returns:
        Its first word, or None where there is none.
    """
    index: int | None = end
    while index is not None and index >= max(end - NEAR, 0):
        if words[index].text in ("]", ")"):
            opening = opened_by(words, index)
            if opening is None:
                return None
            if words[index].text == ")" and not word_at(words, opening - 1).is_name:
                return opening
            index = opening - 1
            continue
        if not words[index].is_name:
            return None
        if word_at(words, index - 1).text not in (".", "->"):
            return index
        index -= 2
    return None
