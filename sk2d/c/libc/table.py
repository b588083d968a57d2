"""The declarations of the C library: which names are standard, and C text that declares them.

Everything is read from the files that `sk2d.c.libc.generate` made, when it is first asked for. A
tag is asked for with its keyword (`struct tm`); without it, `stat` is the function.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from sk2d.c.libc.entries import SEPARATOR, Entry, Kind

DECLARATIONS: Final = "declarations.tsv"
MEMBERS: Final = "members.tsv"
NAMES: Final = "standard_names.txt"

COLUMNS: Final = SEPARATOR.join(("# name", *Entry._fields[1:]))
"""First line of the declarations."""

MEMBER_COLUMNS: Final = SEPARATOR.join(("# tag or type", "member:type", "..."))
"""First line of the members."""

_HERE: Final = Path(__file__).parent
_KEYWORDS: Final = ("struct", "union", "enum")
_SECTIONS: Final[Mapping[Kind, int]] = {
    "type": 0,
    "tag": 0,
    "constant": 0,
    "func": 1,
    "var": 2,
    "macro": 3,
}
"""Macros come last: none may change a declaration."""


def kind_of(name: str) -> Kind | None:
    """Tell what a name of the C library stands for.

    Also knows the names that the headers use among themselves (`__off_t`) and that compilers put
    in (`__printf_chk`); whether programs may use it is what `is_standard` tells.

    Args:
        name: A name, or a tag with or without its keyword.

    Returns:
        Its kind, or None for a name that is not in the table.
    """
    entry = _entry(name)
    return entry and entry.kind


def is_standard(name: str) -> bool:
    """Tell whether a name is one of the C library that programs may use.

    Args:
        name: A name, or a tag with its keyword: `struct entry` is standard, `entry` is not.

    Returns:
        Whether it is; members (`tm_sec`) do not count, see `is_member`.
    """
    if " " in name:
        entry = _entry(name)
        return entry is not None and entry.public
    return name in names()


def is_member(name: str) -> bool:
    """Tell whether a standard structure or union has a member of this name.

    Args:
        name: A name behind `.` or `->`.

    Returns:
        Whether there is one.
    """
    return name in _standard("field")


def names() -> frozenset[str]:
    """Give all names that `is_standard` knows, save tags, which are names in their own right.

    Returns:
        The names.
    """
    return _standard("func", "type", "var", "macro", "constant")


def declaration(name: str) -> str | None:
    """Give the declaration of one name alone.

    Args:
        name: A name, or a tag with or without its keyword.

    Returns:
        C text, which may use other names; None for a name that is not in the table.
    """
    entry = _entry(name)
    if entry is None:
        return None
    return entry.text or declaration(entry.needs[0])


def header_of(name: str) -> str | None:
    """Give the header that a program includes for a name.

    Args:
        name: A name, or a tag with or without its keyword.

    Returns:
        A name such as `sys/stat.h`; None if there is none for it.
    """
    entry = _entry(name)
    return entry.header if entry and entry.public else None


def type_of(name: str) -> str | None:
    """Give the C type of a variable, constant or macro.

    Args:
        name: A name.

    Returns:
        Its type; for a function-like macro a prototype that tells what it takes and gives, where
        one is known; else None.
    """
    entry = _entry(name)
    return (entry and entry.type) or None


def members_of(name: str) -> Mapping[str, str]:
    """Give the members of a structure or union.

    Args:
        name: A tag with or without its keyword, or a typedef name.

    Returns:
        C type by member, in order; empty for anything without members.
    """
    found = _members()
    for key in (name, *(f"{keyword} {name}" for keyword in _KEYWORDS[:2])):
        if key in found:
            return found[key]
    entry = _entry(name)
    if entry is None or entry.kind != "type":
        return {}
    words = entry.text.removeprefix("typedef ").removesuffix(f" {entry.name};")
    return members_of(words) if words in _rows() or words in found else {}


def declare(wanted: Iterable[str]) -> str:
    """Give C text, without `#include`, that declares names and all that their declarations need.

    The text depends on the set of names only. `FILE` is left incomplete unless its tag
    (`struct _IO_FILE`) is asked for as well.

    Args:
        wanted: Names of the table, tags with or without their keyword.

    Returns:
        Declarations, one a line: types, functions, variables, macros.

    Raises:
        KeyError: A name is not in the table.
    """
    order: dict[str, Entry] = {}
    for name in sorted(set(wanted)):
        entry = _entry(name)
        if entry is None:
            raise KeyError(name)
        _visit(entry, order, set())
    chosen = sorted(order.values(), key=lambda e: _SECTIONS[_place(e)])
    return "".join(f"{e.text}\n" for e in chosen if e.text)


def _visit(entry: Entry, order: dict[str, Entry], open_names: set[str]) -> None:
    """Put an entry into the order, behind what it needs."""
    if entry.name in order:
        return
    if entry.name in open_names:
        if entry.kind == "tag":  # Two structures know each other: one has to be announced.
            _announce(entry, order)
        return
    open_names.add(entry.name)
    needed = [_known(need) for need in entry.needs]
    circular = [need for need in needed if _is_circle(entry, need)]
    for need in circular:
        _announce(need, order)
    for need in needed:
        if need not in circular:
            _visit(need, order, open_names)
    order[entry.name] = entry
    for need in circular:
        _visit(need, order, open_names)


def _announce(tag: Entry, order: dict[str, Entry]) -> None:
    order[f"{tag.name};"] = tag._replace(text=f"{tag.name};")


def _is_circle(entry: Entry, need: Entry) -> bool:
    """Whether a typedef needs a structure that has a member of the type."""
    return entry.kind == "type" and need.kind == "tag" and entry.name in _all_needs(need.name)


@functools.cache
def _all_needs(name: str) -> frozenset[str]:
    seen: set[str] = set()
    pending = [name]
    while pending:
        needs = _known(pending.pop()).needs
        pending += [need for need in needs if need not in seen]
        seen.update(needs)
    return frozenset(seen)


def _place(entry: Entry) -> Kind:
    return "macro" if entry.text.startswith("#") else entry.kind


def _entry(name: str) -> Entry | None:
    rows = _rows()
    for key in (name, *(f"{keyword} {name}" for keyword in _KEYWORDS)):
        if key in rows:
            return Entry.from_line(rows[key])
    return None


def _known(name: str) -> Entry:
    entry = _entry(name)
    assert entry is not None, f"{name} is needed and not in the table"
    return entry


@functools.cache
def _rows() -> dict[str, str]:
    """Read the table; a line is taken apart only when it is asked for."""
    lines = (_HERE / DECLARATIONS).read_text("utf-8").splitlines()
    return {line[: line.index(SEPARATOR)]: line for line in lines[1:]}


@functools.cache
def _members() -> dict[str, dict[str, str]]:
    found = {}
    for line in (_HERE / MEMBERS).read_text("utf-8").splitlines()[1:]:
        tag, *members = line.split(SEPARATOR)
        found[tag] = dict(member.split(":", 1) for member in members)
    return found


@functools.cache
def _standard(*kinds: str) -> frozenset[str]:
    """Read the names of some kinds from the list of standard names."""
    pairs = [line.split() for line in (_HERE / NAMES).read_text("utf-8").splitlines()]
    return frozenset(name for name, kind in pairs if kind in kinds)
