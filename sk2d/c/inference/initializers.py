"""What initialisers say about the objects that they initialise."""

from __future__ import annotations

from sk2d.c.inference.expressions import ExpressionRules
from sk2d.c.inference.operands import find_member
from sk2d.c.inference.syntax import Braces, Expression, Name, Text
from sk2d.c.inference.types import Array, Kind, Record, Type, Unknown, resolve


class InitializerRules(ExpressionRules):
    """Walks initialisers together with the types of what they initialise."""

    def initialize(self, type: Type, value: Expression) -> None:
        """Say that a value initialises an object."""
        if isinstance(value, Braces):
            self._aggregate(type, value)
            return
        found = resolve(type)
        if isinstance(found, Array):
            if isinstance(value, Name) and self.find(value.name) is None:
                self.miss(value.name, value.line).braces = True
            else:
                self.evaluate(value)
            return
        self.flow(type, self.value(value), value.line)

    def _aggregate(self, type: Type, braces: Braces) -> None:
        self.solver.complete(type)
        found = resolve(type)
        if isinstance(found, Unknown):
            found = self._guess(found, braces)
        if isinstance(found, Array):
            for path, value in braces.items:
                self._element(found.of, path, value)
        elif isinstance(found, Record):
            self._members(found, braces)
        elif isinstance(found, Unknown):
            self.solver.set(found, "addressed", True)
            for _, value in braces.items:
                self.value(value)
        else:
            for _, value in braces.items[:1]:
                self.initialize(type, value)

    def _guess(self, unknown: Unknown, braces: Braces) -> Type:
        """Decide what braces make of an unknown type; a single value says nothing."""
        items = braces.items
        first = items[0][0] if items else []
        nested = len(items) == 1 and isinstance(items[0][1], Braces)
        if first and not isinstance(first[0], str) and unknown.name is None:
            self.solver.demand(
                unknown, Array(self.solver.unknown("element"), str(len(items))), braces.line
            )
        elif (first and isinstance(first[0], str)) or len(items) > 1 or nested:
            self.solver.demand(unknown, Record("struct"), braces.line)
        return resolve(unknown)

    def _element(self, of: Type, path: list[str | Expression], value: Expression) -> None:
        if path and not isinstance(path[0], str):
            with self.constants():
                self.value(path[0], Kind.INTEGER)
        self._inside(of, path[1:], value)

    def _inside(self, type: Type, path: list[str | Expression], value: Expression) -> None:
        """Initialise what the rest of a designator leads to."""
        if path:
            self._aggregate(type, Braces(value.line, [(path, value)]))
        elif isinstance(value, Braces):
            self._aggregate(type, value)
        else:
            self._leaf(type, value)

    def _leaf(self, type: Type, value: Expression) -> None:
        """Initialise by a single value; it may stand for the first leaf of an aggregate."""
        found = resolve(type)
        while isinstance(found, Array) and not isinstance(value, Text):
            type, found = found.of, resolve(found.of)
        if isinstance(found, Record | Array):
            self.value(value)
        else:
            self.flow(type, self.value(value), value.line, soft=True)

    def _members(self, record: Record, braces: Braces) -> None:
        place = 0
        for path, value in braces.items:
            if path and isinstance(path[0], str):
                member = self.member(record, path[0], braces.line)
                place = 1 + list(record.members).index(path[0]) if path[0] in record.members else 0
                self._inside(member, path[1:], value)
            elif find_member(record, "") is None:
                self._inside(self._member_at(record, place), [], value)
                place += 1

    def _member_at(self, record: Record, place: int) -> Type:
        """Give the member at a place; an inferred record gets as many as it needs."""
        if record.has_body or record.origin != "inferred":
            types = list(record.members.values())
            return types[place] if place < len(types) else self.solver.unknown("member")
        while len(record.positional) <= place:
            type = self.solver.unknown("member")
            self.solver.need(type, ~Kind.VOID, 0)
            self.solver.set(record, "positional", [*record.positional, type])
        return record.positional[place]
