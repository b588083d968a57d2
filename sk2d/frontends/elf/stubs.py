"""The stubs of the procedure linkage table: which import each one jumps to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sk2d.c import libc
from sk2d.frontends.elf.image import Image, Range, Symbol

# endbr64 and a bnd prefix come before the jump where the compiler was told to protect it.
_X86_64 = re.compile(rb"(?:\xf3\x0f\x1e\xfa)?\xf2?\xff\x25(....)", re.DOTALL)
_I386 = re.compile(rb"(?:\xf3\x0f\x1e\xfb)?\xff([\x25\xa3])(....)", re.DOTALL)
_AARCH64_SIZE = 16
_ADRP, _ADRP_MASK = 0x90000010, 0x9F00001F  # adrp x16, PAGE
_LDR, _LDR_MASK = 0xF9400211, 0xFFC003FF  # ldr x17, [x16, #OFFSET]


def find_stubs(image: Image) -> list[Symbol]:
    """Name the stubs through which a program calls its imports.

    Args:
        image: An image whose relocations are applied, so that each slot holds its import's place.

    Returns:
        One symbol per stub, with the import's name.
    """
    finder = FINDERS.get(image.machine)
    if finder is None:
        return []
    imports = {symbol.address: symbol.name for symbol in image.symbols if symbol.is_import}
    own = [symbol for symbol in image.symbols if symbol.is_function]
    own.sort(key=lambda symbol: libc.kind_of(symbol.name) == "func")  # of several names the known
    local = {symbol.address: symbol.name for symbol in own}
    found = []
    for part in _stub_parts(image):
        for start, size, slot in finder(image, part):
            target = image.read_word(slot) if image.holds(slot, image.word) else 0
            name = imports.get(target) or local.get(target)
            if name:
                found.append(Symbol(name, start, size, True, True))
    return found


def is_stub(image: Image, address: int) -> bool:
    """Tell whether an address is in a section of stubs.

    Args:
        image: An image.
        address: The address.

    Returns:
        Whether the file says so.
    """
    part = image.range_at(address)
    return part is not None and part.name.startswith(".plt")


def _stub_parts(image: Image) -> list[Range]:
    """Give the sections of stubs; all code where the file names no section."""
    code = [part for part in image.ranges if part.executable and part.name != "imports"]
    named = [part for part in code if part.name.startswith(".plt")]
    return named or [part for part in code if not part.name]


def _in_x86_64(image: Image, part: Range) -> Iterator[tuple[int, int, int]]:
    code = image.read(part.start, part.end - part.start)
    for match in _X86_64.finditer(code):
        after = part.start + match.end()
        slot = after + int.from_bytes(match[1], "little", signed=True)
        yield part.start + match.start(), match.end() - match.start(), slot


def _in_i386(image: Image, part: Range) -> Iterator[tuple[int, int, int]]:
    code = image.read(part.start, part.end - part.start)
    table = _global_offset_table(image)
    for match in _I386.finditer(code):
        slot = int.from_bytes(match[2], "little")
        if match[1] == b"\xa3":  # relative to ebx, which points to the table
            slot = (table + int.from_bytes(match[2], "little", signed=True)) & 0xFFFFFFFF
        yield part.start + match.start(), match.end() - match.start(), slot


def _global_offset_table(image: Image) -> int:
    names = {part.name: part.start for part in image.ranges}
    return names.get(".got.plt") or names.get(".got") or 0


def _in_aarch64(image: Image, part: Range) -> Iterator[tuple[int, int, int]]:
    for start in range(part.start, part.end - 8, 4):
        adrp, ldr = image.read_word(start, 4), image.read_word(start + 4, 4)
        if adrp & _ADRP_MASK != _ADRP or ldr & _LDR_MASK != _LDR:
            continue
        pages = (adrp >> 5 & 0x7FFFF) << 2 | adrp >> 29 & 3
        pages -= (pages & 1 << 20) << 1  # 21 bits, signed
        yield start, _AARCH64_SIZE, (start & ~0xFFF) + (pages << 12) + (ldr >> 10 & 0xFFF) * 8


Finder = Callable[[Image, Range], Iterator[tuple[int, int, int]]]
FINDERS: dict[str, Finder] = {
    "EM_X86_64": _in_x86_64,
    "EM_386": _in_i386,
    "EM_AARCH64": _in_aarch64,
}
