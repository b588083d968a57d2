"""`obfuscate` and `restore`: from source to IR and back, by names alone.

The IR is the source with placeholders for the names that stripping loses. What is kept: keywords,
literals, labels, the names of the C and POSIX library, and what also stands in the pseudo-code.
Comments go, since they speak of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from sk2d.c.functions import only_function
from sk2d.c.kept_names import Kept, kept_names
from sk2d.c.names import Names, Symbol, resolve
from sk2d.c.naming.ledger import FILE_SCOPE
from sk2d.c.parse import Edit, apply_edits, decode, encode, parse
from sk2d.c.tokens import clean_source, tokenize

_PLACEHOLDER: Final = re.compile(r"(?:func|type|var|field)[1-9]")


class Obfuscated(NamedTuple):
    """An IR and the way back.

    Attributes:
        ir: The source with placeholders.
        mapping: Name by placeholder.
    """

    ir: str
    mapping: dict[str, str]


def obfuscate(code: str, pseudo: str | None = None) -> Obfuscated:
    """Replace the names of a function by placeholders.

    Placeholders are `func`, `type`, `var` and `field`, each numbered from 1 in the order of first
    appearance. A number is skipped only where a name that is kept has that spelling. One name of
    one kind has one placeholder, save where a declaration hides another: the hidden and the hiding
    one differ. A typedef and a tag of the same spelling share theirs, and all members of one name
    do.

    Args:
        code: C text that defines one function.
        pseudo: Its pseudo-code, raw or normalised. A name that stands there as the same kind is
            kept, unless it is local: the names of locals do not survive stripping, and those in
            pseudo-code are the decompiler's own.

    Returns:
        The IR and the mapping.

    Raises:
        SourceError: `no_function`, `several_functions`, `syntax_error`, or the text cannot be
            worked on.
    """  # noqa: DOC502
    tree = parse(code)
    names = resolve(tree)
    only_function(names)
    kept = kept_names(names, pseudo)
    placeholders = _Placeholders(names, kept, decode(tree.source))
    edits = [
        Edit(o.start, o.end, placeholder)
        for o in names.occurrences
        if (placeholder := placeholders.of(o.symbol)) is not None
    ]
    edits += _without_comments(tree.source, names.comments)
    return Obfuscated(decode(apply_edits(tree.source, edits)), placeholders.mapping)


def restore(ir: str, mapping: Mapping[str, str]) -> str:
    """Put the names back in the place of their placeholders.

    Args:
        ir: An IR, as `obfuscate` gave it or as a model changed it.
        mapping: Name by placeholder; placeholders that are not in it stay.

    Returns:
        The source; equal to that which was obfuscated token for token, and byte for byte where
        that held no comments.

    Raises:
        SourceError: The text cannot be worked on.
    """  # noqa: DOC502
    return "".join(_restored(clean_source(ir), mapping))


def _restored(text: str, mapping: Mapping[str, str]) -> Iterator[str]:
    for token in tokenize(text):
        if token.kind == "name":
            yield mapping.get(token.text, token.text)
        elif token.kind == "directive":
            yield "#"
            yield from _restored(token.text[1:], mapping)
        else:
            yield token.text


class _Placeholders:
    """Gives out placeholders in the order of first appearance."""

    def __init__(self, names: Names, kept: Kept, text: str) -> None:
        self.kept = kept
        self.symbols = names.symbols
        self.mapping: dict[str, str] = {}
        self._taken = _left_names(names, kept, text)
        self._next = {"func": 1, "type": 1, "var": 1, "field": 1}
        self._by_entity: dict[tuple[str, object], bytes] = {}
        self._by_symbol: dict[int, bytes | None] = {}

    def of(self, number: int) -> bytes | None:
        """Give the placeholder of a symbol, or None if its name is kept."""
        if number in self._by_symbol:
            return self._by_symbol[number]
        symbol = self.symbols[number]
        placeholder = None
        if not self.kept.is_kept(number):
            entity = _entity(symbol, number)
            placeholder = self._by_entity.get(entity)
            if placeholder is None:
                placeholder = self._by_entity[entity] = self._new(symbol)
        self._by_symbol[number] = placeholder
        return placeholder

    def _new(self, symbol: Symbol) -> bytes:
        kind = symbol.kind
        while (placeholder := f"{kind}{self._next[kind]}") in self._taken:
            self._next[kind] += 1
        self._next[kind] += 1
        self.mapping[placeholder] = symbol.name
        return placeholder.encode()


def _entity(symbol: Symbol, number: int) -> tuple[str, object]:
    """Tell which symbols share a placeholder: those of one name that never are seen together."""
    if symbol.kind == "field":
        return "field", symbol.name
    if symbol.scope < FILE_SCOPE:  # the parameter of a macro
        return symbol.kind, number
    return symbol.kind, (symbol.name, symbol.level)


def _left_names(names: Names, kept: Kept, text: str) -> frozenset[str]:
    """Find the names that stay and are spelled like placeholders."""
    if not _PLACEHOLDER.search(text):
        return frozenset()
    edits = [Edit(o.start, o.end, b" ") for o in names.occurrences if not kept.is_kept(o.symbol)]
    left = decode(apply_edits(encode(text), edits))
    return frozenset(name for name in _names(left) if _PLACEHOLDER.match(name))


def _names(text: str) -> Iterator[str]:
    for token in tokenize(text):
        if token.kind == "name":
            yield token.text
        elif token.kind == "directive":
            yield from _names(token.text[1:])


def _without_comments(source: bytes, comments: Iterable[tuple[int, int]]) -> Iterator[Edit]:
    """Take comments out: a whole line with its newline, others with the blanks before them."""
    for start, end in comments:
        before = start
        while before > 0 and source[before - 1 : before] in (b" ", b"\t"):
            before -= 1
        after = end
        while source[after : after + 1] in (b" ", b"\t"):
            after += 1
        at_start = before == 0 or source[before - 1 : before] == b"\n"
        at_end = after == len(source) or source[after : after + 1] == b"\n"
        continued = source[before - 2 : before] == b"\\\n"
        if at_start and at_end and not continued:
            yield Edit(before, min(after + 1, len(source)), b"")
        elif at_end:
            yield Edit(before, end, b"")
        else:
            yield Edit(start, end, b" " if before == start and after == end else b"")
