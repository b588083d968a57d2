"""Addresses in flatline's text become strings and names of data.

The engine prints `(char *)0x102004` for an address and `iRam0000000000104010` for what is read or
written there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from sk2d.frontends.data import Object, Objects

_WORD: Final = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*.*?\*/|[A-Za-z_]\w*|0x[0-9a-fA-F]+|\d\w*|\s+|.',
    re.DOTALL,
)
_MEMORY: Final = re.compile(r"_?([a-z]+?)Ram([0-9a-f]{8,16})(?:_\w+)?")
_BEFORE_VALUE: Final = frozenset(("(", ",", "=", "return", "{", "?", ":", ")"))
"""A whole value may follow these: what else stands before is part of a calculation."""

_AFTER_VALUE: Final = frozenset((")", ",", ";", "}", ":"))
_KINDS: Final = {"f": "float", "i": "int", "u": "uint", "c": "int", "b": "uint"}


@dataclass(frozen=True)
class Named:
    """A text whose addresses have names.

    Args:
        text: The text.
        objects: The data that it names.
    """

    text: str
    objects: tuple[Object, ...]


def name_addresses(text: str, objects: Objects, word: int) -> Named:
    """Put strings and names in place of addresses.

    Args:
        text: What the engine printed.
        objects: The data that the program's code refers to.
        word: Bytes of a pointer.

    Returns:
        The text with names. Numbers that are no address of data stay as they are.
    """
    words = _WORD.findall(text)
    solid = [place for place, part in enumerate(words) if not part.isspace()]
    used: dict[int, Object] = {}
    for position, place in enumerate(solid):
        part = words[place]
        before = words[solid[position - 1]] if position else ""
        after = words[solid[position + 1]] if position + 1 < len(solid) else ""
        if part.startswith("0x"):
            new, found = _address(int(part, 16), before, after, objects, word)
        elif (match := _MEMORY.fullmatch(part)) is not None:
            new, found = _contents(match[1], int(match[2], 16), before, objects)
        else:
            continue
        words[place] = new or part
        if found is not None:
            used[found.address] = found
    return Named("".join(words), tuple(used[at] for at in sorted(used)))


def _address(
    value: int, before: str, after: str, objects: Objects, word: int
) -> tuple[str | None, Object | None]:
    found = objects.at(value)
    if found is None:
        # Code that reaches its data through a register shows its address only here.
        told = before in _BEFORE_VALUE and after in _AFTER_VALUE
        text = objects.string_at(value) if told and objects.begins_text(value) else None
        return text, None
    whole = before in _BEFORE_VALUE and after in _AFTER_VALUE
    if whole:
        text = objects.string_at(value)
        if text is not None:
            return text, None
    name, offset = _pointer(found), value - found.address
    if before == ")" and whole and not offset:
        return name, found  # a cast stands before it
    if before in ("(", ",", "=", "return") and whole and not offset:
        return name, found
    base = f"(int{word}){name}"
    return (f"({base} + {offset:#x})" if offset else base), found


def _pointer(found: Object) -> str:
    return f"&{found.name}" if found.access else found.name


def _contents(
    kind: str, address: int, before: str, objects: Objects
) -> tuple[str | None, Object | None]:
    found = objects.at(address)
    if found is None:
        return None, None
    if before == "&":
        offset = address - found.address
        inside = f"*((char *){_pointer(found)} + {offset:#x})" if offset else found.name
        return inside, found
    size = objects.accessed(address) or found.size
    name = _type(kind, size)
    if name is None or (
        found.access and address == found.address and not name.startswith(("float", "void"))
    ):
        return found.name, found
    offset = address - found.address
    place = f"((char *){_pointer(found)} + {offset:#x})" if offset else _pointer(found)
    return f"(*({name} *){place})", found


def _type(kind: str, size: int) -> str | None:
    """Read the type of a memory name off the letters before `Ram`."""
    if kind.startswith("p"):
        return "void *"
    base = _KINDS.get(kind, "xunknown")
    return f"{base}{size}" if size in (1, 2, 4, 8, 16) else None
