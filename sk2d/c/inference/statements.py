"""What statements and whole functions say about types."""

from __future__ import annotations

from typing import Any, Final

from sk2d.c.inference.calls import CallRules
from sk2d.c.inference.operands import OPERAND, OperandRules, Value
from sk2d.c.inference.syntax import (
    Assembly,
    Assign,
    Binary,
    Block,
    Braces,
    Call,
    Case,
    Cast,
    Compound,
    Conditional,
    Declaration,
    Evaluate,
    Expression,
    FunctionDefinition,
    Generic,
    If,
    Index,
    Jump,
    LabelAddress,
    Loop,
    MacroUse,
    Member,
    Name,
    Number,
    OffsetOf,
    Return,
    SizeOf,
    Statement,
    StatementExpression,
    Switch,
    Text,
    Unary,
    VaArg,
)
from sk2d.c.inference.types import INT, VOID, Function, Kind, Type, resolve


class Rules(CallRules):
    """Walks a whole text."""

    def unit_rules(self) -> None:
        """Take in everything that the text declares and does."""
        for item in self.unit.items:
            self.statement(item)
        self.finish()

    def statement(self, statement: Statement) -> None:
        """Take in a statement."""
        _STATEMENTS[type(statement)](self, statement)

    def _evaluate(self, s: Evaluate) -> None:
        if s.value is not None:
            self.evaluate(s.value)

    def _block(self, s: Block) -> None:
        with self.scope():
            for item in s.items:
                self.statement(item)

    def _if(self, s: If) -> None:
        self.value(s.test, OPERAND)
        self.statement(s.then)
        if s.other is not None:
            self.statement(s.other)

    def _loop(self, s: Loop) -> None:
        with self.scope():
            if s.first is not None:
                self.statement(s.first)
            if s.test is not None:
                self.value(s.test, OPERAND)
            if s.step is not None:
                self.evaluate(s.step)
            self.statement(s.body)

    def _switch(self, s: Switch) -> None:
        self.value(s.test, Kind.INTEGER)
        self.statement(s.body)

    def _case(self, s: Case) -> None:
        with self.constants():
            self.value(s.value, Kind.INTEGER)
            if s.high is not None:
                self.value(s.high, Kind.INTEGER)
        self.statement(s.body)

    def _return(self, s: Return) -> None:
        if s.value is None:
            return
        assert self.function is not None, "only functions hold statements"
        result = self.function.result
        if resolve(result) is VOID:
            self.evaluate(s.value)
        else:
            self.flow(result, self.value(s.value), s.line)

    def _jump(self, s: Jump) -> None:
        self.value(s.target, Kind.POINTER)

    def _assembly(self, s: Assembly) -> None:
        for operand in s.operands:
            self.value(operand)

    def _macro(self, s: MacroUse) -> None:
        entry = self.miss(s.name, s.line)
        entry.called |= s.called
        entry.macro = "loop" if s.body is not None else entry.macro or "statement"
        if s.body is not None:
            self.statement(s.body)

    def _function_definition(self, s: FunctionDefinition) -> None:
        type = self.convert(s.type)
        assert isinstance(type, Function), "a definition is of a function"
        known = self.find(s.name)
        self.declare(s.name, type)
        if s.name in self.missing:
            self.missing[s.name].defined = s.storage or ""
        elif known is not None and not known.standard:
            self.solver.attempt(known.type, type)
        if self.origin == "standard":
            return
        self.function = type
        with self.scope():
            self._parameters(s, type)
            self._block(s.body)
        self.function = None

    def _parameters(self, s: FunctionDefinition, type: Function) -> None:
        for parameter, found in zip(s.type.parameters or (), type.parameters, strict=True):
            self.solver.need(found, ~(Kind.VOID | Kind.FUNCTION), s.line)
            self.solver.complete(found)
            self.declare(parameter.name, found)
        declared: dict[str, Type] = {}
        for declaration in s.parameters:
            base = self.convert(declaration.type)
            for one in declaration.declarators:
                same = one.type is declaration.type
                declared[one.name or ""] = base if same else self.parameter(one.type)
        for name in s.type.names:
            self.declare(name, declared.get(name, INT))
            self.solver.complete(declared.get(name, INT))

    def _statement_expression(self, e: StatementExpression) -> Value:
        with self.scope():
            for item in e.body.items[:-1]:
                self.statement(item)
            last = e.body.items[-1] if e.body.items else None
            if isinstance(last, Evaluate) and last.value is not None:
                return self.evaluate(last.value)
            if last is not None:
                self.statement(last)
        return Value(VOID)


_EXPRESSIONS: Final[dict[type[Expression], Any]] = {
    Name: Rules._name,
    Number: Rules._number,
    Text: Rules._text,
    Unary: Rules._unary,
    Binary: Rules._binary,
    Assign: Rules._assign,
    Conditional: Rules._conditional,
    Call: Rules._call,
    Member: Rules._member,
    Index: Rules._index,
    Cast: Rules._cast,
    SizeOf: Rules._size,
    Compound: Rules._compound,
    StatementExpression: Rules._statement_expression,
    LabelAddress: Rules._label,
    Generic: Rules._generic,
    VaArg: Rules._va_arg,
    OffsetOf: Rules._offset,
    Braces: Rules._braces,
}
OperandRules._rules = _EXPRESSIONS

_STATEMENTS: Final[dict[type[Statement], Any]] = {
    Evaluate: Rules._evaluate,
    Block: Rules._block,
    If: Rules._if,
    Loop: Rules._loop,
    Switch: Rules._switch,
    Case: Rules._case,
    Return: Rules._return,
    Jump: Rules._jump,
    Assembly: Rules._assembly,
    MacroUse: Rules._macro,
    Declaration: Rules.declaration,
    FunctionDefinition: Rules._function_definition,
}
