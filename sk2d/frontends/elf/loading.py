"""Reading an ELF file: segments or sections into memory, symbols, relocations, imports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from sk2d.errors import FrontendError
from sk2d.frontends.elf.image import Image, Kind, Range, Symbol
from sk2d.frontends.elf.objects import lay_out_object
from sk2d.frontends.elf.relocating import relocate
from sk2d.frontends.elf.stubs import find_stubs
from sk2d.frontends.elf.unwinding import read_unwinding

POSITION = 0x100000
"""Where files lie that may lie anywhere: at 0 their addresses would look like small numbers."""

LARGEST = 1 << 30
OTHERS = {
    b"MZ": "a Windows program (PE)",
    b"\xfe\xed\xfa\xce": "a macOS program (Mach-O)",
    b"\xfe\xed\xfa\xcf": "a macOS program (Mach-O)",
    b"\xce\xfa\xed\xfe": "a macOS program (Mach-O)",
    b"\xcf\xfa\xed\xfe": "a macOS program (Mach-O)",
    b"\xca\xfe\xba\xbe": "a macOS program (Mach-O) or a Java class",
    b"!<arch>\n": "an archive: take its members out with `ar x`",
    b"#!": "a script",
}
KINDS: dict[str, Kind] = {"ET_EXEC": "executable", "ET_DYN": "shared", "ET_REL": "object"}

# STT_LOOS is what pyelftools calls STT_GNU_IFUNC: a function that is chosen when a program starts.
SYMBOL_KINDS = ("STT_FUNC", "STT_OBJECT", "STT_GNU_IFUNC", "STT_LOOS")

_PARTS = (".cold", ".part.cold")


def load_elf(path: Path) -> Image:
    """Read an ELF file.

    Args:
        path: The file.

    Returns:
        Its image, with relocations applied and imports named.

    Raises:
        FrontendError: It is no ELF file, or a broken one.
    """
    _check_magic(path)
    try:
        with path.open("rb") as stream:
            return _load(ELFFile(stream), path)
    except (
        ELFError,
        ConstructError,
        UnicodeDecodeError,
        ValueError,
        KeyError,
        IndexError,
        OSError,  # a damaged offset is no place in a file
    ) as error:
        raise FrontendError(
            f"the ELF file is broken ({type(error).__name__}: {_first_line(error)})",
            where=str(path),
            remedy="Copy or build it again",
        ) from error


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or "no reason given"


def _check_magic(path: Path) -> None:
    if not path.is_file():
        what = "this is a folder" if path.is_dir() else "there is no such file"
        raise FrontendError(what, where=str(path), remedy="Name an ELF file")
    with path.open("rb") as stream:
        start = stream.read(64)
    if start.startswith(b"\x7fELF") and len(start) >= 52:
        return
    kind = next((name for magic, name in OTHERS.items() if start.startswith(magic)), None)
    if not start:
        what = "the file is empty"
    elif start.startswith(b"\x7fELF"):
        what = "the ELF file ends inside its header"
    else:
        what = f"this is {kind}, and no ELF file" if kind else "this is no ELF file"
    raise FrontendError(what, where=str(path), remedy="Name an ELF file (Linux program, .so or .o)")


def _load(elf: ELFFile, path: Path) -> Image:
    kind = KINDS.get(elf["e_type"])
    if kind is None:
        what = f"an ELF file of type {elf['e_type']} holds no program"
        raise FrontendError(what, where=str(path), remedy="Name a program, a .so or a .o")
    image = Image(
        path=path,
        machine=str(elf["e_machine"]),
        bits=elf.elfclass,
        little_endian=elf.little_endian,
        kind=kind,
        base=POSITION,
        memory=bytearray(),
    )
    if kind == "object":
        image.warnings.append(
            "an object file: calls are resolved through its relocations, and what other files "
            "define is only known by name"
        )
        lay_out_object(elf, image)
    else:
        _map_segments(elf, image)
        shift = image.base - _lowest(elf)
        _name_ranges(elf, image, shift)
        image.symbols = list(_symbols(elf, shift))
        if elf["e_entry"]:
            image.entry = elf["e_entry"] + shift
        relocate(elf, image, shift)
        image.symbols += find_stubs(image)
        read_unwinding(elf, image, shift)
    _named_parts(image)
    image.ranges.sort(key=lambda part: part.start)
    return image


def _named_parts(image: Image) -> None:
    """Let names, where there are any, decide what is a function and what a part of one."""
    for symbol in image.symbols:
        if symbol.is_function and symbol.name.endswith(_PARTS):
            image.parts[symbol.address] = symbol.size
        elif symbol.is_function:
            image.parts.pop(symbol.address, None)


def _loaded(elf: ELFFile) -> list[Any]:
    return [part for part in elf.iter_segments() if part["p_type"] == "PT_LOAD" and part["p_memsz"]]


def _lowest(elf: ELFFile) -> int:
    return int(min(part["p_vaddr"] for part in _loaded(elf)))


def _map_segments(elf: ELFFile, image: Image) -> None:
    parts = _loaded(elf)
    if not parts:
        what = "the file has nothing that is loaded into memory"
        raise FrontendError(what, where=str(image.path), remedy="Name a program, a .so or a .o")
    low = _lowest(elf)
    high = max(part["p_vaddr"] + part["p_memsz"] for part in parts)
    if high - low > LARGEST:
        raise FrontendError(
            f"it spreads over {(high - low) / 2**30:.1f} GiB of memory",
            where=str(image.path),
            remedy=f"At most {LARGEST // 2**30} GiB can be read",
        )
    image.base = low if image.kind == "executable" else low + POSITION
    shift = image.base - low
    image.memory = bytearray(high - low)
    for part in parts:
        data = part.data()
        if len(data) < part["p_filesz"]:
            missing = part["p_filesz"] - len(data)
            what = f"the file is cut off: {missing} bytes of a segment are missing"
            raise FrontendError(what, where=str(image.path), remedy="Copy or build it again")
        start = part["p_vaddr"] - low
        image.memory[start : start + len(data)] = data
        first = part["p_vaddr"] + shift
        image.ranges.append(
            Range(
                first, first + part["p_memsz"], bool(part["p_flags"] & 2), bool(part["p_flags"] & 1)
            )
        )


def _name_ranges(elf: ELFFile, image: Image, shift: int) -> None:
    """Cut the segments into sections, where the file still lists these."""
    sections = [
        Range(
            section["sh_addr"] + shift,
            section["sh_addr"] + shift + section["sh_size"],
            bool(section["sh_flags"] & 1) and not _is_relocated_once(section.name),
            bool(section["sh_flags"] & 4),
            section.name,
        )
        for section in elf.iter_sections()
        if section["sh_flags"] & 2
        and section["sh_addr"]
        and section["sh_size"]
        # thread-local variables have no address of their own
        and not section["sh_flags"] & 0x400
    ]
    if sections:
        image.ranges = sections


def _is_relocated_once(name: str) -> bool:
    """Tell whether a section is written by the loader alone, so that it is constant afterwards."""
    return name.startswith((".got", ".data.rel.ro", ".init_array", ".fini_array", ".dynamic"))


def _symbols(elf: ELFFile, shift: int) -> Iterator[Symbol]:
    seen: set[tuple[str, int]] = set()
    for table in elf.iter_sections():
        if not isinstance(table, SymbolTableSection):
            continue
        for entry in table.iter_symbols():
            kind = entry["st_info"]["type"]
            defined = entry["st_shndx"] not in ("SHN_UNDEF", "SHN_ABS")
            name = entry.name.split("@")[0]
            key = (name, entry["st_value"])
            if not name or not defined or key in seen or kind not in SYMBOL_KINDS:
                continue
            seen.add(key)
            yield Symbol(name, entry["st_value"] + shift, entry["st_size"], kind != "STT_OBJECT")
