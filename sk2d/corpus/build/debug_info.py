"""What debug information says of a unit's functions: where they are, in both worlds."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class Located:
    """A function that the compiler saw.

    Args:
        name: Its name.
        file: Where its source is.
        line: Line of its declaration there.
        address: Its place in the library; None where it has no code of its own.
        inlined: Functions whose code is inside its own.
        split: Whether this code is a part that the compiler moved out of the function, so that
            the function's head could be inlined.
    """

    name: str
    file: Path
    line: int
    address: int | None
    inlined: tuple[str, ...]
    split: bool = False


def located_functions(library: bytes, folder: Path) -> list[Located]:
    """List the functions of a library from its DWARF.

    Args:
        library: A library with debug information.
        folder: Where relative paths begin.

    Returns:
        Those with code by address, then those without.
    """
    try:
        file = ELFFile(io.BytesIO(library))
        dwarf = file.get_dwarf_info()
        found = [each for unit in dwarf.iter_CUs() for each in _of_unit(dwarf, unit, folder)]
        parts = _parts(file)
    except (ELFError, DWARFError, KeyError, ValueError):
        return []
    unique = {(each.name, each.file, each.line, each.address): each for each in found}
    # A function that is inlined somewhere and has code of its own too is described twice.
    placed = {key[:3] for key in unique if key[3] is not None}
    kept = (each for key, each in unique.items() if key[3] is not None or key[:3] not in placed)
    told = (dataclasses.replace(each, split=each.address in parts) for each in kept)
    return sorted(told, key=lambda each: (each.address is None, each.address or 0))


def _parts(file: ELFFile) -> set[int]:
    """Give the addresses of split-off parts, which only gcc's symbols tell from functions."""
    table = file.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return set()
    return {symbol["st_value"] for symbol in table.iter_symbols() if ".part." in symbol.name}


def _of_unit(dwarf: Any, unit: Any, folder: Path) -> Iterator[Located]:
    files = _files(dwarf, unit, folder)
    for entry in unit.iter_DIEs():
        if entry.tag != "DW_TAG_subprogram":
            continue
        named = _origin(entry)
        attributes = named.attributes
        place = attributes.get("DW_AT_decl_file")
        if "DW_AT_name" not in attributes or place is None or place.value not in files:
            continue
        start = _start(dwarf, unit, entry)
        if start is None and ("DW_AT_declaration" in attributes or entry is not named):
            continue
        yield Located(
            name=attributes["DW_AT_name"].value.decode("utf-8", "replace"),
            file=files[place.value],
            line=int(attributes["DW_AT_decl_line"].value),
            address=start,
            inlined=tuple(dict.fromkeys(_inlined(entry))),
        )


def _start(dwarf: Any, unit: Any, entry: Any) -> int | None:
    """Give the address at which a function is entered; one with a cold part has ranges."""
    for key in ("DW_AT_low_pc", "DW_AT_entry_pc"):
        if key in entry.attributes:
            return int(entry.attributes[key].value)
    ranges = entry.attributes.get("DW_AT_ranges")
    if ranges is None:
        return None
    lists = dwarf.range_lists()
    found = lists.get_range_list_at_offset(ranges.value, unit)
    base = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    start = base.value if base is not None else 0
    for each in found:
        if hasattr(each, "base_address"):
            start = each.base_address
        else:
            return int(each.begin_offset) + (0 if getattr(each, "is_absolute", False) else start)
    return None


def _origin(entry: Any) -> Any:
    """Follow a concrete function to the abstract one that has its name."""
    for key in ("DW_AT_abstract_origin", "DW_AT_specification"):
        if key in entry.attributes and "DW_AT_name" not in entry.attributes:
            return _origin(entry.get_DIE_from_attribute(key))
    return entry


def _inlined(entry: Any) -> Iterator[str]:
    for child in entry.iter_children():
        if child.tag == "DW_TAG_inlined_subroutine" and "DW_AT_abstract_origin" in child.attributes:
            name = child.get_DIE_from_attribute("DW_AT_abstract_origin").attributes.get(
                "DW_AT_name"
            )
            if name is not None:
                yield name.value.decode("utf-8", "replace")
        yield from _inlined(child)


def _files(dwarf: Any, unit: Any, folder: Path) -> dict[int, Path]:
    """Give the files of a unit by the numbers that its entries use."""
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return {}
    version = program.header.version
    top = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    start = folder / (top.value.decode("utf-8", "replace") if top else "")
    folders = [entry.decode("utf-8", "replace") for entry in program.header.include_directory]
    found = {}
    for number, entry in enumerate(program["file_entry"], start=0 if version >= 5 else 1):
        at = entry.dir_index if version >= 5 else entry.dir_index - 1
        inside = folders[at] if 0 <= at < len(folders) else ""
        found[number] = (start / inside / entry.name.decode("utf-8", "replace")).resolve()
    return found
