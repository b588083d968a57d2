"""The names of a text: what it declares, what is known already, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sk2d.c.inference.constraints import Flow
from sk2d.c.inference.solver import Solver
from sk2d.c.inference.syntax import Unit
from sk2d.c.inference.types import Enum, Function, Kind, Pointer, Record, Type, Unknown


@dataclass(slots=True)
class Symbol:
    """A declared name.

    Attributes:
        type: Its type, or the type that it names.
        is_type: Whether it is a typedef.
        constant: Whether it is a constant of an enum.
        standard: Whether the standard declares it.
    """

    type: Type
    is_type: bool = False
    constant: bool = False
    standard: bool = False


@dataclass(slots=True)
class Missing:
    """A name that the text uses and nothing declares.

    Attributes:
        name: The name.
        type: Its type.
        line: Where it is used first.
        function: Its type as a function, once it is called.
        assigned: Whether it is assigned, so that it is a variable.
        addressed: Whether its address is taken.
        constant: Whether it has to be a constant expression.
        width: Whether it is the width of a bit-field.
        text: Whether it stands between string literals.
        braces: Whether it initialises an array or struct by itself.
        macro: How it is used where only a macro can be: `type`, `statement`, `loop` or `place`.
        called: Whether it is called.
        results: What each call of such a macro gives.
        defined: Storage class of its definition further down, "" for none, None if there is none.
    """

    name: str
    type: Type
    line: int
    function: Function | None = None
    assigned: bool = False
    addressed: bool = False
    constant: bool = False
    width: bool = False
    text: bool = False
    braces: bool = False
    macro: str = ""
    called: bool = False
    results: list[Type] = field(default_factory=list)
    defined: str | None = None


@dataclass(slots=True)
class Scope:
    """The names and tags of a block."""

    names: dict[str, Symbol] = field(default_factory=dict)
    tags: dict[str, Record | Enum] = field(default_factory=dict)


class Context:
    """The scopes around a place in the text, and all that was found missing.

    Args:
        unit: The text.
        known: What is declared before it.
        origin: Where the declarations of the text come from: `code` or `standard`.
        quiet: Macros that are defined and whose values may be anything.
    """

    def __init__(
        self,
        unit: Unit,
        known: Scope,
        origin: str = "code",
        quiet: frozenset[str] = frozenset(),
    ) -> None:
        self.unit = unit
        self.quiet = quiet
        self.origin = origin
        self.solver = Solver()
        self.scopes = [known, Scope()]
        self.missing: dict[str, Missing] = {}
        self.typedefs: dict[str, Unknown] = {}
        self.tags: dict[str, Record | Enum] = {}
        self.function: Function | None = None
        self.constant = False
        self.later: dict[str, Type] = {}
        self.calls: list[tuple[Function, list[Flow]]] = []

    @property
    def at_top(self) -> bool:
        """Whether this is outside of all functions."""
        return len(self.scopes) == 2

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a block."""
        self.scopes.append(Scope())
        yield
        self.scopes.pop()

    @contextmanager
    def constants(self, needed: bool = True) -> Iterator[None]:
        """Say that only constant expressions may stand here."""
        before, self.constant = self.constant, needed
        yield
        self.constant = before

    def find(self, name: str) -> Symbol | None:
        """Find a declared name."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        return None

    def find_tag(self, tag: str) -> Record | Enum | None:
        """Find a declared tag."""
        for scope in reversed(self.scopes):
            if tag in scope.tags:
                return scope.tags[tag]
        return None

    def declare(self, name: str | None, type: Type, **marks: bool) -> None:
        """Declare a name in the innermost scope; an undeclared use before it gets this type."""
        if name is None:
            return
        standard = self.origin == "standard"
        self.scopes[-1].names[name] = Symbol(type, standard=standard, **marks)
        if self.at_top and name in self.missing:
            self.later[name] = type

    def miss(self, name: str, line: int) -> Missing:
        """Give the entry of a name that nothing declares."""
        if name not in self.missing:
            type = self.solver.unknown("variable")
            self.solver.restrict(type, ~Kind.VOID)
            self.missing[name] = Missing(name, type, line)
        entry = self.missing[name]
        entry.constant |= self.constant
        return entry

    def typedef(self, name: str) -> Unknown:
        """Give the type that an undeclared typedef name stands for."""
        if name not in self.typedefs:
            self.typedefs[name] = self.solver.unknown("typedef", name)
        return self.typedefs[name]

    def finish(self) -> None:
        """Settle what the called names are, once all their uses are known."""
        for entry in self.missing.values():
            if entry.name in self.later:
                self.solver.demand(entry.type, self.later[entry.name], entry.line)
            if entry.function is None or entry.macro:
                continue
            type: Type = entry.function
            if entry.assigned:
                type = Pointer(type)
            self.solver.demand(entry.type, type, entry.line)
        for function, flows in self.calls:
            fixed = min(*function.arities, function.cut)
            for flow in flows[:fixed]:
                flow.target = function.parameters[flow.place]
                self.solver.say(flow)
