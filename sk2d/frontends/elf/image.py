"""What is known of a loaded ELF file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["executable", "shared", "object"]
PAGE = 0x1000


@dataclass(frozen=True)
class Range:
    """A part of memory with rights of its own.

    Args:
        start: First address.
        end: Address after the last.
        writable: Whether the program may write there once it runs.
        executable: Whether it holds code.
        name: Name of the section, where there is one.
    """

    start: int
    end: int
    writable: bool
    executable: bool
    name: str = ""

    def __contains__(self, address: int) -> bool:
        return self.start <= address < self.end


@dataclass(frozen=True)
class Symbol:
    """A name and what stands there.

    Args:
        name: The name, without version.
        address: Address in the image.
        size: Bytes; 0 where the file does not say.
        is_function: Whether it is code; else data.
        is_import: Whether another file defines it.
    """

    name: str
    address: int
    size: int
    is_function: bool
    is_import: bool = False


@dataclass
class Image:
    """A program as it lies in memory, before it runs.

    Args:
        path: The file.
        machine: pyelftools' name of the architecture, such as `EM_X86_64`.
        bits: 32 or 64.
        little_endian: Order of bytes.
        kind: What kind of file it is.
        base: Address of the first byte of `memory`.
        memory: All of it, gaps filled with zeros.
        ranges: Its parts, in the order of addresses.
        entry: Where it begins to run; None for files that do not.
        symbols: All names.
        unwound: Start and end of the functions that the table for stack unwinding lists.
        parts: Size by address of what the compiler moved away from a function, which jumps there:
            code that it takes to be run seldom, such as `copy.cold`.
        pointers: Addresses of the words that hold an address, as relocations tell.
        warnings: What was odd about the file.
    """

    path: Path
    machine: str
    bits: int
    little_endian: bool
    kind: Kind
    base: int
    memory: bytearray
    ranges: list[Range] = field(default_factory=list)
    entry: int | None = None
    symbols: list[Symbol] = field(default_factory=list)
    unwound: list[tuple[int, int]] = field(default_factory=list)
    parts: dict[int, int] = field(default_factory=dict)
    pointers: set[int] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Address after the last byte."""
        return self.base + len(self.memory)

    @property
    def order(self) -> Literal["little", "big"]:
        """Order of bytes, as `int.from_bytes` takes it."""
        return "little" if self.little_endian else "big"

    @property
    def word(self) -> int:
        """Bytes of a pointer."""
        return self.bits // 8

    def holds(self, address: int, size: int = 1) -> bool:
        """Tell whether bytes are in the image.

        Args:
            address: First address.
            size: Number of bytes.

        Returns:
            Whether all of them are.
        """
        return self.base <= address and address + size <= self.end

    def read(self, address: int, size: int) -> bytes:
        """Read bytes.

        Args:
            address: First address.
            size: Number of bytes.

        Returns:
            The bytes; fewer where the image ends before.
        """
        start = max(address - self.base, 0)
        return bytes(self.memory[start : max(address - self.base + size, 0)])

    def read_word(self, address: int, size: int | None = None) -> int:
        """Read an unsigned number.

        Args:
            address: First address.
            size: Bytes; None is the size of a pointer.

        Returns:
            The number.
        """
        return int.from_bytes(self.read(address, size or self.word), self.order)

    def write_word(self, address: int, value: int, size: int | None = None) -> None:
        """Write a number, cut to its size.

        Args:
            address: First address.
            value: The number; a negative one is written as two's complement.
            size: Bytes; None is the size of a pointer.
        """
        length = size or self.word
        start = address - self.base
        number = value & ((1 << 8 * length) - 1)
        self.memory[start : start + length] = number.to_bytes(length, self.order)

    def range_at(self, address: int) -> Range | None:
        """Find the part that an address lies in.

        Args:
            address: Any address.

        Returns:
            The part, or None.
        """
        return next((part for part in self.ranges if address in part), None)

    def append(self, size: int, name: str, *, executable: bool) -> int:
        """Add zeros after the end, on a page of their own.

        Args:
            size: Bytes.
            name: Name of the new part.
            executable: Whether it holds code.

        Returns:
            Its address.
        """
        start = -(-self.end // PAGE) * PAGE
        self.memory.extend(bytes(start - self.end + size))
        self.ranges.append(Range(start, start + size, False, executable, name))
        return start
