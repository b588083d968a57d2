"""What the uses of values say about their types.

Each constraint looks at the types as far as they are known (`step`) and is done once it has said
all it can. What is left when nothing is known any more is settled by `settle`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from sk2d.c.inference.types import (
    ARITHMETIC,
    BASIC,
    INT,
    Basic,
    Enum,
    Function,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
    common,
    decayed,
    kind_of,
    resolve,
)

if TYPE_CHECKING:
    from sk2d.c.inference.solver import Solver


class Weight(IntEnum):
    """How much it says that an unknown type meets a number."""

    LITERAL = 0
    OPERAND = 1
    FORMAT = 2
    COMPARED = 3
    ASSIGNED = 4


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Constraint(ABC):
    """Something that the code says about types; `line` is where."""

    line: int

    @abstractmethod
    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known.

        Args:
            solver: Where the conclusions go.

        Returns:
            Whether nothing more can come of it.
        """

    @abstractmethod
    def settle(self, solver: Solver) -> bool:
        """Decide what the code leaves open.

        Args:
            solver: Where the decision goes.

        Returns:
            Whether anything was decided.
        """


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Flow(Constraint):
    """A value goes where another type is: assignment, argument, result, comparison.

    Attributes:
        target: Type of the place.
        value: Type of the value.
        weight: How much a number on one side says about the other.
        null: Whether the value is a null pointer constant.
        literal: Whether the value is a constant in the text.
        function: The undeclared function whose argument it is.
        place: Which argument.
        soft: Whether C lets the two differ without a word.
        source: The standard function whose argument or result the value is.
    """

    target: Type
    value: Type
    weight: Weight = Weight.ASSIGNED
    null: bool = False
    literal: bool = False
    function: Function | None = None
    place: int = 0
    soft: bool = False
    source: str = ""

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        target, value = resolve(self.target), resolve(decayed(self.value))
        if self.weight is Weight.COMPARED:
            target = resolve(decayed(target))
        if target is value:
            return True
        if isinstance(target, Unknown):
            if isinstance(value, Unknown):
                return False
            solver.learn(target, decayed(self.value), self)
        elif isinstance(value, Unknown):
            known = decayed(self.target) if self.weight is Weight.COMPARED else self.target
            solver.learn(value, known, self)
        else:
            solver.meet(target, value, self)
        return True

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        target, value = resolve(self.target), resolve(self.value)
        if target is value or not (isinstance(target, Unknown) and isinstance(value, Unknown)):
            return False
        if self.weight is Weight.COMPARED and target.name and value.name:
            return False
        return solver.attempt(target, value)


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Conversion(Constraint):
    """A cast, which pointers mostly keep pointers and numbers numbers."""

    target: Type
    value: Type

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        for one, other in ((self.target, self.value), (self.value, self.target)):
            unknown, known = resolve(one), resolve(decayed(other))
            if (
                isinstance(unknown, Unknown)
                and isinstance(known, Basic)
                and known.kind != Kind.VOID
            ):
                solver.hint(unknown, Weight.LITERAL, known)
                return True
        return not isinstance(resolve(self.target), Unknown) and not isinstance(
            resolve(self.value), Unknown
        )

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        for one, other in ((self.target, self.value), (self.value, self.target)):
            unknown, known = resolve(one), resolve(decayed(other))
            if isinstance(unknown, Unknown) and isinstance(known, Pointer):
                return solver.attempt(unknown, Pointer(solver.unknown("pointee")))
        return False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Likeness(Constraint):
    """Two calls of one macro: if one gives a pointer, so does the other, to whatever it may be."""

    left: Type
    right: Type

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        for one, other in ((self.left, self.right), (self.right, self.left)):
            unknown = resolve(one)
            if isinstance(unknown, Unknown) and isinstance(resolve(other), Pointer):
                solver.attempt(unknown, Pointer(solver.unknown("pointee")))
                return True
        return not any(isinstance(resolve(t), Unknown) for t in (self.left, self.right))

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        return False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Operation(Constraint):
    """An arithmetic operation on two values."""

    left: Type
    right: Type
    result: Type
    hinted: bool = False

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        left, right = resolve(decayed(self.left)), resolve(decayed(self.right))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return self.partly(solver, left, right)
        self.finish(solver, left, right)
        return True

    def partly(self, solver: Solver, left: Type, right: Type) -> bool:
        """Draw conclusions while an operand is unknown."""
        result = resolve(self.result)
        if not self.hinted:
            for a, b in ((left, right), (right, left), (left, result), (right, result)):
                if isinstance(a, Unknown) and isinstance(b, Basic) and b.kind & ARITHMETIC:
                    solver.hint(a, Weight.OPERAND, b)
                    self.hinted = isinstance(result, Basic)
        for a in (left, right):
            if isinstance(a, Basic) and a.kind is Kind.FLOATING:
                solver.attempt(self.result, a)
                return True
        return False

    def finish(self, solver: Solver, left: Type, right: Type) -> None:
        """Give the result its type once both operands are known."""
        if isinstance(left, Basic | Enum) and isinstance(right, Basic | Enum):
            solver.attempt(self.result, common(left, right))
        else:
            solver.conflict("operands that no operator takes", self.line)

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        left, right, result = (resolve(t) for t in (self.left, self.right, self.result))
        changed = False
        for one in (left, right, result):
            if isinstance(one, Unknown):
                changed |= solver.attempt(one, INT)
        return changed


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Sum(Operation):
    """`+`, which also moves a pointer."""

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        for pointer, other in ((self.left, self.right), (self.right, self.left)):
            pointer = decayed(pointer)
            if isinstance(resolve(pointer), Pointer):
                solver.need(other, Kind.INTEGER, self.line)
                solver.move(pointer)
                solver.attempt(self.result, pointer)
                return True
        result = resolve(self.result)
        if isinstance(result, Pointer):
            for number, other in ((self.left, self.right), (self.right, self.left)):
                if not kind_of(number) & Kind.POINTER and kind_of(other) & Kind.POINTER:
                    return solver.attempt(other, self.result) or True
        return Operation.step(self, solver)

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        if isinstance(resolve(self.result), Pointer) and kind_of(self.left) & Kind.POINTER:
            return solver.attempt(self.left, self.result)
        return Operation.settle(self, solver)


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Difference(Operation):
    """`-`, also of a pointer and a number, or of two pointers."""

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        left, right = decayed(self.left), decayed(self.right)
        a, b = resolve(left), resolve(right)
        if isinstance(b, Pointer):
            if isinstance(a, Unknown) and a.kinds & Kind.POINTER:
                solver.attempt(a, Pointer(solver.unknown("pointee")))
                a = resolve(a)
            if isinstance(a, Pointer):
                solver.pair(a.to, b.to)
                solver.complete(a.to)
            solver.attempt(self.result, BASIC["long"])
            return True
        if isinstance(a, Pointer):
            return self._from_pointer(solver, left, b)
        if isinstance(resolve(self.result), Pointer) and isinstance(a, Unknown):
            solver.need(right, Kind.INTEGER, self.line)
            return solver.attempt(left, self.result) or True
        return Operation.step(self, solver)

    def _from_pointer(self, solver: Solver, pointer: Type, right: Type) -> bool:
        if isinstance(right, Unknown) and right.kinds & Kind.POINTER:
            if not isinstance(resolve(self.result), Pointer):
                return False
            solver.need(right, Kind.INTEGER, self.line)
            return True
        solver.move(pointer)
        solver.attempt(self.result, pointer)
        return True

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        pointer, result = decayed(self.left), resolve(self.result)
        if not isinstance(resolve(pointer), Pointer):
            return Operation.settle(self, solver)
        if isinstance(result, Basic) or (isinstance(result, Unknown) and result.hints):
            return solver.attempt(self.right, pointer)
        return solver.attempt(self.right, INT)


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Choice(Constraint):
    """The two values of `a ? b : c`, and which of them are null pointer constants."""

    left: Type
    right: Type
    result: Type
    nulls: tuple[bool, bool]

    def step(self, solver: Solver) -> bool:
        """Draw conclusions from what is known."""
        sides = [(decayed(self.left), self.nulls[0]), (decayed(self.right), self.nulls[1])]
        sides.sort(key=lambda side: side[1])
        (first, _), (second, null) = sides
        a, b = resolve(first), resolve(second)
        if not isinstance(a, Unknown) and (null or not isinstance(b, Unknown)):
            self._known(solver, first, second, null)
            return True
        for known, other in ((first, second), (second, first)):
            found = resolve(known)
            if isinstance(found, Pointer | Record) and isinstance(resolve(other), Unknown):
                solver.step(Flow(self.line, other, known, null=null))
                solver.attempt(self.result, other if null else known)
                return True
        return False

    def _known(self, solver: Solver, first: Type, second: Type, null: bool) -> None:
        a, b = resolve(first), resolve(second)
        if isinstance(a, Basic | Enum) and isinstance(b, Basic | Enum):
            both = a.name if isinstance(a, Basic) else ""
            solver.attempt(self.result, BASIC["void"] if both == "void" else common(a, b))
            return
        if isinstance(b, Pointer) and (not isinstance(a, Pointer) or kind_of(a.to) == Kind.VOID):
            first, second, a, b = second, first, b, a
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            solver.pair(a.to, b.to)
        elif isinstance(a, Record) and isinstance(b, Record) and not solver.attempt(a, b):
            solver.conflict("a choice between different structs", self.line)
        solver.attempt(self.result, first)

    def settle(self, solver: Solver) -> bool:
        """Decide what is left open."""
        changed = not any(self.nulls) and solver.join(self.left, self.right)
        side = self.right if self.nulls[0] else self.left
        return solver.join(self.result, side) or changed
