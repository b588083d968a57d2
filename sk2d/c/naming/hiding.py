"""Which declarations hide others of the same name."""

from __future__ import annotations

from sk2d.c.naming.ledger import FILE_SCOPE, Entry, Ledger, Namespace


def levels(ledger: Ledger) -> dict[Entry, int]:
    """Count for each entity how many of its name it hides where it is declared.

    Two entities of one name and one count are never seen at the same place: neither is declared
    inside the scope of the other.

    Args:
        ledger: What was read.

    Returns:
        The count by entity, where it is not 0.
    """
    groups: dict[tuple[Namespace, str], list[Entry]] = {}
    for entry in ledger.declared.values():
        groups.setdefault((entry.namespace, entry.name), []).append(entry)
    found: dict[Entry, int] = {}
    for key, entries in groups.items():
        free = ledger.free.get(key)
        if len(entries) == 1 and (free is None or free.root() is entries[0].root()):
            continue
        for entry in entries:
            level = _hidden_by(entry, entries, free)
            root = entry.root()
            found[root] = max(found.get(root, 0), level)
    return found


def _hidden_by(entry: Entry, entries: list[Entry], free: Entry | None) -> int:
    """Count the other entities that are seen where an entry is declared."""
    if entry.scope == FILE_SCOPE:
        return 0
    outer = {other.root() for other in entries if _is_seen(other, entry.token)}
    if free is not None:
        outer.add(free.root())
    return len(outer - {entry.root()})


def _is_seen(entry: Entry, token: int) -> bool:
    return entry.scope == FILE_SCOPE or entry.token < token < entry.until
