"""The hostile texts, what each must come to, and how they are judged."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sk2d.rewards.candidates import Candidate
from sk2d.rewards.structure import StructureMode
from sk2d.sandbox import CompileVerdict, Limits, TestVerdict, run_test
from tests.attacks.generated import GENERATED

HERE: Final = Path(__file__).parent
MODES: Final[tuple[StructureMode, ...]] = ("paper", "strict")
REFERENCE: Final = "int func0(int var1, int var2) { return var1 + var2; }\n"
HEALTHY: Final = "int func0(int a, int b) { int c = a; return c + b; }\n"
_HEADERS: Final = (
    *("arpa/inet", "dirent", "dlfcn", "fcntl", "pthread", "setjmp", "signal", "stdio", "stdlib"),
    *("string", "sys/mman", "sys/ptrace", "sys/resource", "sys/shm", "sys/socket", "sys/stat"),
    *("sys/syscall", "sys/un", "unistd"),
)
HEADER: Final = "".join(f"#include <{name}.h>\n" for name in _HEADERS)
"""What a reward's row declares, so that an attack compiles without its own includes."""

DECLARATIONS: Final = "int func0(int a, int b);\n"
TEST: Final = """#include <assert.h>
int main(void) { assert(func0(1, 2) == 3); assert(func0(3, 4) == 7); }
"""
TIGHT: Final = Limits(
    cpu_seconds=1, wall_seconds=5, memory_bytes=400_000_000, processes=8, output_bytes=1_000_000
)
RUNNING: Final = Limits(cpu_seconds=1, wall_seconds=2, memory_bytes=300_000_000, processes=16)


@dataclass(frozen=True)
class Attack:
    """A hostile text and what it must come to.

    Attributes:
        name: Name of its file without `.c`, or in `generated`.
        kind: preprocessor, compiler, assembler or run.
        paper: Verdict of the structure reward in mode `paper`.
        strict: That in mode `strict`.
        jail: What the bare compiler in the jail says: yes, no, limit, or several of them.
        test: Why it fails a test; empty for what no test is made for.
        slow: Whether judging it takes seconds.
    """

    name: str
    kind: str
    paper: str
    strict: str
    jail: tuple[str, ...]
    test: tuple[str, ...]
    slow: bool

    def text(self, places: dict[str, str]) -> str:
        """Give the text, with places of this run for `@NAME@`."""
        text = GENERATED.get(self.name)
        if text is None:
            text = (HERE / f"{self.name}.c").read_text(encoding="utf-8")
        for name, place in places.items():
            text = text.replace(f"@{name}@", place)
        return text


def _attack(name: str, row: dict[str, object]) -> Attack:
    words = {key: str(value) for key, value in row.items()}
    return Attack(
        name,
        words["kind"],
        words["paper"],
        words.get("strict", words["paper"]),
        tuple(words["jail"].split()),
        tuple(words.get("test", "").split()),
        bool(row.get("slow", False)),
    )


ATTACKS: Final = [
    _attack(name, row)
    for name, row in tomllib.loads((HERE / "verdicts.toml").read_text(encoding="utf-8")).items()
]


def candidate(text: str) -> Candidate:
    return Candidate(text, REFERENCE, HEADER)


def outcome(verdict: CompileVerdict) -> str:
    """Name what the bare jail says."""
    if verdict.compiles:
        return "yes"
    return "limit" if verdict.reason == "compile_timeout" else "no"


def wanted(attack: Attack, mode: StructureMode) -> str:
    """Give the verdict that the reward must come to."""
    return attack.paper if mode == "paper" else attack.strict


def running_limits(attack: Attack) -> Limits:
    """Give the limits of its test; what must end by the clock alone need not wait for long."""
    return replace(RUNNING, wall_seconds=0.5) if attack.test == ("wall_limit",) else RUNNING


def run_its_test(text: str, limits: Limits = RUNNING) -> TestVerdict:
    return run_test(text, TEST, declarations=DECLARATIONS, func_name="func0", limits=limits)
