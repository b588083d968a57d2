"""Which functions an image has: by name, by the unwinding table, else by what is called."""

from __future__ import annotations

import re

from sk2d.frontends.elf.image import Image
from sk2d.frontends.elf.stubs import is_stub
from sk2d.frontends.records import Target

_CALL = re.compile(rb"\xe8(....)", re.DOTALL)
_PROLOGUES = (b"\xf3\x0f\x1e", b"\x55", b"\x53", b"\x41", b"\x48\x83\xec", b"\x48\x81\xec")
# `lea rdi, [rip + main]` or `mov rdi, main`: what _start hands to __libc_start_main.
_MAIN = re.compile(rb"\x48\x8d\x3d(....)|\x48\xc7\xc7(....)|\xbf(....)", re.DOTALL)
_START_SIZE = 64


def find_functions(image: Image) -> list[Target]:
    """List the functions of an image.

    Args:
        image: A loaded file.

    Returns:
        Functions in the order of addresses, without imports and their stubs.
    """
    stubs = {symbol.address for symbol in image.symbols if symbol.is_import}
    named = {
        symbol.address: symbol
        for symbol in sorted(
            image.symbols, key=lambda one: (one.name.startswith("_"), one.name), reverse=True
        )
        if symbol.is_function and not symbol.is_import and symbol.address not in image.parts
    }
    starts: dict[int, int] = {address: symbol.size for address, symbol in named.items()}
    for start, end in image.unwound:
        if start not in image.parts and not is_stub(image, start):
            starts[start] = starts.get(start) or end - start
    if image.entry is not None:
        starts.setdefault(image.entry, 0)
    if not named and not image.unwound:
        starts |= {address: 0 for address in _called(image) if address not in starts}
    main = _main(image)
    if main is not None:
        starts.setdefault(main, 0)
    ordered = sorted(
        address for address in starts if address not in stubs and _is_code(image, address)
    )
    names = {address: symbol.name for address, symbol in named.items()}
    if main is not None:
        names.setdefault(main, "main")
    if image.entry is not None:
        names.setdefault(image.entry, "_start")
    return [_target(image, ordered, place, starts, names) for place in range(len(ordered))]


def _target(
    image: Image, ordered: list[int], place: int, starts: dict[int, int], names: dict[int, str]
) -> Target:
    address = ordered[place]
    part = image.range_at(address)
    end = part.end if part else image.end
    following = ordered[place + 1] if place + 1 < len(ordered) else end
    size = starts[address] or min(following, end) - address
    return Target(names.get(address, unnamed(address)), address, size, address in names)


def unnamed(address: int) -> str:
    """Make a name for a function that has none.

    Args:
        address: Where it begins.

    Returns:
        A name as Ghidra makes it, such as `FUN_00101189`.
    """
    return f"FUN_{address:08x}"


def _is_code(image: Image, address: int) -> bool:
    part = image.range_at(address)
    return part is not None and part.executable and part.name != "imports"


def _called(image: Image) -> set[int]:
    """Find what x86 code calls, where the file says nothing about its functions."""
    if image.machine not in ("EM_X86_64", "EM_386"):
        return set()
    found: set[int] = set()
    for part in image.ranges:
        if not part.executable or part.name == "imports":
            continue
        code = image.read(part.start, part.end - part.start)
        for match in _CALL.finditer(code):
            offset = int.from_bytes(match[1], "little", signed=True)
            target = part.start + match.end() + offset
            if target in part and image.read(target, 4).startswith(_PROLOGUES):
                found.add(target)
    return found


def _main(image: Image) -> int | None:
    """Find `main` through the code at the entry of an x86-64 program."""
    if image.machine != "EM_X86_64" or image.entry is None or image.kind == "object":
        return None
    if not any(symbol.name == "__libc_start_main" for symbol in image.symbols):
        return None
    match = _MAIN.search(image.read(image.entry, _START_SIZE))
    if match is None:
        return None
    if match[1] is not None:
        address = image.entry + match.end() + int.from_bytes(match[1], "little", signed=True)
    else:
        address = int.from_bytes(match[2] or match[3], "little")
    return address if _is_code(image, address) else None
