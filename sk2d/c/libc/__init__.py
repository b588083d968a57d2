"""The declarations of the C and POSIX standard library, as data made from the system's headers."""

from sk2d.c.libc.table import (
    declaration,
    declare,
    header_of,
    is_member,
    is_standard,
    kind_of,
    members_of,
    names,
    type_of,
)

__all__ = [
    "declaration",
    "declare",
    "header_of",
    "is_member",
    "is_standard",
    "kind_of",
    "members_of",
    "names",
    "type_of",
]
