"""From types as they are written to types as they are, and what declarations say."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sk2d.c.inference.context import Context
from sk2d.c.inference.syntax import (
    ArrayOf,
    Builtin,
    Declaration,
    Declarator,
    EnumSyntax,
    Expression,
    FunctionOf,
    Name,
    Named,
    Number,
    PointerTo,
    RecordSyntax,
    TypeOf,
    TypeSyntax,
)
from sk2d.c.inference.types import (
    ANYTHING,
    BASIC,
    INT,
    Alias,
    Array,
    Enum,
    Function,
    Kind,
    Pointer,
    Record,
    Type,
    resolve,
)
from sk2d.errors import Reason, SourceError

OBJECT = ANYTHING & ~Kind.VOID & ~Kind.FUNCTION


class DeclarationRules(Context, ABC):
    """Turns written types into types."""

    @abstractmethod
    def type_of(self, expression: Expression) -> Type:
        """Give the type of an expression, as `typeof` does."""

    @abstractmethod
    def initialize(self, type: Type, value: Expression) -> None:
        """Say that a value initialises an object."""

    # Types.

    def convert(self, syntax: TypeSyntax) -> Type:
        """Give the type that is written.

        Args:
            syntax: A type as it is written.

        Returns:
            The type.
        """
        if isinstance(syntax, Builtin):
            return self._basic(syntax)
        if isinstance(syntax, Named):
            return self._named(syntax)
        if isinstance(syntax, PointerTo):
            return Pointer(self.convert(syntax.to), syntax.const)
        if isinstance(syntax, RecordSyntax):
            return self._record(syntax)
        if isinstance(syntax, ArrayOf):
            return self._array(syntax)
        if isinstance(syntax, FunctionOf):
            return self._function(syntax)
        if isinstance(syntax, EnumSyntax):
            return self._enum(syntax)
        assert isinstance(syntax, TypeOf), "no other type can be written"
        operand = syntax.operand
        if isinstance(operand, TypeSyntax):
            return self.convert(operand)
        return self.solver.unknown("variable") if operand is None else self.type_of(operand)

    def _basic(self, syntax: Builtin) -> Type:
        if syntax.name == "implicit int":
            where = f"line {syntax.line}"
            raise SourceError(Reason.UNSUPPORTED, "a declaration without a type", where=where)
        return BASIC.get(syntax.name, INT)

    def _named(self, syntax: Named) -> Type:
        symbol = self.find(syntax.name)
        if symbol is None:
            return self.typedef(syntax.name)
        if not symbol.is_type:
            what = f"{syntax.name} is used as a type and as a value"
            raise SourceError(Reason.NAME_CLASH, what, where=f"line {syntax.line}")
        return symbol.type

    def _array(self, syntax: ArrayOf) -> Type:
        of = self.convert(syntax.of)
        self.solver.need(of, OBJECT, syntax.line)
        self.solver.complete(of)
        size = ""
        if syntax.size is not None:
            with self.constants():
                self.solver.need(self.type_of(syntax.size), Kind.INTEGER, syntax.line)
            size = _size_text(syntax.size)
        return Array(of, size)

    def _function(self, syntax: FunctionOf) -> Function:
        result = self.convert(syntax.result)
        parameters = []
        for parameter in syntax.parameters or ():
            parameters.append(self.parameter(parameter.type))
        return Function(result, parameters, syntax.variadic, syntax.parameters is not None)

    def parameter(self, syntax: TypeSyntax) -> Type:
        """Give the type of a parameter: arrays and functions are pointers there."""
        type = self.convert(syntax)
        found = resolve(type)
        if isinstance(found, Array):
            return Pointer(found.of)
        return Pointer(found) if isinstance(found, Function) else type

    # Structs, unions and enums.

    def _record(self, syntax: RecordSyntax) -> Record:
        if syntax.members is None:
            assert syntax.tag is not None, "the parser demands a tag or members"
            found = self.find_tag(syntax.tag)
            if found is None:
                found = self.tags.setdefault(
                    syntax.tag, Record(syntax.keyword, syntax.tag, origin=self._fresh_origin())
                )
            if not isinstance(found, Record):
                what = f"{syntax.tag} is the tag of an enum and of a {syntax.keyword}"
                raise SourceError(Reason.NAME_CLASH, what, where=f"line {syntax.line}")
            return found
        record = self._new_record(syntax)
        self._fill(record, syntax.members)
        return record

    def _fresh_origin(self) -> str:
        return "inferred" if self.origin == "code" else self.origin

    def _new_record(self, syntax: RecordSyntax) -> Record:
        """Make the record that is defined here; uses before it were of this one."""
        record = self.tags.get(syntax.tag) if syntax.tag and self.at_top else None
        if not isinstance(record, Record):
            record = Record(syntax.keyword, syntax.tag)
        self.tags.pop(syntax.tag or "", None)
        record.origin = self.origin
        record.visible = self.at_top and syntax.tag is not None
        if syntax.tag is not None:
            self.scopes[-1].tags[syntax.tag] = record
        return record

    def _fill(self, record: Record, members: list[Declaration]) -> None:
        early = record.members
        record.members = {}
        for declaration in members:
            base = self.convert(declaration.type)
            if not declaration.declarators:
                record.members[f" {len(record.members)}"] = base
            for found in declaration.declarators:
                self._declare_member(record, base, declaration, found)
        record.has_body = True
        for name, type in early.items():
            if name not in record.members:
                self.solver.conflict(f"no member {name}", members[0].line if members else 1)
            self.solver.demand(record.members[name], type, members[0].line)

    def _declare_member(
        self, record: Record, base: Type, declaration: Declaration, found: Declarator
    ) -> None:
        type = base if found.type is declaration.type else self.convert(found.type)
        if not isinstance(resolve(type), Function):
            self.solver.need(type, OBJECT, found.line)
            self.solver.complete(type)
        record.members[found.name or f" {len(record.members)}"] = type
        if found.bits is not None:
            with self.constants():
                self.type_of(found.bits)
            if isinstance(found.bits, Name) and found.bits.name in self.missing:
                self.missing[found.bits.name].width = True

    def _enum(self, syntax: EnumSyntax) -> Type:
        if syntax.constants is None:
            assert syntax.tag is not None, "the parser demands a tag or constants"
            found = self.find_tag(syntax.tag)
            if found is None:
                origin = self._fresh_origin()
                found = self.tags.setdefault(syntax.tag, Enum(syntax.tag, origin))
            return found
        made = Enum(syntax.tag, self.origin, self.at_top and syntax.tag is not None)
        if syntax.tag is not None:
            self.scopes[-1].tags[syntax.tag] = made
        for name, value in syntax.constants:
            if value is not None:
                with self.constants():
                    self.type_of(value)
            self.declare(name, INT, constant=True)
        return made

    # Declarations.

    def declaration(self, syntax: Declaration) -> None:
        """Take in a declaration."""
        base = self.convert(syntax.type)
        shared = syntax.type
        for found in syntax.declarators:
            if isinstance(shared, TypeOf) and shared.operand is None and found.value is not None:
                base = self.type_of(found.value)
            type = self._declared_type(shared, base, found.type)
            if syntax.storage == "typedef":
                self.declare(found.name, Alias(found.name or "", type, self.origin), is_type=True)
            else:
                self._object(syntax.storage, found, type)

    def _declared_type(self, shared: TypeSyntax, base: Type, syntax: TypeSyntax) -> Type:
        """Convert a declarator's type, the specifiers' part of which is converted already."""
        if syntax is shared:
            return base
        if isinstance(syntax, PointerTo):
            return Pointer(self._declared_type(shared, base, syntax.to), syntax.const)
        if isinstance(syntax, ArrayOf):
            inner = self._declared_type(shared, base, syntax.of)
            array = self._array(ArrayOf(syntax.line, _HOLE, syntax.size))
            assert isinstance(array, Array), "an array was asked for"
            self.solver.need(inner, OBJECT, syntax.line)
            self.solver.complete(inner)
            return Array(inner, array.size)
        assert isinstance(syntax, FunctionOf), "declarators make no other types"
        result = self._declared_type(shared, base, syntax.result)
        made = self._function(
            FunctionOf(syntax.line, _HOLE, syntax.parameters, syntax.variadic, syntax.names)
        )
        made.result = result
        return made

    def _object(self, storage: str | None, found: Declarator, type: Type) -> None:
        self.declare(found.name, type)
        if self.at_top and found.name in self.missing:
            self.missing[found.name].defined = storage or ""
        if isinstance(resolve(type), Function):
            return
        self.solver.need(type, OBJECT, found.line)
        if storage != "extern":
            self.solver.complete(type)
        if found.value is not None:
            with self.constants(self.constant or self.at_top or storage == "static"):
                self.initialize(type, found.value)


_HOLE = Builtin(0, "int")


def _size_text(size: Expression) -> str:
    """Give an array size as it may be printed in a header: plain numbers only."""
    return size.text if isinstance(size, Number) else ""
