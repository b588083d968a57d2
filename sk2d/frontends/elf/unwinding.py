"""The functions in `.eh_frame`, the table for stack unwinding, which survives stripping.

Format: Linux Standard Base 5.0, Core, chapter 10.6. Only what tells where a function begins and
ends is read, and whether it is a function: a part moved away from one begins with its frame made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from elftools.elf.elffile import ELFFile

from sk2d.frontends.elf.image import Image
from sk2d.frontends.elf.stubs import is_stub

ABSENT = 0xFF
# Low four bits of a pointer's encoding -> bytes, whether it is signed; 0 bytes is a pointer's size.
FORMATS = {0: (0, False), 2: (2, False), 3: (4, False), 4: (8, False)} | {
    8: (0, True),
    10: (2, True),
    11: (4, True),
    12: (8, True),
}
# Call frame instructions (DWARF 5, section 6.4.2) that a function's first byte does not need.
_NOTHING, _SAVED = 0x00, 0x80
_FRAME = (0x0C, 0x0D, 0x0E)  # DW_CFA_def_cfa, DW_CFA_def_cfa_register, DW_CFA_def_cfa_offset
PC_RELATIVE, DATA_RELATIVE = 0x10, 0x30


class _Reader:
    """Reads numbers of an image one after the other."""

    def __init__(self, image: Image, position: int) -> None:
        self.image, self.position = image, position

    def number(self, size: int, *, signed: bool = False) -> int:
        data = self.image.read(self.position, size)
        if len(data) < size:
            raise ValueError("the unwinding table ends early")
        self.position += size
        return int.from_bytes(data, self.image.order, signed=signed)

    def leb128(self) -> int:
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def pointer(self, encoding: int, data_base: int = 0) -> int:
        size, signed = FORMATS[encoding & 0x0F]
        place = self.position
        value = self.number(size or self.image.word, signed=signed)
        kind = encoding & 0x70
        value += place if kind == PC_RELATIVE else data_base if kind == DATA_RELATIVE else 0
        return value & ((1 << self.image.bits) - 1)


@dataclass(frozen=True)
class _Common:
    """What the entries of a group share: how addresses are written, whether more data follow."""

    encoding: int
    augmented: bool


def read_unwinding(elf: ELFFile, image: Image, shift: int) -> None:
    """Tell an image the functions of its unwinding table, and the parts moved away from them.

    Args:
        elf: The file.
        image: Its image.
        shift: How far the image lies from the file's own addresses.
    """
    bounds = _table_bounds(elf, image, shift)
    if bounds is None:
        return
    try:
        found = sorted(set(_entries(image, *bounds)))
    except (ValueError, KeyError) as error:
        image.warnings.append(f"the table for stack unwinding cannot be read ({error})")
        return
    image.unwound = [(start, end) for start, end, moved in found if not moved]
    image.parts |= {start: end - start for start, end, moved in found if moved}


def _table_bounds(elf: ELFFile, image: Image, shift: int) -> tuple[int, int] | None:
    section = elf.get_section_by_name(".eh_frame")
    if section is not None and section["sh_addr"]:
        start = section["sh_addr"] + shift
        return start, start + section["sh_size"]
    for segment in elf.iter_segments():
        if segment["p_type"] == "PT_GNU_EH_FRAME":
            reader = _Reader(image, segment["p_vaddr"] + shift)
            _, encoding = reader.number(1), reader.number(1)
            reader.number(2)
            return reader.pointer(encoding, segment["p_vaddr"] + shift), image.end
    return None


def _entries(image: Image, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Give where each piece of code begins and ends, and whether it is a part moved away."""
    groups: dict[int, _Common] = {}
    position = start
    while position + 4 <= end:
        begin, reader = position, _Reader(image, position)
        length = reader.number(4)
        if length == 0:
            break
        if length == 0xFFFFFFFF:
            length = reader.number(8)
        body = reader.position
        position = body + length
        identity = reader.number(4)
        if identity == 0:
            groups[begin] = _common(reader)
            continue
        group = groups.get(body - identity)
        if group is None or group.encoding == ABSENT:
            continue
        first = reader.pointer(group.encoding)
        size = reader.pointer(group.encoding & 0x0F)
        if size and image.holds(first):
            moved = not is_stub(image, first) and _begins_inside(reader, group, position)
            yield first, first + size, moved


def _begins_inside(reader: _Reader, group: _Common, end: int) -> bool:
    """Tell whether something is on the stack, or saved, before the first instruction."""
    if group.augmented:
        skipped = reader.leb128()
        reader.position += skipped
    while reader.position < end:
        opcode = reader.number(1)
        if opcode != _NOTHING:
            return opcode in _FRAME or opcode & 0xC0 == _SAVED
    return False


def _common(reader: _Reader) -> _Common:
    version = reader.number(1)
    letters = bytearray()
    while (letter := reader.number(1)) != 0:
        letters.append(letter)
    if b"eh" in letters:
        reader.number(reader.image.word)
    reader.leb128(), reader.leb128()  # alignment of code and of data
    reader.number(1) if version == 1 else reader.leb128()  # register of the return address
    encoding = 0
    if letters.startswith(b"z"):
        reader.leb128()
    for kind in letters.decode("latin-1"):
        if kind == "R":
            encoding = reader.number(1)
        elif kind == "P":
            reader.pointer(reader.number(1) & 0x0F)
        elif kind == "L":
            reader.number(1)
    return _Common(encoding, letters.startswith(b"z"))
