"""What calls say about functions and arguments."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.inference.constraints import Likeness, Weight
from sk2d.c.inference.context import Missing
from sk2d.c.inference.initializers import InitializerRules
from sk2d.c.inference.operands import SOMETHING, Value
from sk2d.c.inference.solver import NotStandard
from sk2d.c.inference.syntax import (
    Binary,
    Call,
    Expression,
    Name,
    Opaque,
    StatementExpression,
    Text,
    TypeArgument,
    Unary,
)
from sk2d.c.inference.types import (
    BASIC,
    INT,
    VOID,
    Function,
    Kind,
    Pointer,
    Type,
    Unknown,
    decayed,
    resolve,
)

_CONVERSION = re.compile(r"%[-+ #0']*(\*|\d+)?(?:\.(\*|\d+)?)?([hlLqjzt]*)([a-zA-Z%])")
_MACRO_ARGUMENTS: Final = (TypeArgument, Opaque)
_BUILTIN_RESULTS: Final = {
    "__builtin_expect": "long",
    "__builtin_object_size": "unsigned long",
    "__builtin_strlen": "unsigned long",
    "__builtin_fabs": "double",
    "__builtin_sqrt": "double",
    "__builtin_inf": "double",
    "__builtin_huge_val": "double",
    "__builtin_nan": "double",
    "__builtin_inff": "float",
    "__builtin_nanf": "float",
    "__builtin_bswap64": "unsigned long",
    "__builtin_bswap32": "unsigned int",
    "__builtin_unreachable": "void",
    "__builtin_trap": "void",
    "__builtin_va_start": "void",
    "__builtin_va_end": "void",
    "__builtin_va_copy": "void",
    "__builtin_prefetch": "void",
    "__builtin_free": "void",
}
_BUILTIN_POINTERS: Final = frozenset(
    [
        "alloca",
        "malloc",
        "calloc",
        "realloc",
        "memcpy",
        "memset",
        "memmove",
        "strcpy",
        "strcat",
        "strncpy",
        "strchr",
        "strrchr",
        "strstr",
        "return_address",
        "frame_address",
        "assume_aligned",
    ]
)


class CallRules(InitializerRules):
    """Gives calls their types."""

    def _call(self, e: Call) -> Value:
        callee = e.callee
        while isinstance(callee, Unary) and callee.op == "*":
            callee = callee.operand
        if isinstance(callee, Name):
            if callee.name.startswith(("__builtin_", "__sync_", "__atomic_")):
                return self._builtin(callee.name, e)
            if callee.name in self.quiet or callee.name.startswith("_mm"):
                return self._quietly(e)
            if self.find(callee.name) is None:
                return self._undeclared(self.miss(callee.name, e.line), e)
            self._check_standard(callee.name, e)
        type = self.evaluate(callee).type
        value = self._apply(self._function_of(type, e.line), e)
        return value._replace(source=self._standard_name(callee))

    def _quietly(self, e: Call) -> Value:
        """Take in a call of a macro that says nothing about types."""
        for argument in e.arguments:
            self._macro_argument(argument)
        return Value(self.solver.unknown("macro"))

    def _check_standard(self, name: str, e: Call) -> None:
        """Tell a standard function from one of the program's own by how it is called."""
        symbol = self.find(name)
        if symbol is None or not symbol.standard:
            return
        found = resolve(symbol.type)
        if not isinstance(found, Function) or symbol.is_type:
            if isinstance(found, Pointer) and isinstance(resolve(found.to), Function):
                return
            raise NotStandard(name)
        least, given = len(found.parameters), len(e.arguments)
        if found.prototyped and (given < least or (given > least and not found.variadic)):
            raise NotStandard(name)

    def _undeclared(self, entry: Missing, e: Call) -> Value:
        entry.called = True
        if any(isinstance(a, _MACRO_ARGUMENTS) or _is_list(a) for a in e.arguments):
            entry.macro = entry.macro or "type"
        if entry.function is None:
            result = self.solver.unknown("result")
            entry.function = Function(result, is_open=True)
        if entry.macro:
            for argument in e.arguments:
                self._macro_argument(argument)
            result = self.solver.unknown("result")
            self.solver.say(Likeness(e.line, result, entry.function.result))
            entry.results.append(result)
            return Value(result)
        return self._apply(entry.function, e)

    def _macro_argument(self, argument: Expression) -> None:
        if isinstance(argument, TypeArgument):
            self.convert(argument.type)
        elif not isinstance(argument, Opaque):
            self.evaluate(argument)

    def _function_of(self, type: Type, line: int) -> Function:
        """Give the function that is called through a value of this type."""
        found = resolve(decayed(type))
        behind = resolve(found.to) if isinstance(found, Pointer) else found
        if isinstance(behind, Pointer):
            behind = resolve(behind.to)
        if isinstance(behind, Function):
            return behind
        made = Function(self.solver.unknown("result"), is_open=True)
        if isinstance(found, Pointer):
            self.solver.demand(found.to, made, line)
        elif isinstance(found, Unknown):
            self.solver.demand(type, Pointer(made), line)
        else:
            self.solver.conflict("what is called is no function", line)
        return made

    def _apply(self, function: Function, e: Call) -> Value:
        given = len(e.arguments)
        if function.is_open:
            self._open(function, given)
        elif function.prototyped:
            known = len(function.parameters)
            if given < known or (given > known and not function.variadic):
                self.solver.conflict("a call with the wrong number of arguments", e.line)
        arguments = [self._argument(argument) for argument in e.arguments]
        self._formats(function, e, arguments)
        flows = []
        for place, value in enumerate(arguments):
            if place < len(function.parameters):
                flow = self.make_flow(function.parameters[place], value, e.line)
                flow.function, flow.place = function if function.is_open else None, place
                flow.source = self._standard_name(e.callee)
                flows.append(flow)
        if function.is_open:
            self.calls.append((function, flows))
        else:
            self.solver.pending += flows
        return Value(function.result)

    def _standard_name(self, callee: Expression) -> str:
        symbol = self.find(callee.name) if isinstance(callee, Name) else None
        return callee.name if isinstance(callee, Name) and symbol and symbol.standard else ""

    def _argument(self, argument: Expression) -> Value:
        if isinstance(argument, _MACRO_ARGUMENTS):
            self.solver.conflict("a type is given to a function", argument.line)
        if isinstance(argument, StatementExpression):
            return self.evaluate(argument)
        return self.value(argument, SOMETHING)

    def _open(self, function: Function, given: int) -> None:
        """Give an undeclared function as many parameters as its calls have arguments."""
        self.solver.set(function, "arities", function.arities | {given})
        more = given - len(function.parameters)
        if more > 0:
            fresh: list[Type] = []
            for _ in range(more):
                slot = self.solver.unknown("parameter")
                self.solver.need(slot, ~(Kind.VOID | Kind.ARRAY | Kind.FUNCTION), 0)
                fresh.append(slot)
            self.solver.set(function, "parameters", [*function.parameters, *fresh])

    def _builtin(self, name: str, e: Call) -> Value:
        values = []
        for argument in e.arguments:
            if isinstance(argument, _MACRO_ARGUMENTS):
                self._macro_argument(argument)
            else:
                values.append(self.evaluate(argument))
        if name.removeprefix("__builtin_").removesuffix("_chk").strip("_") in _BUILTIN_POINTERS:
            return Value(Pointer(VOID))
        if name in ("__builtin_choose_expr",) and len(values) > 1:
            return values[1]
        if name.startswith(("__sync_", "__atomic_")) and values:
            found = resolve(decayed(values[0].type))
            if isinstance(found, Pointer):
                return Value(found.to)
        return Value(BASIC[_BUILTIN_RESULTS.get(name, "int")])

    # Formats.

    def _formats(self, function: Function, e: Call, values: list[Value]) -> None:
        """Learn from the conversions of a format what the arguments behind it are."""
        for place, argument in enumerate(e.arguments[:4]):
            if not isinstance(argument, Text):
                continue
            wanted = format_types("".join(argument.pieces))
            rest = values[place + 1 :]
            if not wanted or len(wanted) != len(rest) or place + 1 < len(_fixed(function)):
                continue
            if function.is_open and function.cut > place + 1:
                self.solver.set(function, "cut", place + 1)
            reads = isinstance(e.callee, Name) and "scan" in e.callee.name
            for type, value in zip(wanted, rest, strict=True):
                self._formatted(type, value, reads, e.line)
            return

    def _formatted(self, type: Type, value: Value, reads: bool, line: int) -> None:
        if reads:
            type = type if isinstance(type, Pointer) else Pointer(type)
        found = resolve(value.type)
        literal = value.literal or not isinstance(found, Unknown)
        if literal and not (reads and isinstance(found, Pointer)):
            return
        self.flow(type, value, line, weight=Weight.FORMAT, soft=True)


def _is_list(argument: Expression) -> bool:
    """Tell whether an argument is `("%d", x)`, which only a macro can make sense of."""
    return isinstance(argument, Binary) and argument.op == ","


def _fixed(function: Function) -> list[Type]:
    """Give the parameters that have a type of their own."""
    return [] if function.is_open else function.parameters


def format_types(text: str) -> list[Type]:
    """Give the types of the arguments that a format asks for.

    Args:
        text: The format as it stands in the text.

    Returns:
        A type for each argument.
    """
    types: list[Type] = []
    for width, precision, length, letter in _CONVERSION.findall(text):
        if letter == "%":
            continue
        types += [INT] * ((width == "*") + (precision == "*"))
        types.append(_conversion_type(letter, length))
    return types


def _conversion_type(letter: str, length: str) -> Type:
    if letter in "sS":
        return Pointer(BASIC["char"])
    if letter == "p":
        return Pointer(VOID)
    if letter in "fFeEgGaA":
        return BASIC["double"]
    unsigned = "unsigned " if letter in "uxXo" else ""
    return BASIC[f"{unsigned}long" if set(length) & set("ljztq") else f"{unsigned}int"]
