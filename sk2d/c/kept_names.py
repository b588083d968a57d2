"""Which names obfuscation keeps: the standard library's, and those that the pseudo-code has too."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

from sk2d.c import libc
from sk2d.c.names import Names, Symbol, resolve
from sk2d.c.naming.ledger import OBJECT, Kind
from sk2d.c.naming.lexemes import NAME, lex
from sk2d.c.naming.words import AFTER_OBJECT, RECORDS, TYPES
from sk2d.c.parse import parse
from sk2d.c.tokens import clean_source
from sk2d.errors import SourceError

_COMPILER_NAMES: Final = re.compile(r"__\w+__|__func__|__builtin_\w+|__VA_ARGS__|__VA_OPT__")
"""Names that the compiler defines or that C reserves for it."""

_COMMON_TAGS: Final = frozenset(["entry", "exception", "key", "msg", "qelem"])
"""Standard tags that programs use for structures of their own far more often."""

_FITTING: Final[dict[Kind, frozenset[str]]] = {
    "func": frozenset(["func", "macro"]),
    "type": frozenset(["type", "macro"]),
    "var": frozenset(["var", "constant", "macro"]),
}
_WORD: Final = re.compile(r"(?:(?:struct|union|enum) )?[A-Za-z_]\w*")
_REGISTER: Final = re.compile(r"@<\w+>|@plt\b|(?<!\w)::(?=\w)")
"""What decompilers write into names: registers of arguments, the table of imports."""


class Kept:
    """The names of a text that are kept.

    Args:
        symbols: Indices of the symbols whose names are kept.
    """

    def __init__(self, symbols: frozenset[int]) -> None:
        self._symbols = symbols

    def is_kept(self, number: int) -> bool:
        """Tell whether a name is kept.

        Args:
            number: Index of its symbol.

        Returns:
            Whether it is.
        """
        return number in self._symbols


def kept_names(names: Names, pseudo: str | None) -> Kept:
    """Find the names that obfuscation keeps.

    Args:
        names: The names of the source.
        pseudo: The pseudo-code.

    Returns:
        The kept ones.
    """
    survived = surviving_names(pseudo) if pseudo else {}
    kept = {
        number
        for number, symbol in enumerate(names.symbols)
        if symbol.kind == "label"
        or is_standard(symbol)
        or (not symbol.local and symbol.name in survived.get(symbol.kind, ()))
    }
    members = _standard_members([names.symbols[number] for number in kept])
    for number, symbol in enumerate(names.symbols):
        if symbol.kind == "field" and not symbol.declared and symbol.name in members:
            kept.add(number)
    return Kept(frozenset(kept))


def is_standard(symbol: Symbol) -> bool:
    """Tell whether a symbol is the one of the C or POSIX library that has its name.

    A parameter named `index` is not, nor a function `time` that is defined here.

    Args:
        symbol: A symbol.

    Returns:
        Whether it is.
    """
    name = symbol.name
    if symbol.local or symbol.macro or symbol.defined or symbol.kind in ("field", "label"):
        return False
    if symbol.namespace == "tags":
        return name not in _COMMON_TAGS and any(libc.is_standard(f"{w} {name}") for w in RECORDS)
    if _COMPILER_NAMES.fullmatch(name):
        return True
    if symbol.static or not libc.is_standard(name):
        return False
    kind = libc.kind_of(name)
    if symbol.kind == "var" and kind == "func":
        return not symbol.declared and not symbol.roles & OBJECT
    return kind in _FITTING[symbol.kind]


def _standard_members(kept: list[Symbol]) -> frozenset[str]:
    """Give the members of the standard structures that a text uses by name or through functions."""
    found: set[str] = set()
    for symbol in kept:
        if symbol.namespace == "tags":
            found |= _members_within(f"struct {symbol.name}") | _members_within(symbol.name)
        elif symbol.kind in ("type", "func", "var"):
            found |= _members_around(symbol.name)
    return frozenset(found)


@functools.lru_cache(maxsize=5_000)
def _members_around(name: str) -> frozenset[str]:
    """Give the members of the structures that a standard declaration speaks of."""
    text = libc.declaration(name) or ""
    words = [word for word in _WORD.findall(text) if word != name]
    return frozenset().union(_members_within(name), *(_members_within(word) for word in words))


@functools.lru_cache(maxsize=5_000)
def _members_within(type_name: str) -> frozenset[str]:
    """Give the members of a standard type, and of the types that these have."""
    found: set[str] = set()
    pending, seen = [type_name], {type_name}
    while pending:
        members = libc.members_of(pending.pop())
        found |= members.keys()
        inner = {word for text in members.values() for word in _WORD.findall(text)} - seen
        seen |= inner
        pending += inner
    return frozenset(found)


@functools.lru_cache(maxsize=64)
def surviving_names(pseudo: str) -> dict[Kind, frozenset[str]]:
    """Find the names in pseudo-code that may come from the source, by kind.

    Args:
        pseudo: Pseudo-code, raw or normalised, valid C or not.

    Returns:
        Functions, types, members and variables; no parameters and locals.
    """
    found: dict[Kind, set[str]] = {"func": set(), "type": set(), "var": set(), "field": set()}
    for kind, name in _pseudo_names(_REGISTER.sub("", pseudo)):
        found[kind].add(name)
    return {kind: frozenset(names) for kind, names in found.items()}


def _pseudo_names(pseudo: str) -> Iterator[tuple[Kind, str]]:
    try:
        names = resolve(parse(pseudo))
    except SourceError:
        yield from _names_by_neighbours(pseudo)
        return
    for symbol in names.symbols:
        if not symbol.local and symbol.kind != "label":
            yield symbol.kind, symbol.name


def _names_by_neighbours(pseudo: str) -> Iterator[tuple[Kind, str]]:
    """Tell the names of a text that is no valid C by the tokens beside them."""
    try:
        lexemes = lex(clean_source(pseudo))
    except SourceError:
        return
    texts = ["", *lexemes.texts, "", ""]
    kinds = ["", *lexemes.kinds, "", ""]
    declared: set[str] = set()
    seen: list[tuple[Kind, str]] = []
    for place in range(1, len(texts) - 2):
        if kinds[place] != NAME:
            continue
        kind = _kind_by_neighbours(texts, kinds, place)
        if kind == "var" and _is_declared(texts, kinds, place):
            declared.add(texts[place])
        seen.append((kind, texts[place]))
    yield from (pair for pair in seen if pair[0] != "var" or pair[1] not in declared)


def _kind_by_neighbours(texts: list[str], kinds: list[str], place: int) -> Kind:
    before, after = texts[place - 1], texts[place + 1]
    if before in (".", "->"):
        return "field"
    if before in RECORDS:
        return "type"
    if after == "(":
        return "func"
    if kinds[place + 1] == NAME or (after == "*" and _before_pointer(texts, place)):
        return "type"
    return "var"


def _before_pointer(texts: list[str], place: int) -> bool:
    """Tell whether a name that stands before `*` is a type, not a factor."""
    return texts[place + 2] in ("*", ")") or texts[place - 1] in ("", ";", "{", "}", "(", ",")


def _is_declared(texts: list[str], kinds: list[str], place: int) -> bool:
    """Tell whether a name stands as what is declared."""
    before, after = texts[place - 1], texts[place + 1]
    typed = kinds[place - 1] == NAME or before in TYPES
    starred = before == "*" and (kinds[place - 2] == NAME or texts[place - 2] in TYPES | {"*"})
    return (typed or starred) and (after in (";", ",", ")") or after in AFTER_OBJECT)
