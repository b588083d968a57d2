"""The data that functions refer to: where each object lies, its name, and C that defines it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sk2d.frontends.elf import Image, Range

GAP: Final = 64
"""Addresses this near to one another belong to one object, where no symbol says otherwise."""

LARGEST: Final = 1 << 16
"""Bytes of an object whose end is not known."""

_PLAIN: Final = re.compile(rb"[\t\n\r\x0b\x0c\x1b\x20-\x7e\x80-\xff]*\x00")
_ESCAPES: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\v": "\\v", "\f": "\\f", '"': '\\"'} | {
    "\\": "\\\\"
}


@dataclass(frozen=True)
class Object:
    """A piece of data.

    Args:
        name: Its name: the file's, else `DAT_` and its address.
        address: Where it begins.
        size: Its length in bytes.
        is_constant: Whether it never changes.
        access: Bytes that code reads or writes at its begin by address; 0 for an array.
    """

    name: str
    address: int
    size: int
    is_constant: bool
    access: int


class Objects:
    """All data of an image that its code refers to.

    Args:
        image: A loaded file.
        references: Addresses that code refers to, with the bytes accessed there.
    """

    def __init__(self, image: Image, references: Iterable[tuple[int, int]]) -> None:
        self.image = image
        self._references = dict(references)
        self._parts = sorted(
            (part for part in image.ranges if not part.executable), key=lambda part: part.start
        )
        self._starts = [part.start for part in self._parts]
        self._table = sorted(self._find(self._references), key=lambda one: one.address)
        self._addresses = [one.address for one in self._table]

    def part_of(self, address: int) -> Range | None:
        """Find the memory that an address lies in.

        Args:
            address: Any address.

        Returns:
            The part, or None for code and for what is no memory.
        """
        place = bisect.bisect_right(self._starts, address) - 1
        part = self._parts[place] if place >= 0 else None
        return part if part is not None and address in part else None

    def at(self, address: int) -> Object | None:
        """Find the object that an address lies in.

        Args:
            address: Any address.

        Returns:
            The object, or None.
        """
        place = bisect.bisect_right(self._addresses, address) - 1
        if place < 0:
            return None
        found = self._table[place]
        return found if address < found.address + max(found.size, 1) else None

    def accessed(self, address: int) -> int:
        """Give the bytes that code reads or writes at an address.

        Args:
            address: Any address.

        Returns:
            A number; 0 where the address is only taken.
        """
        return self._references.get(address, 0)

    def _find(self, references: dict[int, int]) -> Iterator[Object]:
        named = {
            symbol.address: symbol
            for symbol in self.image.symbols
            if not symbol.is_function and symbol.size and self.part_of(symbol.address)
        }
        ends = {start: start + symbol.size for start, symbol in named.items()}
        for start, symbol in named.items():
            constant = self._is_constant(start)
            access = references.get(start, 0)
            whole = access if access == symbol.size else 0
            yield Object(c_name(symbol.name, start), start, symbol.size, constant, whole)
        bounds = sorted(named)
        loose = [
            at for at in sorted(references) if self.part_of(at) and not _covered(at, bounds, ends)
        ]
        for group in _groups(loose, self._starts):
            yield self._unnamed(group, references, bounds)

    def _unnamed(self, group: list[int], references: dict[int, int], bounds: list[int]) -> Object:
        start, part = group[0], self.part_of(group[0])
        assert part is not None, "only addresses in memory are grouped"
        access = references[start] if len(group) == 1 else 0
        following = next((at for at in bounds[bisect.bisect_right(bounds, group[-1]) :]), part.end)
        size = access or min(min(following, part.end) - start, LARGEST)
        if len(group) > 1 and all(references[at] for at in group):
            size = group[-1] + references[group[-1]] - start
        return Object(f"DAT_{start:08x}", start, size, self._is_constant(start), access)

    def _is_constant(self, address: int) -> bool:
        part = self.part_of(address)
        return part is not None and not part.writable

    def string_at(self, address: int) -> str | None:
        """Read a string literal.

        Args:
            address: Any address.

        Returns:
            The literal with its quotes, or None where no text stands that ends with a zero byte
            and never changes.
        """
        part = self.part_of(address)
        if part is None or part.writable:
            return None
        match = _PLAIN.match(self.image.read(address, min(part.end - address, LARGEST)))
        if match is None:
            return None
        data = match[0][:-1]
        after = self.image.read(address + len(match[0]), 3)
        # One letter and zeros after it is a number as often as a text.
        if len(data) < 2 and after.startswith(b"\0\0") and not self._between_strings(address, part):
            return None
        return literal(data)

    def begins_text(self, address: int) -> bool:
        """Tell whether a text of at least two letters begins at an address, after another's end.

        Args:
            address: Any address.

        Returns:
            Whether it is one that only stands there by being meant.
        """
        part = self.part_of(address)
        if part is None:
            return False
        before, letters = self.image.read(address - 1, 1), self.image.read(address, 2)
        begins = address == part.start or before == b"\0"
        return begins and all(0x20 <= letter < 0x7F for letter in letters)

    def _between_strings(self, address: int, part: Range) -> bool:
        before = self.image.read(max(part.start, address - 2), 2)
        return len(before) == 2 and before[1] == 0 and 0x20 <= before[0] < 0x7F

    def definition(self, found: Object) -> tuple[str, set[int]]:
        """Write C that defines an object with what it holds before the program runs.

        Args:
            found: The object.

        Returns:
            The definition, and the addresses that its pointers hold.
        """
        data = self.image.read(found.address, found.size)
        const = "const " if found.is_constant else ""
        if found.access in _SCALARS:
            value = int.from_bytes(data, self.image.order)
            return f"{_SCALARS[found.access]} {found.name} = {value:#x};", set()
        places = list(
            range(found.address, found.address + len(data) - self.image.word + 1, self.image.word)
        )
        pointers = {at: self.image.read_word(at) for at in places if at in self.image.pointers}
        if pointers and found.address % self.image.word == 0:
            items = [self._word(at, pointers) for at in places]
            text = f"void *{found.name}[{len(items)}] = {{{', '.join(items)}}};"
            return text, set(pointers.values())
        stripped = data.rstrip(b"\0")
        start = f"{const}unsigned char {found.name}[{max(found.size, 1)}]"
        if not stripped:
            return f"{start};", set()
        return f"{start} = {{{', '.join(map(str, stripped))}}};", set()

    def _word(self, at: int, pointers: dict[int, int]) -> str:
        if at not in pointers:
            value = self.image.read_word(at)
            return f"(void *){value:#x}" if value else "0"
        return self.reference(pointers[at])

    def reference(self, address: int) -> str:
        """Write C whose value is an address.

        Args:
            address: Of a string, an object or a function.

        Returns:
            An expression that may stand in an initialiser.
        """
        text = self.string_at(address)
        if text is not None and len(text) > 2:
            return text
        found = self.at(address)
        if found is None:
            return f"(void *){address:#x}"
        offset = address - found.address
        base = f"&{found.name}" if found.access in _SCALARS else found.name
        return f"(char *){base} + {offset}" if offset else base


def definitions(objects: Objects, used: Iterable[Object]) -> dict[str, str]:
    """Define objects and all that their pointers lead to.

    Args:
        objects: The data of an image.
        used: Some of it.

    Returns:
        Definitions by name, each after those that it refers to.
    """
    found: dict[str, str] = {}
    waiting = list(used)
    pending: list[tuple[str, str]] = []
    seen: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one.name in seen:
            continue
        seen.add(one.name)
        text, targets = objects.definition(one)
        pending.append((one.name, text))
        for target in sorted(targets):
            other = objects.at(target)
            if other is not None and objects.string_at(target) in (None, '""'):
                waiting.append(other)
    for name, text in reversed(pending):
        found[name] = text
    return found


_SCALARS: Final = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long"}


def c_name(name: str, address: int) -> str:
    """Make a C identifier of a symbol, which may have dots and be anything in other languages.

    Args:
        name: Name of the symbol.
        address: Where it stands, for names of which nothing is left.

    Returns:
        The name with other characters replaced.
    """
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    return plain if plain.strip("_") and not plain[0].isdigit() else f"sym_{address:08x}"


def _covered(address: int, bounds: list[int], ends: dict[int, int]) -> bool:
    place = bisect.bisect_right(bounds, address) - 1
    return place >= 0 and address < ends[bounds[place]]


def _groups(addresses: list[int], starts: list[int]) -> Iterator[list[int]]:
    """Put addresses that lie near one another in the same part of memory together."""
    group: list[int] = []
    for address in addresses:
        same = group and bisect.bisect_right(starts, group[-1]) == bisect.bisect_right(
            starts, address
        )
        if group and (not same or address - group[-1] > GAP):
            yield group
            group = []
        group.append(address)
    if group:
        yield group


def literal(data: bytes) -> str:
    """Write bytes as a C string literal.

    Args:
        data: The bytes, without the zero at the end.

    Returns:
        The literal; UTF-8 stays readable, other bytes become octal escapes.
    """
    text = data.decode("utf-8", errors="surrogateescape")
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\{code - 0xDC00:03o}"
    return f"\\{code:03o}" if code < 0x20 else character
