"""Tail calls: a jump to another function becomes a jump to a stub that calls it and returns.

The engine would follow the jump and show the other function's code as part of this one.
Runs beside `worker.py`, in the decompiler's environment: nothing of sk2d is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator

STUB_SIZE = 16
Patch = tuple[int, bytes]


def redirect(
    language: str, tails: list[tuple[int, int, int]], known: set[int], stubs: int, room: int
) -> Iterator[Patch]:
    """Write the stubs of a function's tail calls.

    Args:
        language: Ghidra's name of the processor.
        tails: Address, size and target of each jump out of the function.
        known: Addresses of functions.
        stubs: Where stubs may be written.
        room: Bytes there.

    Yields:
        Address and bytes to write, for jumps and stubs.
    """
    write = {"x86": _x86, "AARCH64": _arm64}.get(language.split(":")[0])
    if write is None:
        return
    places: dict[int, int] = {}
    for address, size, target in tails:
        if target not in known or (target not in places and room < STUB_SIZE):
            continue
        if target not in places:
            places[target] = stubs
            stubs, room = stubs + STUB_SIZE, room - STUB_SIZE
        yield from write(address, size, target, places[target])


def _signed(value: int, size: int) -> bytes:
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def _x86(address: int, size: int, target: int, stub: int) -> Iterator[Patch]:
    if size < 5:
        return  # a short jump does not reach the stubs
    yield stub, b"\xe8" + _signed(target - stub - 5, 4) + b"\xc3"
    yield address + size - 4, _signed(stub - address - size, 4)


def _arm64(address: int, size: int, target: int, stub: int) -> Iterator[Patch]:
    call = 0x94000000 | (target - stub - 4) >> 2 & 0x3FFFFFF
    words = (0xA9BF7BFD, call, 0xA8C17BFD, 0xD65F03C0)  # stp x29, x30; bl; ldp x29, x30; ret
    yield stub, b"".join(word.to_bytes(4, "little") for word in words)
    yield address, (0x14000000 | (stub - address) >> 2 & 0x3FFFFFF).to_bytes(4, "little")
