"""What a type is when the code does not say."""

from __future__ import annotations

from sk2d.c.inference.types import (
    DOUBLE,
    INT,
    SCALAR,
    VOID,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
)


def default_for(unknown: Unknown) -> Type:
    """Choose a type among those that the uses allow.

    Integer before pointer: a value of which only truth or equality is asked is an `int`. A typedef
    that is seen behind pointers only, or only has its address taken, is a struct. What else is seen
    behind pointers only is void, and so is a result that nobody looks at.

    Args:
        unknown: A type of which nothing is known but `kinds`.

    Returns:
        Its type.
    """
    kinds = unknown.kinds
    if unknown.name is not None and kinds & Kind.RECORD and _seems_record(unknown):
        return Record("struct", owner=unknown.name, complete=unknown.complete)
    if kinds & Kind.VOID and unknown.role in ("pointee", "result") and not unknown.name:
        return VOID
    if kinds & Kind.INTEGER:
        return INT
    if kinds & Kind.FLOATING:
        return DOUBLE
    if kinds & Kind.POINTER:
        return Pointer(VOID)
    return Record("struct") if kinds & Kind.RECORD else VOID


def _seems_record(unknown: Unknown) -> bool:
    if unknown.hints or not unknown.kinds & SCALAR:
        return not unknown.hints
    if unknown.kinds & Kind.VOID and not unknown.moved:
        return True
    return unknown.addressed and not unknown.moved
