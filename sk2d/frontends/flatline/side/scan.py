"""Looks through the code of one function: what it refers to, and where it ends in a jump.

Runs beside `worker.py`, in the decompiler's environment: nothing of sk2d is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import capstone
from capstone import arm64, x86


@dataclass
class Scan:
    """What was found in a function.

    Args:
        references: Addresses that it calls, jumps to, reads or takes, and how many bytes it reads
            or writes there at the most; 0 where it only takes the address.
        tails: Address, size and target of each jump to another function.
        last_call: What it calls as its very last instruction, directly or through a table; None
            where it ends otherwise.
        results: Functions whose result is used after a call, with the engine's word for its type.
    """

    references: dict[int, int] = field(default_factory=dict)
    tails: list[tuple[int, int, int]] = field(default_factory=list)
    last_call: int | None = None
    results: dict[int, str] = field(default_factory=dict)


def disassembler(language: str) -> Any | None:
    """Make a disassembler.

    Args:
        language: Ghidra's name of the processor, such as `x86:LE:64:default`.

    Returns:
        It, or None for a processor whose code is not looked through.
    """
    modes = {
        "x86:LE:64:default": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
        "x86:LE:32:default": (capstone.CS_ARCH_X86, capstone.CS_MODE_32),
        "AARCH64:LE:64:v8A": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }
    if language not in modes:
        return None
    made = capstone.Cs(*modes[language])
    made.detail = True
    made.skipdata = True
    return made


def scan(reader: Any, code: bytes, start: int) -> Scan:
    """Look through a function.

    Args:
        reader: A disassembler.
        code: Its bytes.
        start: Its address.

    Returns:
        What was found.
    """
    found = Scan()
    step = _arm64 if reader.arch == capstone.CS_ARCH_ARM64 else _x86
    pages: dict[int, int] = {}
    watched: int | None = None  # what was called last, while nothing wrote or read its result
    for instruction in reader.disasm(code, start):
        if instruction.id == 0:
            continue  # data between instructions
        watched = _watch(instruction, watched, found.results)
        if instruction.mnemonic not in _PADDING:
            found.last_call = _called(instruction, step(instruction, pages))
        for address, size in step(instruction, pages):
            found.references[address] = max(size, found.references.get(address, 0))
        target = _jump_target(instruction)
        if target is not None and not start <= target < start + len(code):
            found.tails.append((instruction.address, instruction.size, target))
    return found


RESULTS = {
    x86.X86_REG_AL: "xunknown1",
    x86.X86_REG_AX: "xunknown2",
    x86.X86_REG_EAX: "xunknown4",
    x86.X86_REG_RAX: "xunknown8",
}
"""Registers of a result, with the engine's words for what is in them."""

_FLOATS = {"ss": "float4", "sd": "float8"}


def wider(one: str, other: str | None) -> str:
    """Give the wider of two types; floating point is not wider than anything."""
    if other is None or other.startswith("float") or one.startswith("float"):
        return other or one
    return max(one, other, key=lambda kind: int(kind[len("xunknown") :]))


def _watch(instruction: Any, watched: int | None, results: dict[int, str]) -> int | None:
    """Look whether the result of the last call is read; give the call that is still to watch."""
    groups = instruction.groups
    if instruction._cs.arch != capstone.CS_ARCH_X86:
        return None
    if capstone.CS_GRP_CALL in groups:
        operand = instruction.operands[0]
        return operand.imm if operand.type == capstone.CS_OP_IMM else None
    if watched is None:
        return None
    reads, writes = instruction.regs_access()
    clears = instruction.mnemonic.startswith(("xor", "pxor", "sub")) and len(set(reads)) == 1
    for register in () if clears else reads:
        kind = RESULTS.get(register)
        if register == x86.X86_REG_XMM0:
            kind = _FLOATS.get(instruction.mnemonic[-2:])
        if kind is not None:
            results[watched] = wider(kind, results.get(watched))
            return None
    ends = {capstone.CS_GRP_JUMP, capstone.CS_GRP_RET} & set(groups)
    written = any(register in RESULTS or register == x86.X86_REG_XMM0 for register in writes)
    return None if ends or written else watched


_PADDING = ("nop", "int3", "endbr64", "data16", "ud2")


def _called(instruction: Any, operands: Iterator[tuple[int, int]]) -> int | None:
    is_call = capstone.CS_GRP_CALL in instruction.groups
    return next((address for address, _ in operands), None) if is_call else None


def _jump_target(instruction: Any) -> int | None:
    groups, operands = instruction.groups, instruction.operands
    if capstone.CS_GRP_JUMP not in groups or capstone.CS_GRP_CALL in groups or not operands:
        return None
    last = operands[-1]
    return last.imm if last.type == capstone.CS_OP_IMM else None


def _x86(instruction: Any, pages: dict[int, int]) -> Iterator[tuple[int, int]]:
    takes = instruction.id == x86.X86_INS_LEA
    for operand in instruction.operands:
        if operand.type == x86.X86_OP_IMM:
            yield operand.imm, 0
        elif operand.type == x86.X86_OP_MEM:
            base = operand.mem.base
            if base == x86.X86_REG_RIP:
                address = instruction.address + instruction.size + operand.mem.disp
                yield address, 0 if takes else operand.size
            elif operand.mem.disp > 0xFFF:
                is_plain = base == x86.X86_REG_INVALID and operand.mem.index == base
                yield operand.mem.disp, operand.size if is_plain and not takes else 0


def _arm64(instruction: Any, pages: dict[int, int]) -> Iterator[tuple[int, int]]:
    operands = instruction.operands
    if instruction.mnemonic in ("adrp", "adr"):
        pages[operands[0].reg] = operands[1].imm
        yield operands[1].imm, 0
    elif instruction.mnemonic == "add" and len(operands) == 3:
        if operands[2].type == arm64.ARM64_OP_IMM and operands[1].reg in pages:
            yield pages[operands[1].reg] + operands[2].imm, 0
    elif (
        instruction.mnemonic.startswith(("ldr", "str")) and operands[-1].type == arm64.ARM64_OP_MEM
    ):
        if operands[-1].mem.base in pages:
            yield pages[operands[-1].mem.base] + operands[-1].mem.disp, _loaded(instruction)
    else:
        yield from ((one.imm, 0) for one in operands if one.type == arm64.ARM64_OP_IMM)


def _loaded(instruction: Any) -> int:
    """Give the bytes that a load or store moves: by its letter, else by its register's name."""
    sizes = {"b": 1, "h": 2}
    if instruction.mnemonic[-1] in sizes and instruction.mnemonic != "ldr":
        return sizes[instruction.mnemonic[-1]]
    return {"w": 4, "s": 4, "q": 16, "h": 2, "b": 1}.get(instruction.op_str[:1], 8)
