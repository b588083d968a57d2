"""Compile the example functions and write the pseudo-code that a decompiler gives for them.

Reads   examples/functions/NAME.c
Writes  examples/pseudo/NAME.O0.c and examples/pseudo/NAME.O2.c

Needs (none of it is needed to train; the results are part of the project):
  - Python 3.13 with ``pip install flatline==0.1.2 pyelftools`` (flatline is Ghidra's decompiler
    without its Java half and brings the processor tables along),
  - gcc and ld for x86-64 (the shipped files were made with gcc 12.2),
  - clang-format (``pip install clang-format==23.1.5``), on PATH or given by --clang-format.

How a function is compiled: ``gcc -O0`` or ``-O2`` with position independent code. Three flags keep
the output readable: no unrolled recursion, no vectors, and no tail calls (Ghidra's engine follows a
``jmp`` into the callee). The object is linked alone; every function or variable that it needs from
elsewhere becomes a ``ret`` of its own, which gives it an address and a name, and nothing more.
flatline takes a flat memory image and an address, so the loaded segments are laid out at 0x100000
and names are put in after decompiling:
  - names of the C library always survive,
  - names of the project survive in half of the functions, as in a shared library; in the other half
    (``is_stripped``: by the CRC-32 of the function's name) they are lost, as in a stripped program,
    and Ghidra's own FUN_ and DAT_ names stand there,
  - a number that is the address of a printable string in .rodata becomes that string.

The text is then normalised token by token (literals keep their bytes): no comments, flatline's
types, which count bytes, become C types of the same width, hexadecimal becomes decimal of the same
type, and clang-format lays it out in Google style.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from build_rows import FOLDER, LEVELS, STYLE, names
from elftools.elf.elffile import ELFFile
from flatline import DecompileRequest, DecompilerSession

BASE = 0x100000
GCC_FLAGS = ("-fPIE", "-fcf-protection=none", "-fno-asynchronous-unwind-tables")
READABLE_FLAGS = ("-fno-inline", "-fno-tree-vectorize", "-fno-optimize-sibling-calls")
# All that the example functions take from the C library; add to it with the function that needs it.
LIBRARY = {"__ctype_b_loc", "exit", "fprintf", "free", "malloc", "printf", "stderr"}
LIBRARY |= {"strchr", "strcmp", "strlen", "strtol"}
TYPES = {
    "int1": "signed char", "int2": "short", "int4": "int", "int8": "long long",
    "uint1": "unsigned char", "uint2": "unsigned short", "uint4": "unsigned int",
    "uint8": "unsigned long long", "xunknown1": "uint8_t", "xunknown2": "uint16_t",
    "xunknown4": "uint32_t", "xunknown8": "uint64_t", "float4": "float", "float8": "double",
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<comment>/\*.*?\*/|//[^\n]*)"""
    r"""|\bfunc_(?:0x)?(?P<code>[0-9a-f]+)\b|\b[a-z]+Ram(?P<data>[0-9a-f]{16})\b"""
    r"""|\b0x(?P<hex>[0-9a-f]+)(?P<suffix>[uUlL]*)\b|\b(?P<word>[A-Za-z_]\w*)\b""",
    re.DOTALL,
)


def is_stripped(name: str) -> bool:
    """Whether the names of the project are lost in the pseudo-code of this function."""
    return zlib.crc32(name.encode()) % 8 >= 4


def link(source: Path, level: str, folder: Path) -> Path:
    """Compile one function and link it alone, with a one-byte stand-in for all that it lacks."""
    unit, stubs, program = folder / "unit.o", folder / "stubs.o", folder / "program"
    flags = [f"-{level}", *GCC_FLAGS, *READABLE_FLAGS]
    subprocess.run(["gcc", *flags, "-c", source, "-o", unit], check=True)
    listing = subprocess.run(["nm", "-u", unit], check=True, capture_output=True, text=True).stdout
    # The leading ret keeps a call that ends the function (exit) from running into a stand-in.
    lines = [".text", ".balign 16", "ret"]
    for name in sorted(line.split()[-1] for line in listing.splitlines()):
        lines += [".balign 16", f".globl {name}", f"{name}: ret"]
    lines += ['.section .note.GNU-stack,"",@progbits', ""]
    assemble = ["gcc", "-c", "-x", "assembler", "-", "-o", stubs]
    subprocess.run(assemble, input="\n".join(lines), check=True, text=True)
    order = ["ld", f"-Ttext-segment={BASE:#x}", "-e", "0", "-o", program, unit, stubs]
    subprocess.run(order, check=True)
    return program


@dataclass(frozen=True)
class Program:
    """A linked function: its memory image from BASE on, the names by address, its strings."""

    name: str
    image: bytes
    symbols: dict[int, str]
    rodata: range

    def symbol(self, address: int, kind: str) -> str:
        """The surviving name at an address, or Ghidra's own (FUN_00101000, DAT_00101010)."""
        name = self.symbols.get(address)
        if name in LIBRARY or (name and not is_stripped(self.name)):
            return name
        return f"{kind}_{address:08x}"

    def number(self, digits: str, suffix: str) -> str:
        """A hexadecimal number in decimal with the same type, or the string that it points at."""
        value = int(digits, 16)
        if value in self.rodata:
            raw = self.image[value - BASE :].split(b"\0")[0]
            if not raw or any(byte not in b"\t\n" and not 32 <= byte < 127 for byte in raw):
                return f"&DAT_{value:08x}"
            text = raw.decode().replace("\\", "\\\\").replace('"', '\\"')
            return '"' + text.replace("\n", "\\n").replace("\t", "\\t") + '"'
        kind = suffix.upper()
        needs_unsigned = value >> 63 or (value >> 31 == 1 and "L" not in kind)
        return f"{value}{'u' if needs_unsigned and 'U' not in kind else ''}{suffix}"

    def token(self, match: re.Match[str]) -> str:
        """What stands for one token of flatline's output."""
        if match["comment"]:
            return " "
        if match["code"]:
            return self.symbol(int(match["code"], 16), "FUN")
        if match["data"]:
            return self.symbol(int(match["data"], 16), "DAT")
        if match["hex"]:
            return self.number(match["hex"], match["suffix"])
        return TYPES.get(match["word"] or "", match[0])


def load(path: Path, name: str) -> Program:
    """Lay out the segments of a linked function as they would stand in memory."""
    image = bytearray()
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        for segment in elf.iter_segments("PT_LOAD"):
            start = segment["p_vaddr"] - BASE
            image.extend(bytes(max(0, start + segment["p_memsz"] - len(image))))
            image[start : start + segment["p_filesz"]] = segment.data()
        table = elf.get_section_by_name(".symtab").iter_symbols()
        symbols = {entry["st_value"]: entry.name for entry in table if entry.name}
        rodata = elf.get_section_by_name(".rodata")
        start, size = (rodata["sh_addr"], rodata["sh_size"]) if rodata else (0, 0)
    return Program(name, bytes(image), symbols, range(start, start + size))


def decompile(session: DecompilerSession, name: str, level: str) -> str:
    """The normalised pseudo-code of one example function, not formatted yet."""
    with tempfile.TemporaryDirectory() as folder:
        source = FOLDER / "functions" / f"{name}.c"
        program = load(link(source, level, Path(folder)), name)
    address = next(at for at, symbol in program.symbols.items() if symbol == name)
    result = session.decompile_function(
        DecompileRequest(program.image, BASE, address, "x86:LE:64:default", "gcc")
    )
    if result.c_code is None:
        sys.exit(f"{source}: flatline failed at {level}: {result.error}")
    text = TOKEN.sub(program.token, result.c_code)
    # Ghidra prints an empty line after the declarations; the source has none there.
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


def run(wanted: Iterable[str], clang_format: str) -> None:
    """Write the pseudo-code of these functions at all levels."""
    (FOLDER / "pseudo").mkdir(exist_ok=True)
    with DecompilerSession() as session:
        for name in wanted:
            for level in LEVELS:
                target = FOLDER / "pseudo" / f"{name}.{level}.c"
                target.write_text(decompile(session, name, level))
                subprocess.run([clang_format, "-i", f"--style={STYLE}", target], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write examples/pseudo from examples/functions.")
    parser.add_argument("names", nargs="*", help="functions to do (all of them when none is given)")
    parser.add_argument("--clang-format", default=shutil.which("clang-format"))
    arguments = parser.parse_args()
    if arguments.clang_format is None:
        parser.error("no clang-format on PATH: pip install clang-format, or give --clang-format")
    run(arguments.names or names(), arguments.clang_format)
