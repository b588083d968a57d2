"""What the decompiler is told about an image: names, prototypes, constants, as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from sk2d.errors import FrontendError
from sk2d.frontends import prototypes
from sk2d.frontends.elf import Image
from sk2d.frontends.names import c_names
from sk2d.frontends.records import Target

LANGUAGES: Final = {
    ("EM_X86_64", 64, True): "x86:LE:64:default",
    ("EM_386", 32, True): "x86:LE:32:default",
    ("EM_AARCH64", 64, True): "AARCH64:LE:64:v8A",
    ("EM_ARM", 32, True): "ARM:LE:32:v8",
    ("EM_MIPS", 32, True): "MIPS:LE:32:default",
    ("EM_MIPS", 32, False): "MIPS:BE:32:default",
    ("EM_RISCV", 64, True): "RISCV:LE:64:RV64GC",
    ("EM_PPC64", 64, True): "PowerPC:LE:64:default",
}
COMPILERS: Final = {"EM_X86_64": "gcc", "EM_386": "gcc"}
STEPS: Final = ("prototypes", "constants", "tails", "names", "data", "returns", "callees")
"""What is restored beside the engine; each can be switched off to see what it is worth."""

STUB_ROOM: Final = 1 << 14
MAX_INSTRUCTIONS: Final = 200_000
MAIN: Final = "extern int4 main(int4, char **, char **);"


def language_of(image: Image) -> str:
    """Give Ghidra's name of an image's processor.

    Args:
        image: A loaded file.

    Returns:
        Such as `x86:LE:64:default`.

    Raises:
        FrontendError: The processor is not in the table.
    """
    key = (image.machine, image.bits, image.little_endian)
    if key not in LANGUAGES:
        order = "little" if image.little_endian else "big"
        raise FrontendError(
            f"{image.machine} ({image.bits} bits, {order} endian) is not supported",
            where=str(image.path),
            remedy=f"Known are: {', '.join(sorted({name for name, _, _ in LANGUAGES}))}",
        )
    return LANGUAGES[key]


def write_job(image: Image, targets: list[Target], folder: Path, steps: Collection[str]) -> Path:
    """Write the image and what is known of it for the workers.

    Args:
        image: A loaded file; stubs are appended to it.
        targets: Its functions.
        folder: Where to.
        steps: Which of `STEPS` are done.

    Returns:
        The job file.
    """
    stubs = image.append(STUB_ROOM, "stubs", executable=True)
    memory = folder / "image.bin"
    memory.write_bytes(image.memory)
    found: dict[str, Any] = {
        "image": str(memory),
        "base": image.base,
        "word": image.word,
        "language": language_of(image),
        "compiler": COMPILERS.get(image.machine),
        "max_instructions": MAX_INSTRUCTIONS,
        "types": prototypes.opaque_types() if "prototypes" in steps else [],
        "constants": constant_ranges(image) if "constants" in steps else [],
        "functions": functions(image, targets, steps),
        "data": data(image) if "names" in steps else {},
        "stubs": [stubs, STUB_ROOM],
        "tails": "tails" in steps,
        "returns": "returns" in steps,
        "parts": image.parts,
    }
    path = folder / "job.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def constant_ranges(image: Image) -> list[tuple[int, int]]:
    """List the memory that never changes: its contents may stand in the code.

    Args:
        image: A loaded file.

    Returns:
        First and last address of each part.
    """
    return [
        (part.start, part.end - 1)
        for part in image.ranges
        if not part.writable and not part.executable and part.end > part.start
    ]


def functions(
    image: Image, targets: list[Target], steps: Collection[str]
) -> dict[int, tuple[str, str, bool, bool]]:
    """Describe every function of an image.

    Args:
        image: A loaded file.
        targets: The functions that it defines.
        steps: Which of `STEPS` are done.

    Returns:
        By address: name, declaration ("" for none), whether it never returns, whether it is only
        a way to read the program counter.
    """
    if "names" not in steps:
        return {}
    names = c_names(targets)
    found = {
        target.address: _facts(target.name, names[target.address], image.bits, steps)
        for target in targets
    }
    imports = (one for one in image.symbols if one.is_import and one.is_function)
    return found | {one.address: _facts(one.name, one.name, image.bits, steps) for one in imports}


def declaration_of(name: str, bits: int, steps: Collection[str]) -> str | None:
    """Give what is known of a function by its name alone.

    Args:
        name: Its name.
        bits: Size of a pointer, 32 or 64.
        steps: Which of `STEPS` are done.

    Returns:
        Its declaration, for `main` and functions of the C library.
    """
    if "prototypes" not in steps:
        return None
    return MAIN if name == "main" else prototypes.prototype(name, bits)


def is_thunk(name: str) -> bool:
    """Tell whether a function does nothing but read the program counter.

    Args:
        name: Its name in the file.

    Returns:
        Whether it is one of gcc's.
    """
    return name.startswith(("__x86.get_pc_thunk.", "__i686.get_pc_thunk."))


def _facts(
    name: str, c_name: str, bits: int, steps: Collection[str]
) -> tuple[str, str, bool, bool]:
    declaration = declaration_of(name, bits, steps) or ""
    return c_name, declaration, name in prototypes.NO_RETURN, is_thunk(name)


def data(image: Image) -> dict[int, str]:
    """Declare the library's variables, such as `stdout`, at their places in the image.

    Args:
        image: A loaded file.

    Returns:
        Declaration by address.
    """
    found = {}
    for symbol in image.symbols:
        declaration = (
            prototypes.variable(symbol.name, image.bits) if not symbol.is_function else None
        )
        if declaration:
            found[symbol.address] = declaration
    return found
