"""Which undeclared names are types, told by their neighbours among the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sk2d.c.inference.cursor import RESERVED
from sk2d.c.inference.preprocessing import Lexeme

_AFTER_VALUE: Final = frozenset(
    [
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "&=",
        "|=",
        "^=",
        "<<=",
        ">>=",
        "->",
        ".",
        "[",
        "++",
        "--",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "+",
        "/",
        "%",
        "?",
        "<<",
        ">>",
        "|",
        "^",
        "&&",
        "||",
    ]
)
_BEFORE_VALUE: Final = frozenset(
    [
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "&=",
        "|=",
        "^=",
        "<<=",
        ">>=",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "+",
        "/",
        "%",
        "?",
        "<<",
        ">>",
        "|",
        "^",
        "||",
        "++",
        "--",
        "return",
        "!",
        "~",
        "case",
        "[",
        "->",
        ".",
    ]
)
_TAGS: Final = frozenset(["struct", "union", "enum", "goto", ".", "->"])
_BEFORE_DECLARATION: Final = frozenset(
    [
        ";",
        "{",
        "}",
        "(",
        ",",
        "const",
        "static",
        "extern",
        "register",
        "volatile",
        "typedef",
        "inline",
        "restrict",
    ]
)


def name_kinds(tokens: Sequence[Lexeme]) -> tuple[frozenset[str], frozenset[str]]:
    """Sort the names of a text into types and values as far as neighbours tell.

    Args:
        tokens: The tokens of the text.

    Returns:
        The names that look like types, and those that surely are values.
    """
    types: set[str] = set()
    values: set[str] = set()
    texts = ["", ";", *(t.text for t in tokens), "", "", ""]
    for index, token in enumerate(tokens, start=2):
        if token.kind != "name" or token.text in RESERVED or texts[index - 1] in _TAGS:
            continue
        if texts[index + 1] in _AFTER_VALUE or texts[index - 1] in _BEFORE_VALUE:
            values.add(token.text)
        elif _type_like(texts, index, tokens):
            types.add(token.text)
    return frozenset(types - values), frozenset(values)


def _type_like(texts: list[str], index: int, tokens: Sequence[Lexeme]) -> bool:
    """Tell whether a name stands as only a type does."""
    before, after = texts[index - 1], texts[index + 1]
    if after == "*":
        end = index + 1
        while texts[end] in ("*", "const", "restrict", "__restrict"):
            end += 1
        if texts[end] in (")", ",") or (texts[end] == "(" and before != "("):
            return texts[end] != "("
        return before in _BEFORE_DECLARATION and end - index > 2
    follows = tokens[index - 1] if index - 1 < len(tokens) else None
    if follows is None or follows.kind != "name":
        return before == "(" and after == ")" and _operand(texts[index + 2], tokens, index)
    if follows.text in RESERVED:
        return after == "const" and before in _BEFORE_DECLARATION
    return before in _BEFORE_DECLARATION and texts[index + 2] in ("=", ";", ",", ")", "[", "(", ":")


def _operand(text: str, tokens: Sequence[Lexeme], index: int) -> bool:
    """Tell whether `(name)` is followed by what only a cast can be followed by."""
    place = index
    if place >= len(tokens):
        return False
    kind = tokens[place].kind
    return kind in ("number", "string", "char") or (kind == "name" and text not in RESERVED)
