"""Decompiler output as C that keeps its meaning, or as upstream's models expect it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from sk2d.c.normalization.annotations import remove_annotations
from sk2d.c.normalization.byte_arrays import make_integers
from sk2d.c.normalization.dialects import checked_dialect, dialect_of
from sk2d.c.normalization.gaps import fill_gaps
from sk2d.c.normalization.numbers import decimal_literal
from sk2d.c.normalization.pieces import write_pieces
from sk2d.c.normalization.qualified import name_plainly
from sk2d.c.normalization.type_names import rename_types
from sk2d.c.normalization.upstream import normalize_as_upstream
from sk2d.c.normalization.vectors import write_vectors
from sk2d.c.normalization.words import Word, text_of, words_of
from sk2d.c.tokens import clean_source
from sk2d.errors import Reason, SourceError, UserError, did_you_mean

PROFILES: Final = ("sound", "upstream")
"""The aims of normalising: keep the meaning, or equal upstream."""

_NO_C: Final = frozenset(["@", "`", "::", "\\", "#", "##"])
# `anonymous namespace'::f: the quote would open a character literal.
_QUOTED_NAME: Final = re.compile(
    r"(?P<keep>//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|`(?P<name>[\w ,:<>*&()-]+)'",
    re.DOTALL,
)


def normalize(code: str, dialect: str = "auto", profile: str = "sound") -> str:
    """Bring decompiler output into the C that the models read.

    Profile `sound` keeps the meaning. Comments go; hexadecimal literals become decimal ones of the
    same type; the type names of decompilers become C's, of the same width; what is not C
    (registers, calling conventions, `::`) goes or becomes an identifier; every string and
    character literal keeps its bytes. What is left compiles with `shim()` and the header that type
    inference gives. Normalising twice does the same as normalising once.

    Profile `upstream` gives the tokens that upstream's normaliser printed, and is only for use
    with its published weights: it also damages what upstream damaged. Comment signs and type
    names in strings are taken for comments and types, hexadecimal literals lose unsignedness and
    types change their width.

    Args:
        code: Pseudo-code of one function.
        dialect: The decompiler that wrote it: `ida`, `ghidra`, `flatline`, `angr`, or `auto`.
        profile: `sound` or `upstream`.

    Returns:
        The text.

    Raises:
        UserError: There is no such dialect or profile.
        SourceError: The text cannot be worked on (see `clean_source`), `syntax_error` where
            something is left that no rule can make C of, or clang-format failed.
    """  # noqa: DOC502
    return _text_or_raise(normalize_many([code], dialect, profile)[0])


def _text_or_raise(result: str | SourceError) -> str:
    if isinstance(result, SourceError):
        raise result
    return result


def normalize_many(
    codes: Sequence[str], dialect: str = "auto", profile: str = "sound"
) -> list[str | SourceError]:
    """Normalise many functions; in profile `upstream` with one clang-format process for all.

    Args:
        codes: Pseudo-code of one function each.
        dialect: As for `normalize`.
        profile: As for `normalize`.

    Returns:
        For each text the result, or the error that `normalize` would raise.

    Raises:
        UserError: There is no such dialect or profile.
    """
    checked_dialect(dialect)
    if profile not in PROFILES:
        raise UserError(
            f"unknown profile {profile!r}; there are {', '.join(PROFILES)}",
            where="profile",
            remedy=did_you_mean(str(profile), PROFILES),
        )
    if profile == "sound":
        return [_or_error(_normalize_soundly, code, dialect) for code in codes]
    texts = [_or_error(clean_source, code) for code in codes]
    found = iter(normalize_as_upstream([text for text in texts if isinstance(text, str)]))
    return [next(found) if isinstance(text, str) else text for text in texts]


def _or_error(step: Callable[..., str], *arguments: str) -> str | SourceError:
    try:
        return step(*arguments)
    except SourceError as error:
        return error


def _normalize_soundly(code: str, dialect: str) -> str:
    text = clean_source(code)
    if "`" in text:
        text = _QUOTED_NAME.sub(_plain_quoted_name, text)
    words = words_of(text)
    if dialect == "auto":
        dialect = dialect_of(words, text)
    name_plainly(words)
    remove_annotations(words)
    if dialect in ("ghidra", "flatline"):
        make_integers(words)
    rename_types(words, dialect)
    for word in words:
        if word.kind == "number":
            word.text = decimal_literal(word.text)
    if "_" in text:
        write_pieces(words)
    if "m128" in text:
        write_vectors(words)
    fill_gaps(words)
    _refuse_leftovers(words, text)
    if len(words) == 1:
        raise SourceError(Reason.EMPTY, "there is no code but comments")
    return text_of(words)


def _plain_quoted_name(match: re.Match[str]) -> str:
    return match["keep"] or re.sub(r"\W+", "_", match["name"])


def _refuse_leftovers(words: list[Word], text: str) -> None:
    for word in words:
        if word.kind == "op" and word.text in _NO_C:
            line = text.count("\n", 0, word.start) + 1
            column = word.start - text.rfind("\n", 0, word.start)
            raise SourceError(
                Reason.SYNTAX_ERROR,
                f"{word.text!r} is no C, and no rule makes C of it",
                where=f"line {line}, column {column}",
            )
