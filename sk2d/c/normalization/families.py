"""Writes the regular part of the shim header: one line for each width of Ghidra's operations.

python -m sk2d.c.normalization.families
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

HEADER: Final = Path(__file__).with_name("shim.h")
_BEGIN: Final = "/* families: python -m sk2d.c.normalization.families */\n"
_END: Final = "/* end of families */\n"
_WIDEST: Final = 16
_UNSIGNED: Final = ((1, "uint8_t"), (2, "uint16_t"), (4, "uint32_t"), (8, "uint64_t"))
_SIGNED: Final = ((1, "int8_t"), (2, "int16_t"), (4, "int32_t"), (8, "int64_t"))


def _narrowest(types: tuple[tuple[int, str], ...], widest: str, size: int) -> str:
    """Give the narrowest type that holds so many bytes."""
    return next((name for width, name in types if width >= size), widest)


def _unsigned(size: int) -> str:
    return _narrowest(_UNSIGNED, "unsigned __int128", size)


def _signed(size: int) -> str:
    return _narrowest(_SIGNED, "__int128", size)


def family_lines() -> list[str]:
    """Give the lines of all widths up to 16 bytes.

    Some names can be read in two ways: CONCAT115 joins 1 and 15 bytes or 11 and 5. Ghidra builds
    vectors byte by byte, so the first reading is the right one.

    Returns:
        The lines; no macro twice.
    """
    lines: dict[str, str] = {}
    for name, line in _all_lines():
        lines.setdefault(name, line)
    return list(lines.values())


def _all_lines() -> Iterator[tuple[str, str]]:
    sizes = range(1, _WIDEST + 1)
    for x in sizes:
        for y in range(1, _WIDEST + 1 - x):
            name = f"CONCAT{x}{y}"
            yield name, f"#define {name}(h, l) SK2D_CONCAT({_unsigned(x + y)}, {x}, {y}, h, l)"
    for x in sizes:
        for y in range(1, x):
            yield f"SUB{x}{y}", f"#define SUB{x}{y}(v, c) SK2D_SUB({_unsigned(y)}, {y}, v, c)"
    for x in sizes:
        for y in range(x + 1, _WIDEST + 1):
            yield f"ZEXT{x}{y}", f"#define ZEXT{x}{y}(v) SK2D_ZEXT({_unsigned(y)}, {x}, v)"
            yield f"SEXT{x}{y}", f"#define SEXT{x}{y}(v) SK2D_SEXT({_signed(y)}, {x}, v)"
    for x, unsigned in (*_UNSIGNED, (16, "unsigned __int128")):
        yield f"CARRY{x}", f"#define CARRY{x}(a, b) SK2D_FLAG(add, {unsigned}, a, b)"
        yield f"SCARRY{x}", f"#define SCARRY{x}(a, b) SK2D_FLAG(add, {_signed(x)}, a, b)"
        yield f"SBORROW{x}", f"#define SBORROW{x}(a, b) SK2D_FLAG(sub, {_signed(x)}, a, b)"
    for size, letter in ((1, "BYTE"), (2, "WORD"), (4, "DWORD"), (8, "QWORD")):
        for n in range(0 if size == 8 else 1, _WIDEST // size):
            yield f"{letter}{n}", f"#define {letter}{n}(x) SK2D_PART(sk2d_u{size}, x, {n})"
            yield f"S{letter}{n}", f"#define S{letter}{n}(x) SK2D_PART(sk2d_s{size}, x, {n})"


def with_families(header: str) -> str:
    """Put the lines between their marks.

    Args:
        header: Text of the shim header.

    Returns:
        The text with the lines as they should be.
    """
    before, _, rest = header.partition(_BEGIN)
    _, _, behind = rest.partition(_END)
    return before + _BEGIN + "\n".join(family_lines()) + "\n" + _END + behind


if __name__ == "__main__":
    HEADER.write_text(with_families(HEADER.read_text(encoding="utf-8")), encoding="utf-8")
