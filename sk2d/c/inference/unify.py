"""Making two types one, and taking it back when it cannot be done."""

from __future__ import annotations

from sk2d.c.inference.types import (
    Alias,
    Array,
    Basic,
    Enum,
    Function,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
    kind_of,
    resolve,
)


class Clash(Exception):
    """Two types that cannot be one."""


class Unifier:
    """Binds unknown types; every change is on a trail, so that it can be undone."""

    def __init__(self) -> None:
        self.trail: list[tuple[object, str, object]] = []
        self.changes = 0

    def set(self, thing: object, attribute: str, value: object) -> None:
        """Change an attribute so that `undo` can put it back."""
        self.trail.append((thing, attribute, getattr(thing, attribute)))
        self.changes += 1
        setattr(thing, attribute, value)

    def undo(self, mark: int) -> None:
        """Take back all changes since the trail had this length."""
        while len(self.trail) > mark:
            thing, attribute, before = self.trail.pop()
            setattr(thing, attribute, before)

    def attempt(self, left: Type, right: Type, *, names: bool = True) -> bool:
        """Unify two types, or change nothing.

        Args:
            left: A type.
            right: Another.
            names: Whether two unknown typedefs may become one.

        Returns:
            Whether they are one now.
        """
        mark = len(self.trail)
        try:
            self.unify(left, right, names=names)
        except Clash:
            self.undo(mark)
            return False
        return True

    def unify(self, left: Type, right: Type, *, names: bool = True) -> None:
        """Make two types one.

        Args:
            left: A type.
            right: Another.
            names: Whether two unknown typedefs may become one.

        Raises:
            Clash: They cannot be one; some changes may have been made.
        """
        a, b = resolve(left), resolve(right)
        if a is b:
            return
        if isinstance(a, Unknown) and isinstance(b, Unknown):
            self._join(a, b, names)
        elif isinstance(a, Unknown):
            self._bind(a, right)
        elif isinstance(b, Unknown):
            self._bind(b, left)
        elif isinstance(a, Pointer) and isinstance(b, Pointer):
            self.unify(a.to, b.to, names=names)
        elif isinstance(a, Array) and isinstance(b, Array):
            self.unify(a.of, b.of, names=names)
        elif isinstance(a, Record) and isinstance(b, Record):
            self._merge(a, b, names)
        elif isinstance(a, Function) and isinstance(b, Function):
            self._functions(a, b, names)
        elif not _same_number(a, b):
            raise Clash

    def restrict(self, type: Type, kinds: Kind) -> bool:
        """Demand that a type is of one of some classes.

        Args:
            type: A type.
            kinds: The classes.

        Returns:
            False when it is known to be none of them.
        """
        found = resolve(type)
        if not isinstance(found, Unknown):
            return bool(kind_of(found) & kinds)
        if not found.kinds & kinds:
            return False
        if found.kinds & kinds != found.kinds:
            self.set(found, "kinds", found.kinds & kinds)
        return True

    def _join(self, a: Unknown, b: Unknown, names: bool) -> None:
        if a.name and b.name and not names:
            raise Clash
        if not a.kinds & b.kinds:
            raise Clash
        if b.name and not a.name:
            a, b = b, a
        self.set(a, "kinds", a.kinds & b.kinds)
        self.set(a, "hints", a.hints + b.hints)
        for mark in ("complete", "addressed", "moved"):
            if getattr(b, mark) and not getattr(a, mark):
                self.set(a, mark, True)
        if not a.role:
            self.set(a, "role", b.role)
        self.set(b, "bound", a)

    def _bind(self, unknown: Unknown, type: Type) -> None:
        if not kind_of(type) & unknown.kinds or _holds(type, unknown):
            raise Clash
        found = resolve(type)
        if isinstance(found, Record):
            if unknown.name and not _spelled(type):
                self._own(found, unknown.name)
            if unknown.complete and not found.complete:
                self.set(found, "complete", True)
        self.set(unknown, "bound", type)

    def _own(self, record: Record, name: str) -> None:
        if record.owner is None and record.tag is None and record.origin == "inferred":
            self.set(record, "owner", name)

    def _merge(self, a: Record, b: Record, names: bool) -> None:
        """Make two records one; the one that is declared, or named, stays."""
        if a.origin != "inferred" and b.origin != "inferred":
            raise Clash
        if b.origin != "inferred" or (b.tag and not a.tag) or (b.owner and not (a.tag or a.owner)):
            a, b = b, a
        if b.tag or (b.owner and not names):
            raise Clash
        if a.origin == "inferred" and b.keyword == "union" and not a.has_body:
            self.set(a, "keyword", "union")
        self.set(b, "bound", a)
        for name, type in list(b.members.items()):
            if name in a.members:
                self.unify(a.members[name], type, names=names)
            else:
                self.add_member(a, name, type)
        for left, right in zip(a.positional, b.positional, strict=False):
            self.unify(left, right, names=names)
        if len(b.positional) > len(a.positional):
            self.set(a, "positional", a.positional + b.positional[len(a.positional) :])
        if b.complete and not a.complete:
            self.set(a, "complete", True)

    def add_member(self, record: Record, name: str, type: Type) -> None:
        """Give a record a further member.

        Args:
            record: A record.
            name: Name of the member.
            type: Its type.

        Raises:
            Clash: The record is declared, without this member.
        """
        if record.origin != "inferred" or record.has_body:
            raise Clash
        self.set(record, "members", {**record.members, name: type})
        if not record.complete:
            self.set(record, "complete", True)

    def _functions(self, a: Function, b: Function, names: bool) -> None:
        self.unify(a.result, b.result, names=names)
        if a.is_open and not b.is_open:
            a, b = b, a
        if b.is_open:
            if a.is_open:
                self._pair(a, b, names)
            return
        if not (a.prototyped and b.prototyped):
            return
        if len(a.parameters) != len(b.parameters):
            raise Clash
        self._pair(a, b, names)

    def _pair(self, a: Function, b: Function, names: bool) -> None:
        for left, right in zip(a.parameters, b.parameters, strict=False):
            self.unify(left, right, names=names)
        if not a.is_open:
            return
        longer = max(a.parameters, b.parameters, key=len)
        for function in (a, b):
            self.set(function, "parameters", longer)
            self.set(function, "arities", a.arities | b.arities)
            self.set(function, "cut", min(a.cut, b.cut))


def _same_number(a: Type, b: Type) -> bool:
    if isinstance(a, Basic) and isinstance(b, Basic):
        return a.name == b.name
    return isinstance(a, Enum) and isinstance(b, Enum) and a.tag == b.tag is not None


def _spelled(type: Type) -> bool:
    """Tell whether a type is printed by a name that is not its own body's."""
    while isinstance(type, Unknown) and type.bound is not None:
        if type.name:
            return True
        type = type.bound
    return isinstance(type, Alias) or (isinstance(type, Record) and bool(type.tag or type.owner))


def _points(type: Type) -> bool:
    return isinstance(resolve(type), Pointer | Function)


def _holds(type: Type, unknown: Unknown) -> bool:
    """Tell whether a type is made of this unknown one, so that binding it would never end."""
    pending, seen = [type], set[int]()
    while pending:
        found = resolve(pending.pop())
        if found is unknown:
            return True
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, Pointer):
            if not isinstance(resolve(found.to), Record):
                pending.append(found.to)
        elif isinstance(found, Array):
            pending.append(found.of)
        elif isinstance(found, Record):
            pending += [t for t in found.members.values() if not _points(t)]
        elif isinstance(found, Function):
            pending += [found.result, *found.parameters]
    return False
