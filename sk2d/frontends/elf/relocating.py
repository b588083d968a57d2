"""Dynamic relocations: pointers as the loader would set them, imports as named slots."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from elftools.elf.constants import SH_FLAGS
from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from sk2d.frontends.elf.image import Image, Symbol

Action = Literal["relative", "symbol"]
SLOT = 16
"""Bytes of an import's place: code of no length, or data of which only the address is used."""

# Types by machine, from each processor's supplement to the System V ABI.
ACTIONS: dict[str, dict[int, Action]] = {
    "EM_X86_64": {8: "relative", 37: "relative", 1: "symbol", 6: "symbol", 7: "symbol"},
    "EM_386": {8: "relative", 42: "relative", 1: "symbol", 6: "symbol", 7: "symbol"},
    "EM_AARCH64": {
        1027: "relative",
        1032: "relative",
        257: "symbol",
        1025: "symbol",
        1026: "symbol",
    },
    "EM_ARM": {23: "relative", 160: "relative", 2: "symbol", 21: "symbol", 22: "symbol"},
}
JUMP_SLOTS = {"EM_X86_64": 7, "EM_386": 7, "EM_AARCH64": 1026, "EM_ARM": 22}


@dataclass(frozen=True)
class Entry:
    """One relocation.

    Args:
        place: Address of the word to set.
        type: Number of its kind.
        name: Name of its symbol, "" without one.
        value: Address of the symbol where this file defines it, else None.
        kind: pyelftools' type of the symbol.
        addend: What is added; None where the word itself holds it.
    """

    place: int
    type: int
    name: str
    value: int | None
    kind: str
    addend: int | None


def relocate(elf: ELFFile, image: Image, shift: int) -> None:
    """Apply what the dynamic loader would, and give every import a place and a name.

    Args:
        elf: The file.
        image: Its image, changed in place.
        shift: How far the image lies from the file's own addresses.
    """
    actions = ACTIONS.get(image.machine, {})
    entries = [entry for entry in _entries(elf, shift) if entry.type in actions]
    slots = _import_slots(image, entries)
    for entry in entries:
        if not image.holds(entry.place, image.word):
            continue
        image.pointers.add(entry.place)
        addend = image.read_word(entry.place) if entry.addend is None else entry.addend
        if entry.type == JUMP_SLOTS.get(image.machine) and entry.addend is None:
            addend = 0  # the word holds the address of the lazy stub
        if actions[entry.type] == "relative":
            image.write_word(entry.place, addend + shift)
        elif entry.value is not None:
            image.write_word(entry.place, entry.value + addend)
        elif entry.name in slots:
            image.write_word(entry.place, slots[entry.name] + addend)


def _entries(elf: ELFFile, shift: int) -> Iterator[Entry]:
    for segment in elf.iter_segments():
        if not isinstance(segment, DynamicSegment):
            continue
        # By number: the table's own length is only known from hashes, which leave imports out.
        symbol_at = functools.cache(segment.get_symbol)
        tables: Mapping[str, Any] = segment.get_relocation_tables()
        for table in tables.values():
            for relocation in table.iter_relocations():
                yield _entry(relocation, symbol_at, shift)
    if not any(isinstance(segment, DynamicSegment) for segment in elf.iter_segments()):
        yield from _static_entries(elf, shift)


def _static_entries(elf: ELFFile, shift: int) -> Iterator[Entry]:
    """Give the relocations of a static program, which chooses some functions when it starts."""
    for section in elf.iter_sections():
        if isinstance(section, RelocationSection) and section["sh_flags"] & SH_FLAGS.SHF_ALLOC:
            for relocation in section.iter_relocations():
                if not relocation.entry.get("r_info_sym", 0):
                    yield _entry(relocation, _no_symbol, shift)


def _no_symbol(number: int) -> Any:
    raise AssertionError(f"symbol {number} was not asked for")


def _entry(relocation: Any, symbol_at: Callable[[int], Any], shift: int) -> Entry:
    # RELR entries are addresses alone, all of them relative.
    number = relocation.entry.get("r_info_sym", 0)
    symbol = symbol_at(number) if number else None
    defined = symbol is not None and symbol["st_shndx"] != "SHN_UNDEF"
    return Entry(
        place=relocation["r_offset"] + shift,
        type=relocation.entry.get("r_info_type", 8),
        name=symbol.name.split("@")[0] if symbol is not None else "",
        value=symbol["st_value"] + shift if symbol is not None and defined else None,
        kind=symbol["st_info"]["type"] if symbol is not None else "",
        addend=relocation["r_addend"] if relocation.is_RELA() else None,
    )


def _import_slots(image: Image, entries: list[Entry]) -> dict[str, int]:
    wanted = {entry.name: entry for entry in entries if entry.name and entry.value is None}
    if not wanted:
        return {}
    jump = JUMP_SLOTS.get(image.machine)
    called = {entry.name for entry in entries if entry.type == jump}
    start = image.append(SLOT * len(wanted), "imports", executable=True)
    slots = {name: start + SLOT * number for number, name in enumerate(sorted(wanted))}
    image.symbols += [
        Symbol(name, address, SLOT, name in called or wanted[name].kind != "STT_OBJECT", True)
        for name, address in slots.items()
    ]
    return slots
