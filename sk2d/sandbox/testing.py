"""Running a test on a candidate function, so that only a correct function can pass.

Three units are linked: the candidate, which says nothing about any other; the test, which sees the
true declarations; and `harness.c`. All names of the candidate but the function's own become local,
so that it cannot put its own `strcmp` or `main` under the test. A test has passed when its `main`
came to its end and returned 0, and the program ended with exit code 0: the harness then prints a
random word of this run that it took before any of the candidate's code ran.

Not covered: a candidate that searches its own process's memory for the word, or jumps into the
harness by address. It shares an address space with the test. Guards on the text (no asm, nothing
but one function) are the layer against that.
"""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from sk2d.sandbox.compiling import COMPILE_LIMITS, CompileVerdict, message_of, verdict_of
from sk2d.sandbox.limits import Limits, RunResult
from sk2d.sandbox.running import Job, run_jobs
from sk2d.sandbox.toolchain import compiler


class TestFailure(StrEnum):
    """Why a candidate did not pass its test: a closed list."""

    __test__ = False

    COMPILE_ERROR = "compile_error"
    COMPILE_LIMIT = "compile_limit"
    DEFINES_MAIN = "defines_main"
    DEFINES_RESOLVER = "defines_resolver"
    NO_FUNCTION = "no_function"
    LINK_ERROR = "link_error"
    ASSERTION = "assertion"
    CRASH = "crash"
    EXITED_EARLY = "exited_early"
    EXIT_CODE = "exit_code"
    LEFT_PROCESSES = "left_processes"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    FILE_LIMIT = "file_limit"
    PROCESS_LIMIT = "process_limit"
    TEST_BROKEN = "test_broken"


@dataclass(frozen=True)
class TestVerdict:
    """What a test says about a candidate.

    Attributes:
        passed: Whether it passed; None when the test itself does not compile.
        reason: Why not; None when it passed.
        message: What the compiler, the linker or the program wrote.
    """

    __test__ = False

    passed: bool | None
    reason: TestFailure | None
    message: str

    @property
    def compiles(self) -> bool:
        """Whether the candidate's unit compiles."""
        return self.reason not in (TestFailure.COMPILE_ERROR, TestFailure.COMPILE_LIMIT)


TEST_LIMITS: Final = Limits(
    cpu_seconds=5, wall_seconds=60, memory_bytes=1_000_000_000, processes=16
)

TEST_FLAGS: Final = (
    "-O0",
    "-std=gnu17",
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
)
"""How candidates and tests are compiled. Implicit declarations and mixed pointers compile, as they
did for those who wrote such code; named one by one because gcc 14 takes them for errors unless
told otherwise."""

_COMPILE: Final = ("-c", "-fmax-errors=20", "-fno-diagnostics-show-caret")
_BUILDING: Final = Limits(cpu_seconds=COMPILE_LIMITS.cpu_seconds, output_bytes=1_000_000)
_ASSERTION_FAILED: Final = 134
_SYMBOL: Final = re.compile(rb"^(.*?) ([A-Za-z?-])(?: [0-9a-f]*){0,2} *$", re.MULTILINE)
_STOPS: Final = {
    "cpu": TestFailure.CPU_LIMIT,
    "wall": TestFailure.WALL_LIMIT,
    "memory": TestFailure.MEMORY_LIMIT,
    "output": TestFailure.OUTPUT_LIMIT,
    "file": TestFailure.FILE_LIMIT,
    "processes": TestFailure.PROCESS_LIMIT,
}


def run_test(
    candidate: str,
    test: str,
    *,
    declarations: str,
    func_name: str,
    header: str = "",
    limits: Limits = TEST_LIMITS,
    flags: Sequence[str] = TEST_FLAGS,
) -> TestVerdict:
    """Run a test program on a candidate function.

    Args:
        candidate: C text that defines the function; untrusted.
        test: C text with a `main` that asserts; trusted.
        declarations: What the test's unit begins with: includes, types and the prototype of the
            true function, never the candidate's (see `sk2d.c.reference_tests`).
        func_name: Name of the function.
        header: What the candidate's unit begins with.
        limits: What the program may use.
        flags: How the candidate's unit is compiled.

    Returns:
        Whether it passed, or why not.

    Raises:
        JailError: The jail failed, or executing is refused here.
        UserError: There is no gcc.
    """  # noqa: DOC502
    test_object = _test_object(f'{declarations}\n#line 1 "test.c"\n{test}')
    if isinstance(test_object, str):
        return TestVerdict(None, TestFailure.TEST_BROKEN, test_object)
    word = secrets.token_bytes(16)
    compiled = _compile_job(candidate, header, flags)
    jobs = _jobs(compiled, test_object, func_name, word, limits)
    return _judge(list(run_jobs(jobs, executes=True)), func_name, word)


def compile_candidate(
    candidate: str, *, header: str = "", flags: Sequence[str] = TEST_FLAGS
) -> CompileVerdict:
    """Compile a candidate for which there is no test, as `run_test` compiles one.

    Args:
        candidate: C text; untrusted.
        header: What its unit begins with.
        flags: How it is compiled.

    Returns:
        The compiler's verdict.

    Raises:
        JailError: The jail failed; nothing is known of the text.
        UserError: There is no gcc.
    """  # noqa: DOC502
    (result,) = run_jobs([_compile_job(candidate, header, flags)])
    assert result is not None
    return verdict_of(result)


def _compile_job(candidate: str, header: str, flags: Sequence[str]) -> Job:
    unit = f'{header}\n#line 1 "candidate.c"\n{candidate}'
    return Job([compiler(), *_COMPILE, *flags, "candidate.c"], {"candidate.c": unit}, _BUILDING)


def _jobs(
    compiled: Job, test_object: bytes, func_name: str, word: bytes, limits: Limits
) -> list[Job]:
    objects = {"harness.o": _harness_object(), "test.o": test_object}
    return [
        compiled,
        Job(["nm", "-P", "--defined-only", "candidate.o"], {}, _BUILDING, needs_earlier=True),
        Job(
            ["objcopy", f"--keep-global-symbol={func_name}", "candidate.o"],
            limits=_BUILDING,
            needs_earlier=True,
        ),
        Job(
            [compiler(), "harness.o", "test.o", "candidate.o", "-lm", "-o", "program"],
            objects,
            _BUILDING,
            needs_earlier=True,
        ),
        Job(["./program"], limits=limits, word=word, needs_earlier=True),
    ]


@functools.cache
def _hooks() -> tuple[str, str]:
    """Give names of this process for what a test calls where a function begins and ends."""
    token = secrets.token_hex(16)
    return f"begins_{token}", f"ends_{token}"


def _renaming(names: dict[str, str], file: str) -> Job:
    words = [f"--redefine-sym={old}={new}" for old, new in names.items()]
    return Job(["objcopy", *words, file], collect=[file], needs_earlier=True)


@functools.cache
def _harness_object() -> bytes:
    source = Path(__file__).with_name("harness.c").read_bytes()
    begins, ends = _hooks()
    jobs = [
        Job([compiler(), *_COMPILE, *TEST_FLAGS, "harness.c"], {"harness.c": source}),
        _renaming({"sk2d_function_begins": begins, "sk2d_function_ends": ends}, "harness.o"),
    ]
    compiled, renamed = list(run_jobs(jobs))
    assert compiled is not None
    assert renamed is not None, message_of(compiled)
    assert renamed.ok, message_of(renamed)
    return renamed.files["harness.o"]


@functools.lru_cache(maxsize=256)
def _test_object(unit: str) -> bytes | str:
    """Compile a test's unit, its `main` renamed; gives the compiler's message when that fails.

    It is renamed in the object, because in the text it would lose its implicit `return 0`.
    """
    flags = [*TEST_FLAGS, "-UNDEBUG", "-finstrument-functions"]
    begins, ends = _hooks()
    names = {
        "main": "sk2d_tested_main",
        "__cyg_profile_func_enter": begins,
        "__cyg_profile_func_exit": ends,
    }
    jobs = [
        Job([compiler(), *_COMPILE, *flags, "test.c"], {"test.c": unit}),
        _renaming(names, "test.o"),
    ]
    compiled, renamed = list(run_jobs(jobs))
    assert compiled is not None
    if renamed is None or not renamed.ok:
        return message_of(renamed or compiled) or "the compiler failed on the test"
    return renamed.files["test.o"]


def _judge(results: list[RunResult | None], func_name: str, word: bytes) -> TestVerdict:
    compiled, symbols, localized, linked, ran = results
    assert compiled is not None
    if not compiled.ok:
        return _compile_failure(compiled)
    if symbols is None or not symbols.ok or localized is None or not localized.ok:
        failed = symbols if symbols is None or not symbols.ok else localized
        message = message_of(failed) if failed else ""
        return TestVerdict(False, TestFailure.COMPILE_LIMIT, message)
    reason = _forbidden(symbols.stdout, func_name)
    if reason is not None:
        return TestVerdict(False, reason, "")
    assert linked is not None
    if ran is None:
        return TestVerdict(False, TestFailure.LINK_ERROR, message_of(linked))
    failure = _run_failure(ran, word)
    return TestVerdict(failure is None, failure, message_of(ran))


def _compile_failure(compiled: RunResult) -> TestVerdict:
    verdict = verdict_of(compiled)
    limit = verdict.reason == "compile_timeout"
    reason = TestFailure.COMPILE_LIMIT if limit else TestFailure.COMPILE_ERROR
    return TestVerdict(False, reason, verdict.message)


def _forbidden(symbols: bytes, func_name: str) -> TestFailure | None:
    """Look at what a candidate defines: lines of name, type (a capital for a global one), place."""
    kinds = dict(_SYMBOL.findall(symbols))
    if any(kind == b"i" for kind in kinds.values()):
        return TestFailure.DEFINES_RESOLVER  # would run before the harness takes the word
    if b"main" in kinds and func_name != "main":
        return TestFailure.DEFINES_MAIN
    if kinds.get(func_name.encode()) not in (b"T", b"W"):
        return TestFailure.NO_FUNCTION
    return None


def _run_failure(ran: RunResult, word: bytes) -> TestFailure | None:
    if ran.stop is not None:
        return _STOPS[ran.stop]
    if ran.exit_code == _ASSERTION_FAILED:
        return TestFailure.ASSERTION
    if ran.exit_code is None:
        return TestFailure.CRASH
    if ran.exit_code:
        return TestFailure.EXIT_CODE
    if f"\n{word.hex()}\n".encode() not in ran.stdout:
        return TestFailure.EXITED_EARLY
    return TestFailure.LEFT_PROCESSES if ran.left_processes else None
