"""Object files: sections laid out as a linker would, with their relocations applied.

A call in an object file goes to the next instruction until its relocation says where it is meant
to go, so without them every call would look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from sk2d.frontends.elf.image import PAGE, Image, Range, Symbol
from sk2d.frontends.elf.relocating import SLOT

ALLOCATED, WRITABLE, EXECUTABLE = 2, 1, 4


@dataclass(frozen=True)
class Fix:
    """One relocation of a section.

    Args:
        place: Address to change.
        symbol: Address of its symbol (S in the supplements).
        addend: What is added (A).
        slot: Address of a word that holds the symbol's address, for types that go through one.
        table: Address that the code takes for the table of these words; i386 counts from it.
    """

    place: int
    symbol: int
    addend: int
    slot: int
    table: int = 0


def _absolute(size: int) -> Callable[[Image, Fix], None]:
    def apply(image: Image, fix: Fix) -> None:
        image.write_word(fix.place, fix.symbol + fix.addend, size)
        if size == image.word:
            image.pointers.add(fix.place)

    return apply


def _relative(size: int) -> Callable[[Image, Fix], None]:
    def apply(image: Image, fix: Fix) -> None:
        image.write_word(fix.place, fix.symbol + fix.addend - fix.place, size)

    return apply


def _slot_relative(image: Image, fix: Fix) -> None:
    image.write_word(fix.place, fix.slot + fix.addend - fix.place, 4)


def _slot_in_table(image: Image, fix: Fix) -> None:
    image.write_word(fix.place, fix.slot + fix.addend - fix.table, 4)


def _from_table(image: Image, fix: Fix) -> None:
    image.write_word(fix.place, fix.symbol + fix.addend - fix.table, 4)


def _bits(value: int, low: int, count: int) -> int:
    return value >> low & (1 << count) - 1


def _patch(image: Image, place: int, mask: int, bits: int) -> None:
    image.write_word(place, image.read_word(place, 4) & ~mask | bits & mask, 4)


def _branch26(image: Image, fix: Fix) -> None:
    _patch(image, fix.place, 0x3FFFFFF, (fix.symbol + fix.addend - fix.place) >> 2)


def _page(place: int, target: int) -> int:
    pages = (target >> 12) - (place >> 12)
    return _bits(pages, 0, 2) << 29 | _bits(pages, 2, 19) << 5


def _page21(image: Image, fix: Fix) -> None:
    _patch(image, fix.place, 0x60FFFFE0, _page(fix.place, fix.symbol + fix.addend))


def _slot_page21(image: Image, fix: Fix) -> None:
    _patch(image, fix.place, 0x60FFFFE0, _page(fix.place, fix.slot))


def _low12(scale: int) -> Callable[[Image, Fix], None]:
    def apply(image: Image, fix: Fix) -> None:
        _patch(image, fix.place, 0x3FFC00, _bits(fix.symbol + fix.addend, scale, 12 - scale) << 10)

    return apply


def _slot_low12(image: Image, fix: Fix) -> None:
    _patch(image, fix.place, 0x3FFC00, _bits(fix.slot, 3, 9) << 10)


# Numbers from the processors' supplements to the System V ABI.
RULES: dict[str, dict[int, Callable[[Image, Fix], None]]] = {
    "EM_X86_64": {1: _absolute(8), 2: _relative(4), 4: _relative(4), 10: _absolute(4)}
    | {11: _absolute(4), 24: _relative(8), 9: _slot_relative, 41: _slot_relative}
    | {42: _slot_relative},
    "EM_386": {1: _absolute(4), 2: _relative(4), 4: _relative(4), 9: _from_table}
    | {10: _relative(4), 3: _slot_in_table, 43: _slot_in_table},
    "EM_AARCH64": {257: _absolute(8), 258: _absolute(4), 261: _relative(4), 275: _page21}
    | {277: _low12(0), 278: _low12(0), 282: _branch26, 283: _branch26, 284: _low12(1)}
    | {285: _low12(2), 286: _low12(3), 299: _low12(4), 311: _slot_page21, 312: _slot_low12},
}


def lay_out_object(elf: ELFFile, image: Image) -> None:
    """Give sections, symbols and imports their places and apply all relocations.

    Args:
        elf: An object file.
        image: Its image, filled in place.
    """
    places = _place_sections(elf, image)
    table = next((s for s in elf.iter_sections() if isinstance(s, SymbolTableSection)), None)
    if table is None:
        return
    addresses = dict(_place_symbols(table, image, places))
    slots = _place_slots(image, addresses)
    unknown: set[int] = set()
    for section in elf.iter_sections():
        if isinstance(section, RelocationSection) and section["sh_info"] in places:
            unknown |= set(_apply(section, image, places[section["sh_info"]], addresses, slots))
    if unknown:
        image.warnings.append(
            f"relocations of types {sorted(unknown)} of {image.machine} are left as they are"
        )


def _place_sections(elf: ELFFile, image: Image) -> dict[int, int]:
    places: dict[int, int] = {}
    for number, section in enumerate(elf.iter_sections()):
        flags = section["sh_flags"]
        if not flags & ALLOCATED or not section["sh_size"]:
            continue
        start = -(-image.end // PAGE) * PAGE
        image.memory.extend(bytes(start - image.end))
        image.memory.extend(
            bytes(section["sh_size"]) if section["sh_type"] == "SHT_NOBITS" else section.data()
        )
        places[number] = start
        writable, executable = bool(flags & WRITABLE), bool(flags & EXECUTABLE)
        image.ranges.append(
            Range(start, start + section["sh_size"], writable, executable, section.name)
        )
    return places


def _place_symbols(
    table: SymbolTableSection, image: Image, places: dict[int, int]
) -> Iterator[tuple[int, int]]:
    entries = list(enumerate(table.iter_symbols()))
    undefined = [(n, s) for n, s in entries if s.name and s["st_shndx"] == "SHN_UNDEF"]
    common = [(n, s) for n, s in entries if s["st_shndx"] == "SHN_COMMON"]
    for number, symbol in entries:
        if symbol["st_shndx"] not in places:
            continue
        address = places[symbol["st_shndx"]] + symbol["st_value"]
        yield number, address
        kind = symbol["st_info"]["type"]
        if kind in ("STT_FUNC", "STT_OBJECT") and symbol.name:
            image.symbols.append(
                Symbol(symbol.name, address, symbol["st_size"], kind == "STT_FUNC")
            )
    if common:
        start = image.append(sum(_padded(s) for _, s in common), ".common", executable=False)
        for number, symbol in common:
            yield number, start
            image.symbols.append(Symbol(symbol.name, start, symbol["st_size"], False))
            start += _padded(symbol)
    if undefined:
        start = image.append(SLOT * len(undefined), "imports", executable=True)
        for place, (number, symbol) in enumerate(undefined):
            address = start + SLOT * place
            yield number, address
            image.symbols.append(Symbol(symbol.name, address, SLOT, True, True))


def _padded(symbol: Any) -> int:
    return int(-(-max(symbol["st_size"], 1) // 16) * 16)


def _place_slots(image: Image, addresses: dict[int, int]) -> dict[int, int]:
    """Make a word per symbol that holds its address: the global offset table."""
    if not addresses:
        return {}
    start = image.append(image.word * len(addresses), ".got", executable=False)
    slots = {}
    for place, (number, address) in enumerate(addresses.items()):
        slots[number] = start + image.word * place
        image.write_word(slots[number], address)
    return slots


def _apply(
    section: RelocationSection,
    image: Image,
    start: int,
    addresses: dict[int, int],
    slots: dict[int, int],
) -> Iterator[int]:
    """Apply a section's relocations and give the types that are not known."""
    rules = RULES.get(image.machine, {})
    tables = (s.address for s in image.symbols if s.name == "_GLOBAL_OFFSET_TABLE_")
    table = next(tables, 0)
    for relocation in section.iter_relocations():
        number, kind = relocation["r_info_sym"], relocation["r_info_type"]
        if kind not in rules:
            yield kind
            continue
        place = start + relocation["r_offset"]
        if number not in addresses or not image.holds(place, 4):
            continue
        addend = relocation["r_addend"] if relocation.is_RELA() else _signed(image, place)
        fix = Fix(place, addresses[number], addend, slots[number], table)
        rules[kind](image, fix)


def _signed(image: Image, place: int) -> int:
    value = image.read_word(place, 4)
    return value - (1 << 32) if value & 1 << 31 else value
