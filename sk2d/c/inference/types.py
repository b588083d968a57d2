"""Types while they are being found out.

An `Unknown` stands for a type that is not known yet. It may be bound to another type, so a type is
always looked at through `resolve`. Typedefs stay visible (`Alias`, or an `Unknown` with a name), so
that the header can print them by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final


class Kind(IntFlag):
    """The classes of types that C's rules tell apart."""

    INTEGER = 1
    FLOATING = 2
    POINTER = 4
    RECORD = 8
    VOID = 16
    FUNCTION = 32
    ARRAY = 64


ANYTHING: Final = Kind(127)
VALUE: Final = Kind.INTEGER | Kind.FLOATING | Kind.POINTER | Kind.RECORD
SCALAR: Final = Kind.INTEGER | Kind.FLOATING | Kind.POINTER
ARITHMETIC: Final = Kind.INTEGER | Kind.FLOATING


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Type:
    """Any type; compared by identity."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Basic(Type):
    """`void` or a number; `rank` orders the numbers by C's usual conversions."""

    name: str
    kind: Kind
    rank: int = 0


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Unknown(Type):
    """A type that is to be found out.

    Attributes:
        kinds: Which classes its uses allow.
        name: The typedef name that it is, or None.
        role: What it is the type of: decides what it becomes when nothing is known.
        bound: What it was found to be.
        hints: Numbers that it met, with how much each says (see `solver.Weight`).
        complete: Whether its size is needed.
        addressed: Whether the address of such a thing is taken.
        moved: Whether such a thing is passed or assigned by value.
    """

    kinds: Kind = ANYTHING
    name: str | None = None
    role: str = ""
    bound: Type | None = None
    hints: tuple[tuple[int, Type], ...] = ()
    complete: bool = False
    addressed: bool = False
    moved: bool = False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Pointer(Type):
    """A pointer."""

    to: Type
    const: bool = False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Array(Type):
    """An array; `size` as it is to be printed."""

    of: Type
    size: str = ""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Function(Type):
    """A function.

    Attributes:
        result: Its result.
        parameters: Its parameters.
        variadic: Whether more arguments may follow.
        prototyped: Whether the parameters mean anything; `f()` has none that do.
        is_open: Whether the parameters come from the calls.
        arities: Numbers of arguments in the calls of an open function.
        cut: Place from which on its parameters cannot be given one type.
    """

    result: Type
    parameters: list[Type] = field(default_factory=list)
    variadic: bool = False
    prototyped: bool = True
    is_open: bool = False
    arities: frozenset[int] = frozenset()
    cut: int = 1000


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Record(Type):
    """A struct or union.

    Attributes:
        keyword: `struct` or `union`.
        tag: Its tag, or None.
        members: Type of each member that is known; an anonymous one has a name with a space.
        origin: `inferred`, `code` or `standard`; only inferred ones may grow.
        owner: The typedef name that it is the body of.
        complete: Whether the header has to define it.
        positional: Types of the members in their order, from initialisers.
        bound: The record that it was found to be the same as.
        visible: Whether the header can name it (a tag at file scope).
        has_body: Whether its members are declared, so that there are no others.
    """

    keyword: str
    tag: str | None = None
    members: dict[str, Type] = field(default_factory=dict)
    origin: str = "inferred"
    owner: str | None = None
    complete: bool = False
    positional: list[Type] = field(default_factory=list)
    bound: Record | None = None
    visible: bool = True
    has_body: bool = False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Enum(Type):
    """An enumeration."""

    tag: str | None
    origin: str = "inferred"
    visible: bool = True


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Alias(Type):
    """A typedef that is declared: by the standard, the shim or the code itself."""

    name: str
    target: Type
    origin: str


def _basic(name: str, kind: Kind, rank: int) -> tuple[str, Basic]:
    return name, Basic(name, kind, rank)


_I, _F = Kind.INTEGER, Kind.FLOATING
BASIC: Final[dict[str, Basic]] = dict(
    [
        _basic("void", Kind.VOID, 0),
        _basic("_Bool", _I, 1),
        _basic("char", _I, 2),
        _basic("signed char", _I, 3),
        _basic("unsigned char", _I, 4),
        _basic("short", _I, 5),
        _basic("unsigned short", _I, 6),
        _basic("int", _I, 7),
        _basic("unsigned int", _I, 8),
        _basic("long", _I, 9),
        _basic("unsigned long", _I, 10),
        _basic("long long", _I, 11),
        _basic("unsigned long long", _I, 12),
        _basic("__int128", _I, 13),
        _basic("unsigned __int128", _I, 14),
        _basic("float", _F, 20),
        _basic("double", _F, 21),
        _basic("long double", _F, 22),
        _basic("_Float128", _F, 23),
        _basic("float _Complex", _F, 24),
        _basic("double _Complex", _F, 25),
        _basic("long double _Complex", _F, 26),
    ]
)
"""The basic types by their usual spelling."""

VOID: Final = BASIC["void"]
INT: Final = BASIC["int"]
DOUBLE: Final = BASIC["double"]


def resolve(type: Type) -> Type:
    """Give what a type was found to be, typedefs looked through.

    Args:
        type: A type.

    Returns:
        A type that is no alias and not bound to another.
    """
    while True:
        if isinstance(type, Unknown | Record):
            if type.bound is None:
                return type
            type = type.bound
        elif isinstance(type, Alias):
            type = type.target
        else:
            return type


def decayed(type: Type) -> Type:
    """Give the type of a value: arrays and functions become pointers.

    Args:
        type: Type of an expression.

    Returns:
        Its type as an operand; itself where it is no array or function.
    """
    found = resolve(type)
    if isinstance(found, Array):
        return Pointer(found.of)
    return Pointer(found) if isinstance(found, Function) else type


def kind_of(type: Type) -> Kind:
    """Give the class of a type, or all that an unknown one may be.

    Args:
        type: A type.

    Returns:
        One class, or several for an unknown type.
    """
    found = resolve(type)
    if isinstance(found, Basic):
        return found.kind
    if isinstance(found, Unknown):
        return found.kinds
    return _KINDS.get(found.__class__, Kind.RECORD)


_KINDS: Final[dict[type[Type], Kind]] = {
    Pointer: Kind.POINTER,
    Array: Kind.ARRAY,
    Function: Kind.FUNCTION,
    Enum: Kind.INTEGER,
}


def promoted(type: Basic | Enum) -> Basic:
    """Apply the integer promotions.

    Args:
        type: A number.

    Returns:
        The type that it has in an expression.
    """
    if isinstance(type, Enum) or type.rank < INT.rank:
        return INT
    return type


def common(left: Basic | Enum, right: Basic | Enum) -> Basic:
    """Apply the usual arithmetic conversions.

    Args:
        left: A number.
        right: A number.

    Returns:
        The type of their sum.
    """
    return max(promoted(left), promoted(right), key=lambda t: t.rank)
