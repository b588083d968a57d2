"""Which decompiler wrote a text."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.words import Word, words_of
from sk2d.c.tokens import clean_source
from sk2d.errors import UserError, did_you_mean

DIALECTS: Final = ("ida", "ghidra", "flatline", "angr")
"""The decompilers whose output can be normalised."""

# Asked in this order. What a rule takes away is evidence for no dialect but the last, so that
# normalising twice does the same as normalising once.
_FLATLINE: Final = re.compile(r"xunknown\d+\Z|u?int4\Z")
_GHIDRA: Final = re.compile(
    r"undefined\d*\Z|param_\d+\Z|local_[0-9a-f]+\Z|(?:in|unaff)_[A-Z][A-Z0-9]+\Z"
    r"|(?:_?DAT|FUN|LAB|UNK|PTR|s|PTR_DAT|PTR_FUN)_[0-9a-f]{6,16}\Z|[a-z]{1,3}Var\d+\Z"
    r"|(?:CONCAT|SUB|ZEXT|SEXT)\d{2,4}\Z|(?:a[a-z]|[a-z])?Stack_[0-9a-f]+\Z"
)
# A program may own these names; flatline has Ghidra's engine, which shows in other names.
_BYTE_COUNTED: Final = re.compile(r"u?int[128]\Z|float[48]\Z")
_IDA: Final = re.compile(
    r"_(?:BYTE|WORD|DWORD|QWORD|OWORD|BOOL[1248]|UNKNOWN|TBYTE)\Z|__int(?:8|16|32|64)\Z"
    r"|__(?:fast|user|std|this)call\Z|__cdecl\Z|[SL]?[LH]I(?:BYTE|WORD|DWORD)\Z|JUMPOUT\Z"
)
_ANGR: Final = re.compile(r"struct_\d+\Z|g_[0-9a-f]{6,}\Z|vvar_\d+\Z|field_[0-9a-f]+\Z")
_ANGR_COMMENT: Final = re.compile(r"//[ ]\[(?:bp|sp)[-+]0x|//[ ]\w+(?:,[ ]Other Possible Types|$)")


def detect_dialect(code: str) -> str:
    """Tell which decompiler wrote a text.

    Args:
        code: Pseudo-code.

    Returns:
        One of `DIALECTS`; `ida` where nothing tells.

    Raises:
        SourceError: The text cannot be worked on (see `clean_source`).
    """  # noqa: DOC502
    text = clean_source(code)
    return dialect_of(words_of(text), text)


def dialect_of(words: list[Word], text: str) -> str:
    """Tell which decompiler wrote words.

    Args:
        words: The words.
        text: The text they were cut from.

    Returns:
        One of `DIALECTS`.
    """
    names = {word.text for word in words if word.is_name}
    if _any(_FLATLINE, names):
        return "flatline"
    if _any(_GHIDRA, names):
        return "flatline" if _any(_BYTE_COUNTED, names) else "ghidra"
    if _any(_IDA, names):
        return "ida"
    if _ANGR_COMMENT.search(text) or _any(_ANGR, names):
        return "angr"
    return "ida"


def _any(pattern: re.Pattern[str], names: set[str]) -> bool:
    return any(map(pattern.match, names))


def checked_dialect(dialect: str) -> str:
    """Check the name of a dialect.

    Args:
        dialect: A name, or `auto`.

    Returns:
        The name.

    Raises:
        UserError: There is no such dialect.
    """
    choices = ("auto", *DIALECTS)
    if dialect not in choices:
        raise UserError(
            f"unknown dialect {dialect!r}; there are {', '.join(choices)}",
            where="dialect",
            remedy=did_you_mean(str(dialect), choices),
        )
    return dialect
