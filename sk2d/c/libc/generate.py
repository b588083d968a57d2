"""Makes the table of standard declarations anew from the system's headers: `make libc`.

The table in the package was made with gcc 12 and glibc 2.36 (Debian 12, x86-64). Another system
gives another table: nothing has to be the same for the package to work, as the package only reads
the files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from sk2d.c.libc.entries import Entry
from sk2d.c.libc.macros import macro_entries, member_path
from sk2d.c.libc.preprocessed import HERE, header_names, includes, owners, raw_macros, standard_c
from sk2d.c.libc.prototypes import OPAQUE, Declarations
from sk2d.c.libc.table import (
    COLUMNS,
    DECLARATIONS,
    MEMBER_COLUMNS,
    MEMBERS,
    NAMES,
)

Members = dict[str, list[tuple[str, str]]]


def main() -> int:
    """Write the files of the package.

    Returns:
        Exit code.
    """
    entries, members = make()
    lines = [COLUMNS, *(entry.line() for _, entry in sorted(entries.items()))]
    (HERE / DECLARATIONS).write_text("\n".join(lines) + "\n", "utf-8")
    owned = [MEMBER_COLUMNS, *(_member_line(tag, members[tag]) for tag in sorted(members))]
    (HERE / MEMBERS).write_text("\n".join(owned) + "\n", "utf-8")
    names = _standard_names(entries, members)
    (HERE / NAMES).write_text("".join(f"{name} {kind}\n" for name, kind in names), "utf-8")
    sys.stdout.write(f"{len(entries)} declarations, {len(names)} standard names\n")
    return 0


def make() -> tuple[dict[str, Entry], Members]:
    """Make the table.

    Returns:
        Entry by name, and the members of structures and unions.
    """
    headers = header_names()
    files = owners(headers)
    declared = Declarations(standard_c(includes(headers) + _link_names()), files)
    raw = raw_macros(includes(headers))
    entries = declared.entries
    macros = macro_entries(raw, files, headers, entries, _macro_prototypes(), declared.scalars)
    members = declared.members
    entries = entries | macros
    _add_member_macros(entries, members)
    used = _reachable(entries)
    entries = {name: _pruned(entry, entries) for name, entry in entries.items() if name in used}
    return entries, {tag: found for tag, found in members.items() if tag in entries}


def _link_names() -> str:
    text = (HERE / "link_names.h").read_text("utf-8")
    return '# 1 "link_names.h"\n' + re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def _macro_prototypes() -> dict[str, str]:
    text = (HERE / "macro_prototypes.h").read_text("utf-8")
    return {m[1]: m[0] for m in re.finditer(r"^\w[\w *]*?(\w+)\(.*\);$", text, re.MULTILINE)}


def _add_member_macros(entries: dict[str, Entry], members: Members) -> None:
    """Let a structure need the macros that stand for members of its members."""
    for entry in list(entries.values()):
        path = member_path(entry.text) if entry.kind == "macro" else None
        if path is None:
            continue
        for tag, own in list(members.items()):
            c_type = _type_at(path, own, members)
            if c_type is None or entry.header != entries[tag].header:
                continue
            own.append((entry.name, c_type))
            needs = (*entries[tag].needs, entry.name)
            entries[tag] = entries[tag]._replace(needs=tuple(sorted(needs)))
            entries[entry.name] = entry._replace(needs=(), type=c_type)


def _type_at(path: list[str], own: list[tuple[str, str]], members: Members) -> str | None:
    """Follow the names of members through types."""
    c_type = dict(own).get(path[0])
    if c_type is None or len(path) == 1:
        return c_type
    if "{" in c_type:
        found = re.search(rf"([\w ]+[ *]){path[-1]}(\[[^\]]*\])?;", c_type)
        return found and f"{found[1].strip()}{' ' + found[2] if found[2] else ''}"
    return _type_at(path[1:], members.get(c_type, []), members)


def _reachable(entries: Mapping[str, Entry]) -> set[str]:
    """Find the names that a program may use, or that those need."""
    pending = [e.name for e in entries.values() if e.public or e.kind in ("func", "type")]
    pending += OPAQUE
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in entries and name not in seen:
            seen.add(name)
            pending += entries[name].needs
    return seen


def _pruned(entry: Entry, entries: Mapping[str, Entry]) -> Entry:
    return entry._replace(needs=tuple(need for need in entry.needs if need in entries))


def _member_line(tag: str, members: list[tuple[str, str]]) -> str:
    return "\t".join([tag, *(f"{name}:{c_type}" for name, c_type in members)])


def _standard_names(entries: Mapping[str, Entry], members: Members) -> list[tuple[str, str]]:
    found = {(e.name.split()[-1], str(e.kind)) for e in entries.values() if e.public}
    for tag, own in members.items():
        if entries[tag].public:
            found.update((name, "field") for name, _ in own if not name.startswith("_"))
    return sorted(found)


if __name__ == "__main__":
    raise SystemExit(main())
