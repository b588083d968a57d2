"""Which identifier of a C text stands for what: its kind, its scope, its declaration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from sk2d.c.naming.cursor import WrongSyntaxError
from sk2d.c.naming.hiding import levels
from sk2d.c.naming.ledger import Entry, FunctionNote, Kind, Ledger, Namespace
from sk2d.c.naming.lexemes import Lexemes, lex
from sk2d.c.naming.reading import read
from sk2d.c.parse import MAX_DEPTH, Tree, decode, encode, room_for_recursion
from sk2d.errors import Reason, SourceError


class Occurrence(NamedTuple):
    """A place of an identifier, in bytes of the source.

    Attributes:
        start: Its first byte.
        end: The byte behind it.
        name: Its text.
        kind: What it stands for.
        symbol: Index into `Names.symbols`.
    """

    start: int
    end: int
    name: str
    kind: Kind
    symbol: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """An entity that has a name in the text.

    Attributes:
        name: The name.
        kind: What it is. Tags are types; parameters, constants and object-like macros are
            variables; function-like macros are functions.
        namespace: The namespace of C that the name is in.
        declared: Whether the text declares it.
        local: Whether it is declared in a block or prototype.
        scope: Which scope it is declared in: equal numbers are the same one.
        defined: Whether the function's body, or the body behind the tag, stands in the text.
        static: Whether it is declared `static`.
        macro: Whether the text defines it as a macro.
        roles: Ways in which it is used (see `sk2d.c.naming.ledger`).
        level: How many entities of this name it hides; those of one level are never seen together.
    """

    name: str
    kind: Kind
    namespace: Namespace
    declared: bool
    local: bool
    scope: int
    defined: bool
    static: bool
    macro: bool
    roles: int
    level: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition, in bytes of the source.

    Attributes:
        name: Its name.
        symbol: Index of its symbol.
        start: First byte of the definition.
        name_start: First byte of the name.
        body_start: The brace that opens the body.
        end: The byte behind the brace that closes it.
        parameters: Names of the parameters; those without a name are left out.
        static: Whether it is declared `static`.
    """

    name: str
    symbol: int
    start: int
    name_start: int
    body_start: int
    end: int
    parameters: tuple[str, ...]
    static: bool


@dataclass(frozen=True)
class Names:
    """The names of a text.

    Attributes:
        occurrences: All identifiers that stand for something, in the order of the text.
        symbols: What they stand for.
        functions: The function definitions on file level, in the order of the text.
        comments: Where comments begin and end, in bytes.
    """

    occurrences: list[Occurrence]
    symbols: list[Symbol]
    functions: list[Function]
    comments: list[tuple[int, int]] = field(default_factory=list)

    @property
    def types(self) -> frozenset[str]:
        """Names that are types on their own (tags are not)."""
        ordinary = (s for s in self.symbols if s.namespace == "ordinary")
        return frozenset(s.name for s in ordinary if s.kind == "type")


def resolve(tree: Tree) -> Names:
    """Find out what each identifier of a text stands for.

    Scopes, the namespaces of C (ordinary names, tags, members, labels) and the kind of each name
    are told apart. Where C leaves open how to read a place as long as a name is not declared
    (`(a)(b)`, `a * b;`), the name's other uses decide. All branches of `#if` are read. Names in
    preprocessor lines are found too; those in attributes and labels of `asm` are left alone.

    Args:
        tree: A text; tree-sitter's errors do not matter.

    Returns:
        The names.

    Raises:
        SourceError: `syntax_error` or `too_deep`.
    """
    text = decode(tree.source)
    lexemes = lex(text)
    try:
        with room_for_recursion(Tree(tree.source, tree.root, 2 * MAX_DEPTH)):
            ledger, places = read(lexemes)
    except WrongSyntaxError as wrong:
        where = _where(text, lexemes, wrong.token)
        raise SourceError(Reason.SYNTAX_ERROR, wrong.what, where=where) from None
    return _Result(text, tree.source, lexemes).names(ledger, places)


def _where(text: str, lexemes: Lexemes, token: int) -> str:
    start = lexemes.starts[token] if lexemes.starts else 0
    line_start = text.rfind("\n", 0, start) + 1
    return f"line {text.count(chr(10), 0, start) + 1}, column {start - line_start + 1}"


class _Result:
    """Turns what was read into names with places in bytes."""

    def __init__(self, text: str, source: bytes, lexemes: Lexemes) -> None:
        self.text = text
        self.lexemes = lexemes
        self.plain = len(text) == len(source)
        self.symbols: list[Symbol] = []
        self.numbers: dict[Entry, int] = {}
        self.levels: dict[Entry, int] = {}
        self._known = (0, 0)

    def names(self, ledger: Ledger, places: list[tuple[int, Entry]]) -> Names:
        """Write down what the reader found, in the order of the text."""
        self.levels = levels(ledger)
        occurrences: list[Occurrence] = []
        for start, entry in places:
            root = entry.root()
            number = self.number(root)
            at, name = self.byte(start), root.name
            size = len(name) if name.isascii() else len(encode(name))
            occurrences.append(Occurrence(at, at + size, name, root.kind, number))
        notes = sorted(ledger.functions.values(), key=lambda note: note.name)
        once = {note.end: note for note in reversed(notes)}  # two heads may have one body
        functions = [self.function(note) for note in reversed(once.values())]
        comments = [(self.byte(a), self.byte(b)) for a, b in self.lexemes.comments]
        return Names(occurrences, self.symbols, functions, comments)

    def number(self, root: Entry) -> int:
        """Give the index of an entity's symbol."""
        number = self.numbers.get(root)
        if number is None:
            number = self.numbers[root] = len(self.symbols)
            self.symbols.append(
                Symbol(
                    root.name,
                    root.kind,
                    root.namespace,
                    root.declared,
                    root.local,
                    root.scope,
                    root.defined,
                    root.static,
                    bool(root.macro),
                    root.roles,
                    self.levels.get(root, 0),
                )
            )
        return number

    def byte(self, index: int) -> int:
        """Turn the index of a character into that of a byte; indices come mostly in order."""
        if self.plain:
            return index
        seen, byte = self._known if self._known[0] <= index else (0, 0)
        byte += len(encode(self.text[seen:index]))
        self._known = (index, byte)
        return byte

    def function(self, note: FunctionNote) -> Function:
        """Give a definition with its places in bytes."""
        starts = self.lexemes.starts
        return Function(
            note.entry.name,
            self.number(note.entry.root()),
            self.byte(starts[note.start]),
            self.byte(starts[note.name]),
            self.byte(starts[note.body]),
            self.byte(starts[note.end]) + 1,
            tuple(entry.name for entry in note.parameters),
            note.entry.static,
        )
