"""What the operators of C say about their operands, one short rule each."""

from __future__ import annotations

from typing import Final

from sk2d.c.inference.constraints import (
    Choice,
    Conversion,
    Difference,
    Operation,
    Sum,
    Weight,
)
from sk2d.c.inference.operands import OPERAND, OperandRules, Value
from sk2d.c.inference.syntax import (
    Assign,
    Binary,
    Braces,
    Call,
    Cast,
    Compound,
    Conditional,
    Expression,
    Generic,
    LabelAddress,
    Member,
    Name,
    SizeOf,
    TypeSyntax,
    Unary,
    VaArg,
)
from sk2d.c.inference.types import (
    ARITHMETIC,
    BASIC,
    INT,
    SCALAR,
    VALUE,
    VOID,
    Basic,
    Kind,
    Pointer,
    Record,
    Unknown,
    kind_of,
    resolve,
)
from sk2d.errors import Reason, SourceError

_COMPARISONS: Final = frozenset(["==", "!=", "<", ">", "<=", ">="])
_INTEGER_OPERATORS: Final = frozenset(["%", "&", "|", "^", "<<", ">>"])


class ExpressionRules(OperandRules):
    """Gives expressions their types and says what they demand."""

    # Operators with one operand.

    def _unary(self, e: Unary) -> Value:
        if e.op == "*":
            return Value(self.target(self.evaluate(e.operand).type, e.line))
        if e.op == "&":
            return self._address(e.operand)
        if e.op in ("++", "--"):
            return self._step(e)
        self._refuse_functions(*[e.operand][e.op == "!" :])
        value = self.value(e.operand, OPERAND)
        if e.op == "!":
            return Value(INT, literal=value.literal)
        self.solver.need(value.type, Kind.INTEGER if e.op == "~" else ARITHMETIC, e.line)
        found = resolve(value.type)
        if isinstance(found, Basic) and found.kind is Kind.INTEGER and found.rank < INT.rank:
            return Value(INT, literal=value.literal)
        return Value(value.type, null=value.null and e.op != "~", literal=value.literal)

    def _address(self, operand: Expression) -> Value:
        value = self.evaluate(operand)
        found = resolve(value.type)
        if isinstance(found, Unknown):
            self.solver.set(found, "addressed", True)
        self._mark(operand, "addressed")
        return Value(Pointer(value.type))

    def _mark(self, e: Expression, what: str) -> None:
        """Note that an undeclared name is `assigned` or `addressed`."""
        while isinstance(e, Member) and not e.arrow:
            e = e.object
        if isinstance(e, Call) and isinstance(e.callee, Name) and e.callee.name in self.missing:
            self.missing[e.callee.name].macro = "place"
        if isinstance(e, Name) and e.name in self.missing:
            setattr(self.missing[e.name], what, True)

    def _step(self, e: Unary) -> Value:
        self._refuse_functions(e.operand)
        value = self.value(e.operand, SCALAR)
        self._mark(e.operand, "assigned")
        self.solver.say(Sum(e.line, value.type, INT, value.type, hinted=True))
        return Value(value.type)

    def _size(self, e: SizeOf) -> Value:
        if isinstance(e.operand, TypeSyntax):
            type = self.convert(e.operand)
        else:
            with self.constants(needed=False):
                type = self.evaluate(e.operand).type
        self.solver.complete(type)
        found = resolve(type)
        if isinstance(found, Unknown) and found.name:
            self.solver.set(found, "addressed", True)
        return Value(BASIC["unsigned long"])

    def _cast(self, e: Cast) -> Value:
        target = self.convert(e.type)
        value = self.evaluate(e.operand)
        found = resolve(target)
        if found is VOID:
            return Value(VOID)
        self.solver.complete(value.type)
        if isinstance(found, Record):
            self.solver.demand(target, value.type, e.line)
            return Value(target)
        self.solver.need(target, SCALAR | Kind.VOID, e.line)
        self.solver.need(value.type, OPERAND, e.line)
        self.solver.say(Conversion(e.line, target, value.type))
        is_void = isinstance(found, Pointer) and resolve(found.to) is VOID
        null = value.null and (is_void or kind_of(target) == Kind.INTEGER)
        return Value(target, null=null, literal=value.literal)

    # Operators with two operands.

    def _binary(self, e: Binary) -> Value:
        if e.op == ",":
            self.evaluate(e.left)
            return self.evaluate(e.right)
        if e.op in ("&&", "||"):
            self.value(e.left, OPERAND)
            self.value(e.right, OPERAND)
            return Value(INT)
        if e.op not in ("==", "!="):
            self._refuse_functions(e.left, e.right)
        left, right = self.value(e.left), self.value(e.right)
        if e.op in _COMPARISONS:
            return self._compare(e, left, right)
        return self._arithmetic(e.op, left, right, e.line)

    def _compare(self, e: Binary, left: Value, right: Value) -> Value:
        for side in (left, right):
            self.solver.need(side.type, OPERAND, e.line)
        if left.null or left.literal:
            left, right = right, left
        self.flow(left.type, right, e.line, weight=Weight.COMPARED)
        return Value(INT)

    def _arithmetic(self, op: str, left: Value, right: Value, line: int) -> Value:
        literal = left.literal and right.literal
        if op in _INTEGER_OPERATORS:
            self.solver.need(left.type, Kind.INTEGER, line)
            self.solver.need(right.type, Kind.INTEGER, line)
        elif op in ("*", "/"):
            self.solver.need(left.type, ARITHMETIC, line)
            self.solver.need(right.type, ARITHMETIC, line)
        else:
            self.solver.need(left.type, OPERAND, line)
            self.solver.need(right.type, OPERAND, line)
        result = self.solver.unknown("result of " + op)
        if op not in ("+", "-"):
            kinds = Kind.INTEGER if op in _INTEGER_OPERATORS else ARITHMETIC
            self.solver.need(result, kinds, line)
        rule = {"+": Sum, "-": Difference}.get(op, Operation)
        constraint = rule(line, left.type, right.type, result)
        if op in ("<<", ">>"):
            constraint = Operation(line, left.type, INT, result)
        self.solver.need(result, SCALAR, line)
        self.solver.step(constraint)
        return Value(result, literal=literal)

    def _assign(self, e: Assign) -> Value:
        self._refuse_functions(e.target)
        target = self.value(e.target, VALUE)
        self._mark(e.target, "assigned")
        with self.constants(needed=False):
            value = self.value(e.value)
        if e.op == "=":
            self.flow(target.type, value, e.line)
            return Value(target.type)
        op = e.op[:-1]
        if op in ("+", "-"):
            rule = Sum if op == "+" else Difference
            self.solver.need(target.type, SCALAR, e.line)
            self.solver.say(rule(e.line, target.type, value.type, target.type))
        else:
            self._arithmetic(op, target, value, e.line)
        return Value(target.type)

    def _conditional(self, e: Conditional) -> Value:
        test = self.value(e.test, OPERAND)
        then = test if e.then is None else self.evaluate(e.then)
        other = self.evaluate(e.other)
        result = self.solver.unknown("choice")
        nulls = (then.null, other.null)
        self.solver.step(Choice(e.line, then.type, other.type, result, nulls))
        return Value(result, null=all(nulls), literal=then.literal and other.literal)

    # Other expressions.

    def _compound(self, e: Compound) -> Value:
        type = self.convert(e.type)
        self.solver.complete(type)
        self.initialize(type, e.value)
        return Value(type)

    def _label(self, e: LabelAddress) -> Value:
        return Value(Pointer(VOID))

    def _generic(self, e: Generic) -> Value:
        self.evaluate(e.control)
        for type, _ in e.choices:
            if type is not None:
                self.convert(type)
        return [self.evaluate(choice) for _, choice in e.choices][0]

    def _va_arg(self, e: VaArg) -> Value:
        self.evaluate(e.list)
        type = self.convert(e.type)
        self.solver.need(type, ~(Kind.VOID | Kind.FUNCTION), e.line)
        self.solver.complete(type)
        return Value(type)

    def _braces(self, e: Braces) -> Value:
        where = f"line {e.line}"
        raise SourceError(Reason.SYNTAX_ERROR, "braces where no initialiser is", where=where)
