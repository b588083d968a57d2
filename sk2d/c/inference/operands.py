"""Values and where they go; names, constants, members and elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from sk2d.c.inference.conditions import number_value
from sk2d.c.inference.constraints import (
    Flow,
    Weight,
)
from sk2d.c.inference.declarations import DeclarationRules
from sk2d.c.inference.solver import NotStandard
from sk2d.c.inference.syntax import (
    Expression,
    Index,
    Member,
    Name,
    Number,
    OffsetOf,
    Text,
)
from sk2d.c.inference.types import (
    BASIC,
    INT,
    SCALAR,
    VALUE,
    Array,
    Basic,
    Function,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
    decayed,
    resolve,
)
from sk2d.c.inference.unify import Clash

OPERAND: Final = SCALAR | Kind.ARRAY | Kind.FUNCTION
SOMETHING: Final = VALUE | Kind.ARRAY | Kind.FUNCTION
_OWN_NAMES: Final = frozenset(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"])


class Value(NamedTuple):
    """The type of an expression, and what else matters of it.

    Attributes:
        type: Its type.
        null: Whether it is a null pointer constant.
        literal: Whether it is made of constants in the text alone.
        source: The standard function whose result it is.
    """

    type: Type
    null: bool = False
    literal: bool = False
    source: str = ""


class OperandRules(DeclarationRules):
    """Gives operands their types."""

    _rules: ClassVar[Mapping[type[Expression], Callable[[Any, Any], Value]]] = {}
    """Which rule is for which expression; filled by the last class of the chain."""

    def evaluate(self, e: Expression) -> Value:
        """Give the value of an expression, which may be void.

        Args:
            e: An expression.

        Returns:
            Its value.
        """
        rule = self._rules[type(e)]
        return rule(self, e)

    def type_of(self, expression: Expression) -> Type:
        """Give the type of an expression, as `typeof` does."""
        return self.evaluate(expression).type

    def value(self, e: Expression, kinds: Kind = SOMETHING) -> Value:
        """Give the value of an expression that is used."""
        found = self.evaluate(e)
        self.solver.need(found.type, kinds, e.line)
        self.solver.complete(found.type)
        return found

    def flow(
        self,
        target: Type,
        value: Value,
        line: int,
        weight: Weight = Weight.ASSIGNED,
        *,
        soft: bool = False,
    ) -> None:
        """Say that a value goes where another type is."""
        flow = self.make_flow(target, value, line)
        flow.weight, flow.soft = weight, soft
        self.solver.say(flow)

    def make_flow(self, target: Type, value: Value, line: int) -> Flow:
        """Make the constraint that a value goes where another type is."""
        for side in (resolve(target), resolve(value.type)):
            if isinstance(side, Unknown) and side.name and not side.moved:
                self.solver.set(side, "moved", True)
        flow = Flow(line, target, value.type, null=value.null, literal=value.literal)
        flow.source = value.source
        return flow

    def _name(self, e: Name) -> Value:
        symbol = self.find(e.name)
        if symbol is not None:
            if symbol.is_type:
                self.solver.conflict(f"the type {e.name} is used as a value", e.line)
            return Value(symbol.type)
        if e.name in _OWN_NAMES:
            return Value(Pointer(BASIC["char"], const=True))
        return Value(self.miss(e.name, e.line).type)

    def _number(self, e: Number) -> Value:
        type = number_type(e.text)
        return Value(type, null=number_value(e.text) == 0, literal=True)

    def _text(self, e: Text) -> Value:
        for piece in e.pieces:
            if not piece.endswith('"'):
                entry = self.miss(piece.removesuffix("()"), e.line)
                entry.text = True
                entry.called |= piece.endswith("()")
        wide = e.pieces[0].startswith(("L", "U", "u")) and not e.pieces[0].startswith("u8")
        return Value(Pointer(INT if wide else BASIC["char"]))

    def target(self, type: Type, line: int) -> Type:
        """Give what a pointer of this type points to.

        Args:
            type: Type of an operand of `*` or `[]`.
            line: Where.

        Returns:
            The type behind it.
        """
        found = resolve(decayed(type))
        if isinstance(found, Pointer):
            behind = resolve(found.to)
            return found if isinstance(behind, Function) and found is not type else found.to
        element = self.solver.unknown("element")
        self.solver.demand(type, Pointer(element), line)
        return element

    def _refuse_functions(self, *operands: Expression) -> None:
        """Say that what has the name of a standard function is none if it is used as a number."""
        for e in operands:
            symbol = self.find(e.name) if isinstance(e, Name) else None
            if symbol and symbol.standard and isinstance(resolve(symbol.type), Function):
                assert isinstance(e, Name), "only a name has a symbol"
                raise NotStandard(e.name)

    def _member(self, e: Member) -> Value:
        value = self.evaluate(e.object)
        type = value.type
        self._refuse_functions(e.object)
        record = self._record_behind(type, e) if e.arrow else self._record_of(type, e.line)
        return Value(self.member(record, e.name, e.line))

    def _record_behind(self, type: Type, e: Member) -> Record:
        found = resolve(decayed(type))
        if isinstance(found, Pointer):
            return self._record_of(found.to, e.line)
        made = Record("struct")
        self.solver.demand(type, Pointer(made), e.line)
        behind = resolve(made)
        assert isinstance(behind, Record), "a record is bound to records only"
        return behind

    def _record_of(self, type: Type, line: int) -> Record:
        found = resolve(type)
        if not isinstance(found, Record):
            made = Record("struct")
            self.solver.demand(type, made, line)
            found = resolve(made)
        assert isinstance(found, Record), "a record is bound to records only"
        return found

    def member(self, record: Record, name: str, line: int) -> Type:
        """Give the type of a member, which an inferred record gets when it has none.

        Args:
            record: The record.
            name: Name of the member.
            line: Where it is used.

        Returns:
            Its type.

        Raises:
            NotStandard: A standard record has no such member, so this is not that record.
        """
        found = find_member(record, name)
        if found is not None:
            return found
        type = self.solver.unknown("member")
        self.solver.need(type, ~Kind.VOID, line)
        try:
            self.solver.add_member(record, name, type)
        except Clash:
            if record.origin == "standard" and (record.tag or record.owner):
                raise NotStandard(record.tag or record.owner or "") from None
            self.solver.conflict(f"no member {name}", line)
        return type

    def _index(self, e: Index) -> Value:
        self._refuse_functions(e.object, e.index)
        left, right = self.value(e.object), self.value(e.index)
        if isinstance(resolve(decayed(right.type)), Pointer) and not isinstance(
            resolve(decayed(left.type)), Pointer
        ):
            left, right = right, left
        self.solver.need(right.type, Kind.INTEGER, e.line)
        element = self.target(left.type, e.line)
        self.solver.complete(element)
        return Value(element)

    def _offset(self, e: OffsetOf) -> Value:
        record = self._record_of(self.convert(e.type), e.line)
        self._path(record, e.path)
        return Value(BASIC["unsigned long"])

    def _path(self, record: Record, path: Expression) -> Type:
        """Follow the members in `offsetof(type, a.b[1])`."""
        if isinstance(path, Name):
            return self.member(record, path.name, path.line)
        if isinstance(path, Index):
            array = self._path(record, path.object)
            self.value(path.index, Kind.INTEGER)
            found = resolve(array)
            if isinstance(found, Array):
                return found.of
            made = Array(self.solver.unknown("element"), "1")
            self.solver.demand(array, made, path.line)
            return made.of
        assert isinstance(path, Member), "a path has names, members and elements"
        return self.member(
            self._record_of(self._path(record, path.object), path.line), path.name, path.line
        )


def find_member(record: Record, name: str) -> Type | None:
    """Find a member, also inside anonymous ones.

    Args:
        record: A record.
        name: The name of the member.

    Returns:
        Its type, or None.
    """
    if name in record.members:
        return record.members[name]
    if record.origin == "inferred":
        return None  # nothing in a use tells of an anonymous member
    for key, type in record.members.items():
        if key.startswith(" ") and isinstance(inner := resolve(type), Record):
            found = find_member(inner, name)
            if found is not None:
                return found
    return None


def number_type(text: str) -> Basic:
    """Give the type of a constant.

    Args:
        text: The constant.

    Returns:
        Its type.
    """
    lower = text.lower()
    if "'" in lower:
        return INT
    hexadecimal = lower.startswith("0x")
    if "." in lower or ("p" in lower if hexadecimal else "e" in lower):
        suffix = lower[-1]
        return BASIC[{"f": "float", "l": "long double"}.get(suffix, "double")]
    digits = lower.rstrip("ulzi")
    suffix = lower[len(digits) :]
    value = number_value(text) or 0
    unsigned = "unsigned " if "u" in suffix else ""
    if "l" in suffix or value > 0xFFFFFFFF or (value > 0x7FFFFFFF and not hexadecimal):
        long = "unsigned long" if value > 0x7FFFFFFFFFFFFFFF else f"{unsigned}long"
        return BASIC[long + " long" if "ll" in suffix else long]
    if value > 0x7FFFFFFF:
        return BASIC["unsigned int"]
    return BASIC[f"{unsigned}int"]
