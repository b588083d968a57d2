"""Whether a function returns a value that the engine took for an unused one.

A compiler writes no register that nobody reads. So a write to the return register that nothing
reads before the `ret` is the result; memory that was asked for, is not stored anywhere and stays in
the return register until the end is the result too; and a function that changes nothing has one.
Runs beside `worker.py`, in the decompiler's environment: nothing of sk2d is imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capstone import CS_AC_WRITE, CS_GRP_CALL, CS_GRP_JUMP, CS_GRP_RET, x86

INTEGER = {
    x86.X86_REG_RAX: "xunknown8",
    x86.X86_REG_EAX: "xunknown4",
    x86.X86_REG_AX: "xunknown2",
    x86.X86_REG_AL: "xunknown1",
}
ALLOCATORS = frozenset(
    ("malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup", "aligned_alloc")
)
# They write the register besides what they are for.
BESIDES = frozenset(
    ("div", "idiv", "mul", "xchg", "cmpxchg", "xadd", "cdq", "cdqe", "cqo", "cwde", "pop", "leave")
) | {"cpuid", "rdtsc"}


def returned_type(instructions: Sequence[Any], names: dict[int, str]) -> str | None:
    """Find what a function returns.

    Args:
        instructions: All of an x86 function, in order.
        names: Names of functions by address.

    Returns:
        The engine's word for the type, or None where nothing shows that there is a result.
    """
    for place, instruction in enumerate(instructions):
        if CS_GRP_RET in instruction.groups:
            found = _unread_write(instructions, place)
            if found is not None:
                return found
    if _keeps_allocation(instructions, names):
        return "void *"
    return _last_written(instructions) if _changes_nothing(instructions) else None


def _changes_nothing(instructions: Sequence[Any]) -> bool:
    """Tell whether a function calls nothing and stores nothing but on its stack.

    Such a function would be of no use if it had no result.
    """
    if not instructions or CS_GRP_RET not in instructions[-1].groups:
        return False
    return not any(CS_GRP_CALL in one.groups or _stores(one) for one in instructions)


def _stores(instruction: Any) -> bool:
    if instruction.mnemonic.startswith(("rep", "stos", "movs ", "movsb", "lock", "xchg")):
        return True
    own = (x86.X86_REG_RSP, x86.X86_REG_RBP)
    return any(
        operand.type == x86.X86_OP_MEM
        and operand.access & CS_AC_WRITE
        and operand.mem.base not in own
        for operand in instruction.operands
    )


def _last_written(instructions: Sequence[Any]) -> str | None:
    """Give the type of the result register as it was written last."""
    for one in reversed(instructions):
        _, writes = one.regs_access()
        found = [INTEGER[register] for register in writes if register in INTEGER]
        if found:
            return found[0]
        if x86.X86_REG_XMM0 in writes:
            return _scalar(instructions)
    return None


def _unread_write(instructions: Sequence[Any], place: int) -> str | None:
    """Walk back from a `ret` to the last write of a return register that nothing read."""
    read: set[int] = set()
    for one in reversed(instructions[:place]):
        if CS_GRP_CALL in one.groups or CS_GRP_RET in one.groups:
            return None
        if CS_GRP_JUMP in one.groups and one.mnemonic == "jmp":
            return None
        reads, writes = one.regs_access()
        plain = one.mnemonic not in BESIDES and not one.mnemonic.startswith(("lock", "rep", "imul"))
        plain = plain or (one.mnemonic == "imul" and len(one.operands) > 1)
        if x86.X86_REG_XMM0 in writes and x86.X86_REG_XMM0 not in read:
            return _scalar(instructions)
        written = [INTEGER[register] for register in writes if register in INTEGER]
        if written and not read & INTEGER.keys():
            return written[0] if plain else None
        if written:
            return None
        read |= set(reads)
    return None


def _scalar(instructions: Sequence[Any]) -> str:
    """Tell single from double precision by what most instructions work on."""
    single = sum(one.mnemonic.endswith("ss") for one in instructions)
    double = sum(one.mnemonic.endswith("sd") for one in instructions)
    return "float4" if single > double else "float8"


def _keeps_allocation(instructions: Sequence[Any], names: dict[int, str]) -> bool:
    calls = [place for place, one in enumerate(instructions) if CS_GRP_CALL in one.groups]
    if not calls:
        return False
    last = instructions[calls[-1]]
    operand = last.operands[0] if last.operands else None
    if operand is None or operand.type != x86.X86_OP_IMM:
        return False
    if names.get(operand.imm) not in ALLOCATORS:
        return False
    after = instructions[calls[-1] + 1 :]
    end = next((place for place, one in enumerate(after) if CS_GRP_RET in one.groups), None)
    return end is not None and not any(map(_touches_result, after[:end]))


def _touches_result(instruction: Any) -> bool:
    """Tell whether an instruction writes the register or stores it somewhere."""
    _, writes = instruction.regs_access()
    operands = instruction.operands
    if instruction.mnemonic == "xchg" and len({one.reg for one in operands}) == 1:
        return False  # a way to write nothing
    if any(register in INTEGER for register in writes):
        return True
    moves = instruction.mnemonic == "mov" and len(operands) == 2
    return bool(
        moves
        and operands[0].type == x86.X86_OP_MEM
        and operands[1].type == x86.X86_OP_REG
        and operands[1].reg in INTEGER
    )
