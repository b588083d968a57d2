"""Valid spellings for what the C of gcc and of the parser disagree on."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.words import Word, closing, remove, word_at
from sk2d.c.tokens import KEYWORDS

_ASSEMBLER: Final = frozenset(("__asm", "_asm"))
_NO_WORD: Final = re.compile(r"[\W_]+")


def fill_gaps(words: list[Word]) -> None:
    """Bring what the parser does not know into another spelling of the same meaning.

    Args:
        words: The words, changed in place.
    """
    texts = {word.text for word in words}
    if ":" in texts:
        _end_labels(words)
    if not _ASSEMBLER.isdisjoint(texts):
        _name_assembler(words)
    if "D" in texts:
        _drop_dirty_marks(words)
    if "va_arg" in texts:
        _cast_variable_arguments(words)


def _end_labels(words: list[Word]) -> None:
    """Give a label at the end of a block the empty statement that C11 wants."""
    done = []
    for index, word in enumerate(words):
        if word.text == "}" and word_at(words, index - 1).text == ":":
            label = word_at(words, index - 2)
            if label.is_name or word_at(words, index - 3).text == "case":
                done.append(Word(";", "op"))
        done.append(word)
    words[:] = done


def _name_assembler(words: list[Word]) -> None:
    """Write `__asm { rep movsb }` as a call, `asm_rep_movsb();`: what it does is beyond C."""
    for index in range(len(words) - 1, -1, -1):
        if words[index].text not in _ASSEMBLER or word_at(words, index + 1).text != "{":
            continue
        end = closing(words, index + 1)
        if end is not None:
            inside = "_".join(word.text for word in words[index + 2 : end])
            words[index].text = _NO_WORD.sub("_", f"asm_{inside}").strip("_")
            call = [Word(text, "op") for text in ("(", ")", ";")]
            words[index + 1 : end + 1] = call


def _drop_dirty_marks(words: list[Word]) -> None:
    """Take out the `[D]` before a call that angr could not model."""
    for index in range(len(words) - 3, -1, -1):
        marked = [word.text for word in words[index : index + 3]] == ["[", "D", "]"]
        before = word_at(words, index - 1)
        indexes = before.text in (")", "]") or (before.is_name and before.text not in KEYWORDS)
        if marked and words[index + 3].is_name and not indexes:
            remove(words, index, index + 3)


def _cast_variable_arguments(words: list[Word]) -> None:
    """Write `va_arg(ap, T *)` as `(T *)va_arg(ap, size_t)`.

    The parser takes a type of several words for an expression. On x86-64 a pointer is passed as an
    integer of its width is.
    """
    for index in range(len(words) - 1, -1, -1):
        if words[index].text != "va_arg" or word_at(words, index + 1).text != "(":
            continue
        end = closing(words, index + 1)
        comma = _last_comma(words, index + 1, end)
        if end is None or comma is None:
            continue
        kind = words[comma + 1 : end]
        passed = _passed_as(kind)
        if passed is not None:
            kind[0].space = ""
            cast = [Word("(", "op", words[index].space), *kind, Word(")", "op")]
            words[comma + 1 : end] = [Word(passed, "name", " ")]
            words[index].space = ""
            words[index:index] = cast


def _passed_as(kind: list[Word]) -> str | None:
    """Give the type of one word that is passed as one of several words is, if there is one."""
    if len(kind) > 1 and kind[-1].text == "*":
        return "size_t"
    words = {word.text for word in kind}
    if len(kind) == 1 or not words <= {"signed", "unsigned", "long", "int"}:
        return None
    unsigned = "unsigned" in words
    if "long" in words:
        return "size_t" if unsigned else "ssize_t"
    return "uint32_t" if unsigned else "int32_t"


def _last_comma(words: list[Word], opening: int, end: int | None) -> int | None:
    level = 0
    for index in range((end or opening) - 1, opening, -1):
        level += (words[index].text in (")", "]")) - (words[index].text in ("(", "["))
        if level == 0 and words[index].text == ",":
            return index
    return None
