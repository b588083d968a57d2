"""The type names of decompilers in C's own words, in type position only and of the same width."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from sk2d.c.normalization.words import Word, remove, word_at, words_of

_TABLE: Final = Path(__file__).with_name("type_names.txt")
_TAGS: Final = frozenset({"struct", "union", "enum"})
_OTHER_NAME_AFTER: Final = frozenset({".", "->", "goto", "#"}) | _TAGS
_OPERATORS: Final = frozenset(
    ("=", "+", "-", "/", "%", "!", "~", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||",
     "<<", ">>", "?", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
)  # fmt: skip
# A type name never stands behind one of these, nor before one of those; a variable often does.
_VARIABLE_AFTER: Final = _OPERATORS | {"*", "[", "++", "--", "return"}
_VARIABLE_BEFORE: Final = (_OPERATORS - {"&", "!", "~", "-", "+"}) | {
    ";", ".", "->", "++", "--", ":", "{", "}", "]",
}  # fmt: skip
_ALWAYS_TYPES: Final = ("_", "undefined", "xunknown")


class TypeName(NamedTuple):
    """A row of the table.

    Attributes:
        alone: What the name becomes.
        signed: What it becomes behind `signed`; None where that word stays.
        unsigned: What it becomes behind `unsigned`; None where that word stays.
        dialects: Where the name counts; empty for everywhere.
    """

    alone: str
    signed: str | None
    unsigned: str | None
    dialects: frozenset[str]


@functools.cache
def type_names() -> Mapping[str, TypeName]:
    """Read the table.

    Returns:
        Its rows by name.
    """
    rows = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, alone, signed, unsigned, where = (part.strip() for part in line.split("|"))
            dialects = frozenset(where.split()) - {"any"}
            rows[name] = TypeName(alone, _word(signed), _word(unsigned), dialects)
    return rows


def _word(cell: str) -> str | None:
    return None if cell == "-" else cell


def rename_types(words: list[Word], dialect: str) -> None:
    """Write the type names of decompilers in C's own words.

    Args:
        words: The words, changed in place.
        dialect: Whose names count.
    """
    table = type_names()
    found = [i for i, word in enumerate(words) if word.text in table and word.is_name]
    variables = {words[i].text for i in found if _is_variable(words, i)}
    for index in reversed(found):
        row = table[words[index].text]
        counts = not row.dialects or dialect in row.dialects
        if counts and words[index].text not in variables and _may_be_type(words, index):
            _rename(words, index, row)
    if any(word.text == "_IO_FILE" for word in words):
        _rename_file(words)


def _may_be_type(words: list[Word], index: int) -> bool:
    return word_at(words, index - 1).text not in _OTHER_NAME_AFTER


def _is_variable(words: list[Word], index: int) -> bool:
    """Tell whether a word is used as no type could be."""
    if not _may_be_type(words, index):
        return False
    before, behind = word_at(words, index - 1), word_at(words, index + 1)
    if before.text in _VARIABLE_AFTER or behind.text in _VARIABLE_BEFORE:
        return True
    if words[index].text.startswith(_ALWAYS_TYPES):
        return False
    if behind.text == "[" or (behind.text in ("+", "-") and before.text != "("):
        return True
    if behind.text not in (",", ")"):
        return False
    declared = before.is_name and before.text not in _BEFORE_TYPES
    return declared or _is_argument(words, index)


def _is_argument(words: list[Word], index: int) -> bool:
    """Tell whether a word alone is the first argument of a call: `f(byte)`, not `int f(byte);`."""
    function = word_at(words, index - 2)
    if word_at(words, index - 1).text != "(" or not function.is_name:
        return False
    if function.text in ("sizeof", "_Alignof", "__alignof__", "return", "if", "while"):
        return False
    before = word_at(words, index - 3)
    declares = before.is_name and before.text not in ("return", "else", "do", "case")
    return not declares and before.text != "*"


_BEFORE_TYPES: Final = frozenset(
    [
        "const",
        "volatile",
        "restrict",
        "signed",
        "unsigned",
        "return",
        "sizeof",
        "static",
        "extern",
        "register",
        "inline",
    ]
)


def _rename(words: list[Word], index: int, row: TypeName) -> None:
    before = word_at(words, index - 1)
    combined = {"signed": row.signed, "unsigned": row.unsigned}.get(before.text)
    parts = words_of(combined or row.alone)[:-1]
    parts[0].space = words[index].space
    words[index : index + 1] = parts
    if combined:
        remove(words, index - 1, index)


def _rename_file(words: list[Word]) -> None:
    """Call glibc's `struct _IO_FILE` what programs call it, save where it is defined."""
    for index in range(len(words) - 1, -1, -1):
        if words[index].text != "_IO_FILE" or word_at(words, index + 1).text == "{":
            continue
        before = word_at(words, index - 1).text
        if before == "struct":
            words[index].text = "FILE"
            remove(words, index - 1, index)
        elif before not in _OTHER_NAME_AFTER:
            words[index].text = "FILE"
