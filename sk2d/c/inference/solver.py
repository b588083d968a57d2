"""Solving the constraints.

What is certain comes first, what is only likely later, and each conclusion may make others
certain. The order:

1. Classes: what meets a pointer is a pointer, what meets a struct is that struct.
2. What the pointers point to. An undeclared thing that meets pointers to different types is a
   `void *`.
3. Numbers: an unknown type that meets numbers is one, floating if any of the strongest uses is.
4. Defaults: unknown types that meet become one; a value is an `int`, what only a pointer leads to
   is `void` or an incomplete struct, a result that nobody looks at is `void`.
"""

from __future__ import annotations

from typing import NoReturn

from sk2d.c.inference.constraints import Constraint, Flow, Weight
from sk2d.c.inference.defaults import default_for
from sk2d.c.inference.types import (
    BASIC,
    INT,
    VOID,
    Array,
    Basic,
    Enum,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
    kind_of,
    resolve,
)
from sk2d.c.inference.unify import Clash, Unifier
from sk2d.errors import Reason, SourceError


class NotStandard(Exception):
    """A name of the standard library that is used as something else.

    Args:
        name: The name.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)


class Solver(Unifier):
    """The unknown types of a text and what is said about them."""

    def __init__(self) -> None:
        super().__init__()
        self.unknowns: list[Unknown] = []
        self.pending: list[Constraint] = []
        self.pairs: list[tuple[Type, Type, str]] = []

    # What the rules say.

    def unknown(self, role: str, name: str | None = None) -> Unknown:
        """Make a new unknown type."""
        made = Unknown(name=name, role=role)
        self.unknowns.append(made)
        return made

    def conflict(self, what: str, line: int) -> NoReturn:
        """Give up: no choice of types makes this compile.

        Args:
            what: What clashes.
            line: Where.

        Raises:
            SourceError: `type_conflict`.
        """
        raise SourceError(Reason.TYPE_CONFLICT, what, where=f"line {line}")

    def need(self, type: Type, kinds: Kind, line: int) -> None:
        """Demand that a value is of one of some classes, or a pointer where C only warns."""
        if not self.restrict(type, kinds) and not kinds & kind_of(type):
            self._bad_operand(type, kinds, line)

    def _bad_operand(self, type: Type, kinds: Kind, line: int) -> None:
        found = kind_of(type)
        if found & (Kind.ARRAY | Kind.FUNCTION) and kinds & Kind.POINTER:
            return
        if isinstance(resolve(type), Unknown) and found & ~Kind.VOID:
            self.conflict("a value is used in ways that no type allows", line)
        self.conflict("an operand has a type that its operator does not take", line)

    def demand(self, left: Type, right: Type, line: int) -> None:
        """Make two types one, which the code needs to compile."""
        try:
            self.unify(left, right)
        except Clash:
            self.conflict("a value is used in ways that no type allows", line)

    def say(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.pending.append(constraint)

    def step(self, constraint: Constraint) -> None:
        """Add a constraint that may be done at once."""
        if not constraint.step(self):
            self.pending.append(constraint)

    def join(self, left: Type, right: Type) -> bool:
        """Unify if that is possible and changes anything."""
        return resolve(left) is not resolve(right) and self.attempt(left, right)

    # What the constraints conclude.

    def hint(self, unknown: Unknown, weight: Weight, number: Type) -> None:
        """Note that an unknown type met a number."""
        if (int(weight), number) not in unknown.hints:
            self.set(unknown, "hints", (*unknown.hints, (int(weight), number)))

    def complete(self, type: Type) -> None:
        """Note that the size of a type is needed."""
        found = resolve(type)
        if isinstance(found, Array):
            self.complete(found.of)
        elif isinstance(found, Unknown | Record) and not found.complete:
            self.set(found, "complete", True)

    def move(self, pointer: Type) -> None:
        """Note that a pointer is moved over the things that it points to."""
        found = resolve(pointer)
        if isinstance(found, Pointer):
            self.complete(found.to)

    def pair(self, left: Type, right: Type, source: str = "") -> None:
        """Note that pointers to these two meet, perhaps in a call of a standard function."""
        self.pairs.append((left, right, source))
        self.changes += 1

    def learn(self, unknown: Unknown, known: Type, flow: Flow) -> None:
        """Conclude from a known type on the other side of a flow."""
        found = resolve(known)
        if isinstance(found, Record):
            if not self.attempt(unknown, known):
                self.mismatch(flow, "a struct meets something that is none")
        elif isinstance(found, Pointer):
            self._learn_pointer(unknown, found, flow)
        elif isinstance(found, Basic) and found.kind is Kind.VOID:
            if unknown is resolve(flow.target):
                self.mismatch(flow, "a value of type void is used")
        elif isinstance(found, Basic):
            if flow.null:
                return
            weight = Weight.LITERAL if flow.literal and found is INT else flow.weight
            self.hint(unknown, weight, known)
        elif isinstance(found, Enum):
            self.hint(unknown, flow.weight, INT)

    def _learn_pointer(self, unknown: Unknown, pointer: Pointer, flow: Flow) -> None:
        if not unknown.kinds & Kind.POINTER:
            return
        target = self.unknown("pointee")
        const = pointer.const and unknown is resolve(flow.target)
        if self.attempt(unknown, Pointer(target, const)):
            self.pair(target, pointer.to, flow.source)
            return
        self.mismatch(flow, "a pointer to a pointer to itself")

    def meet(self, target: Type, value: Type, flow: Flow) -> None:
        """Judge two known types on the sides of a flow."""
        if isinstance(target, Pointer) and isinstance(value, Pointer):
            if not flow.null:
                self.pair(target.to, value.to, flow.source)
        elif isinstance(target, Record) and isinstance(value, Record):
            if not self.attempt(target, value):
                self.mismatch(flow, "two different structs meet")
        elif isinstance(target, Record) or isinstance(value, Record):
            self.mismatch(flow, "a struct meets something that is none")
        elif kind_of(value) is Kind.VOID and kind_of(target) is not Kind.VOID:
            self.mismatch(flow, "a value of type void is used")
        elif isinstance(target, Pointer) and not flow.null and flow.function is not None:
            self._cut(flow, least=1)

    def mismatch(self, flow: Flow, what: str) -> None:
        """Deal with a flow that C forbids: an undeclared function can take anything there."""
        if not flow.soft and not self._cut(flow, least=0):
            self.conflict(what, flow.line)

    def _cut(self, flow: Flow, least: int) -> bool:
        function = flow.function
        if function is None or flow.place < least or not function.is_open:
            return False
        self.set(function, "cut", min(function.cut, flow.place))
        return True

    # The order of conclusions.

    def solve(self) -> None:
        """Find a type for every unknown one."""
        while True:
            self._run()
            if self._solve_pairs(patient=True) or self._solve_numbers():
                continue
            if self._solve_pairs(patient=False) or self._settle():
                continue
            if not self._default():
                return

    def _run(self) -> None:
        """Step the constraints until nothing changes."""
        before = -1
        while before != self.changes:
            before = self.changes
            todo, self.pending = self.pending, []
            for constraint in todo:
                if not constraint.step(self):
                    self.pending.append(constraint)

    def _solve_numbers(self) -> bool:
        """Turn the unknown types with the strongest hints into numbers."""
        waiting = [u for u in self.unknowns if u.bound is None and u.hints]
        if not waiting:
            return False
        level = max(weight for u in waiting for weight, _ in u.hints)
        changed = False
        for unknown in waiting:
            strong = [number for weight, number in unknown.hints if weight == level]
            if strong and unknown.bound is None:
                changed |= self._become_number(unknown, strong)
        return changed

    def _become_number(self, unknown: Unknown, numbers: list[Type]) -> bool:
        best = max(numbers, key=_rank)
        for choice in (best, INT, BASIC["double"]):
            if self.attempt(unknown, choice):
                return True
        self.set(unknown, "hints", ())
        return True

    def _settle(self) -> bool:
        changed = False
        for constraint in self.pending:
            changed |= constraint.settle(self)
        return changed

    def _default(self) -> bool:
        changed = False
        for unknown in list(self.unknowns):
            if unknown.bound is None:
                changed |= self.attempt(unknown, default_for(unknown))
        return changed

    # What pointers point to.

    def _solve_pairs(self, patient: bool) -> bool:
        """Compare what the pointers point to that met each other.

        Args:
            patient: Whether to wait for what may become known yet.

        Returns:
            Whether anything was concluded.

        Raises:
            NotStandard: A standard function meets a struct that is none of the standard's.
        """
        before = self.changes
        waiting: list[tuple[Type, Type, str]] = []
        pairs, self.pairs = self.pairs, []
        for left, right, source in pairs:
            a, b = resolve(left), resolve(right)
            if a is b or a is VOID or b is VOID:
                continue
            if _is_slack(a) or _is_slack(b):
                waiting.append((left, right, source))
            elif not self.attempt(left, right) and source and _are_records(a, b):
                raise NotStandard(source)
        self.pairs += waiting
        if self.changes == before:
            self._solve_groups(waiting, patient)
        if self.changes == before and not patient:
            self._join_slack()
        return self.changes != before

    def _solve_groups(self, pairs: list[tuple[Type, Type, str]], patient: bool) -> None:
        """Find what each undetermined target is: the one type that it meets, or void."""
        groups: dict[int, tuple[Unknown, list[Type]]] = {}
        for left, right, _ in pairs:
            for one, other in ((left, right), (right, left)):
                slack = resolve(one)
                if isinstance(slack, Unknown) and slack.name is None:
                    groups.setdefault(id(slack), (slack, []))[1].append(other)
        for slack, partners in groups.values():
            solid = [partner for partner in partners if not _is_slack(resolve(partner))]
            if slack.bound is None and solid and not (patient and len(solid) < len(partners)):
                self._decide_group(slack, solid)

    def _decide_group(self, slack: Unknown, partners: list[Type]) -> None:
        mark = len(self.trail)
        try:
            for partner in partners:
                self.unify(slack, partner, names=False)
            return
        except Clash:
            self.undo(mark)
        if not self.attempt(slack, VOID) and not self.attempt(slack, partners[0]):
            meets = [p for p in self.pairs if slack in (resolve(p[0]), resolve(p[1]))]
            self.pairs = [p for p in self.pairs if p not in meets]

    def _join_slack(self) -> None:
        for left, right, _ in self.pairs:
            self.join(left, right)
        self.pairs = [p for p in self.pairs if resolve(p[0]) is not resolve(p[1])]


def _are_records(a: Type, b: Type) -> bool:
    return isinstance(a, Record) and isinstance(b, Record) and "inferred" in (a.origin, b.origin)


def _is_slack(type: Type) -> bool:
    """Tell whether a type has neither a name nor anything else that is known."""
    return isinstance(type, Unknown) and type.name is None


def _rank(number: Type) -> int:
    found = resolve(number)
    return found.rank if isinstance(found, Basic) else INT.rank
