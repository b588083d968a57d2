"""IDA's vector registers in the terms of gcc, whose `__m128i` has no members and no zero.

Microsoft's `__m128i` is a union: IDA reads `v1.m128i_i32[2]`. It writes 0 for a register of zeros,
and a cast of a 64-bit value for one whose upper half is zero.
"""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.pieces import operand_start
from sk2d.c.normalization.words import Word, closing, opened_by, word_at, words_of

_MEMBER: Final = re.compile(r"m(?:128|256)[id]?_([iuf])(8|16|32|64)\Z")
_VECTORS: Final = frozenset(("__m128i", "__m128d", "__m128"))
_ZERO: Final = re.compile(r"0[uU]?[lL]{0,2}\Z|0\.0f?\Z")
_WIDE_LITERAL: Final = re.compile(r"[0-9]+(?:[uU][lL]{1,2}|[lL]{1,2}[uU]?)\Z")
_WIDE: Final = (["unsigned", "long", "long"], ["uint64_t"], ["unsigned", "long"])
_WIDE_AT: Final = tuple([*kind, "*"] for kind in _WIDE)


def write_vectors(words: list[Word]) -> None:
    """Write members, zeros and extensions of vectors as gcc knows them.

    Args:
        words: The words, changed in place.
    """
    kinds = {
        words[index + 1].text: word.text
        for index, word in enumerate(words)
        if word.text in _VECTORS and word_at(words, index + 1).is_name
    }
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        if word.text in _VECTORS and _is_cast(words, index):
            _write_cast(words, index)
        elif _ZERO.match(word.text) and word_at(words, index + 1).text == ";":
            _write_zero(words, index, kinds)
    index = 0
    while index < len(words):
        if words[index].text[:2] in ("m1", "m2") and _MEMBER.match(words[index].text):
            index = _write_member(words, index)
        index += 1


def _is_cast(words: list[Word], index: int) -> bool:
    return word_at(words, index - 1).text == "(" and word_at(words, index + 1).text == ")"


def _write_cast(words: list[Word], index: int) -> None:
    """Write `(__m128i)0LL` and `(__m128i)(unsigned long long)x` as compound literals."""
    start = index + 2
    zero = _ZERO.match(word_at(words, start).text)
    end = start + 1 if zero else _wide_end(words, start)
    if end is None:
        return
    words[start].space = ""
    words.insert(end, Word("}", "op"))
    # Bits of 64-bit integers are meant, for floating-point vectors too.
    bits = "" if zero or words[index].text == "__m128i" else "(__m128i)"
    words[start:start] = words_of(f"{bits}{{")[:-1]


def _wide_end(words: list[Word], start: int) -> int | None:
    """Give the end of a 64-bit literal, or of a value that is cast to 64 bits."""
    if _WIDE_LITERAL.match(word_at(words, start).text):
        return start + 1
    pointer = word_at(words, start).text == "*"
    opening = start + pointer
    if word_at(words, opening).text != "(":
        return None
    close = closing(words, opening)
    if close is None:
        return None
    kind = [word.text for word in words[opening + 1 : close]]
    return _operand_end(words, close + 1) if kind in (_WIDE_AT if pointer else _WIDE) else None


def _operand_end(words: list[Word], index: int) -> int | None:
    """Give the end of an operand: signs, a literal, name or bracket, members, calls, indices."""
    while word_at(words, index).text in ("&", "*", "-", "~"):
        index += 1
    word = word_at(words, index)
    if word.text == "(":
        close = closing(words, index)
        if close is None:
            return None
        index = close
    elif word.kind not in ("name", "number", "string", "char"):
        return None
    index += 1
    while (text := word_at(words, index).text) in ("[", "(", ".", "->"):
        close = closing(words, index) if text in "[(" else index + 1
        if close is None:
            return None
        index = close + 1
    return index


def _write_zero(words: list[Word], index: int, kinds: dict[str, str]) -> None:
    """Write `v = 0LL;` as `v = (__m128i){0LL};` for a vector variable or place in memory."""
    if word_at(words, index - 1).text != "=":
        return
    kind = kinds.get(word_at(words, index - 2).text)
    if word_at(words, index - 3).text in (".", "->"):
        return
    if kind is None:
        kind = _pointed_at(words, index - 2)
    if kind is not None:
        literal = words_of(f"({kind}){{{words[index].text}}}")[:-1]
        literal[0].space = words[index].space
        words[index : index + 1] = literal


def _pointed_at(words: list[Word], end: int) -> str | None:
    """Give T of an assignment to `*(T *)operand` that ends at a word, where T is a vector."""
    for index in range(end, max(end - 60, 3), -1):
        texts = [word.text for word in words[index - 4 : index + 1]]
        if texts[:2] == ["*", "("] and texts[2] in _VECTORS and texts[3:] == ["*", ")"]:
            before = word_at(words, index - 5).text
            whole = _operand_end(words, index + 1) == end + 1
            return texts[2] if whole and before in (";", "{", "}", ")", ":") else None
    return None


def _write_member(words: list[Word], index: int) -> int:
    """Write `v.m128i_u8` as `((uint8_t *)&v)`; give the place of its last word."""
    access = word_at(words, index - 1).text
    match = _MEMBER.match(words[index].text)
    if match is None or access not in (".", "->"):
        return index
    start = operand_start(words, index - 2)
    if start is None:
        return index
    operand = words[start : index - 1]
    space, operand[0].space = operand[0].space, ""
    text = "".join([word.space + word.text for word in operand])
    kind, end = _element(match[1], match[2]), index + 1
    made = f"(({kind} *){'&' if access == '.' else ''}{text})"
    if access == "." and _is_call(words, index - 2):
        number = [word.text for word in words[index + 1 : index + 4]]
        if number[:1] != ["["] or number[2:] != ["]"] or not number[1].isdigit():
            operand[0].space = space
            return index
        made, end = _element_of_value(kind, text, number[1]), index + 4
    parts = words_of(made)[:-1]
    parts[0].space = space
    words[start:end] = parts
    return start + len(parts) - 1


def _element_of_value(kind: str, value: str, number: str) -> str:
    """Read an element of what has no address; gcc indexes vectors by their own elements only."""
    bits = kind.strip("uint_")
    if bits in ("8", "16", "32"):
        return f"({kind})_mm_extract_epi{bits}({value}, {number})"
    return f"({kind}){value}[{number}]"


def _is_call(words: list[Word], end: int) -> bool:
    """Tell whether an operand is what a function returned, which has no address."""
    if words[end].text != ")":
        return False
    opening = opened_by(words, end)
    return opening is not None and word_at(words, opening - 1).is_name


def _element(letter: str, bits: str) -> str:
    if letter == "f":
        return "float" if bits == "32" else "double"
    return f"{'u' if letter == 'u' else ''}int{bits}_t"
