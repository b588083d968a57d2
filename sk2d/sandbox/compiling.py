"""Compiling C text that nobody has vouched for.

Only the verdict is wanted, so the compiler proper is called as gcc's driver would call it. A limit
that a text reaches, or a crash of the compiler on it, is the text's own fault and part of its
verdict; a failure of the jail is a `JailError`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from sk2d.errors import Reason
from sk2d.sandbox.compile_server import is_plain, reports, server_job
from sk2d.sandbox.limits import Limits, RunResult
from sk2d.sandbox.running import Job, as_bytes, run_jobs
from sk2d.sandbox.toolchain import compiler_proper

COMPILE_FLAGS: Final = (
    "-fsyntax-only",
    "-std=gnu11",
    "-fmax-errors=20",
    "-fno-diagnostics-show-caret",
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
)
"""Flags of every verdict on C text.

Never `-w`: it would cancel the two errors. They are pinned because gcc 14 has other defaults.
"""

COMPILE_LIMITS: Final = Limits(
    cpu_seconds=5, memory_bytes=1_000_000_000, processes=8, output_bytes=1_000_000
)
"""Far more than any honest function needs (10 ms, 60 MB); messages are read to 1 MB."""

MESSAGE_CHARACTERS: Final = 4_000
TEXTS_AT_ONCE: Final = 32
CODE: Final = "code.c"
_INTERNAL_ERROR: Final = 4
"""Exit code of gcc when it failed by itself, not because of an error in the text."""

_WARNING = re.compile(rb"warning: .*\[-W([a-z0-9+=-]+)\]$", re.MULTILINE)
_OUT_OF_MEMORY = re.compile(rb"out of memory|virtual memory exhausted|[Cc]annot allocate memory")


@dataclass(frozen=True)
class CompileVerdict:
    """What the compiler says about a text.

    Attributes:
        compiles: Whether it compiles.
        reason: None when it does; else `not_compiling`, or `compile_timeout` for a limit of CPU
            time, memory or output, or a crash of the compiler.
        message: What the compiler wrote, or the limit that was reached.
        warnings: Kind of warning, as in `-Wint-conversion` without `-W` -> how often.
    """

    compiles: bool
    reason: Reason | None
    message: str
    warnings: Mapping[str, int]


def compile_c(code: str, limits: Limits = COMPILE_LIMITS) -> CompileVerdict:
    """Compile one text with `COMPILE_FLAGS`.

    Args:
        code: C text, complete with what it needs.
        limits: What the compiler may use.

    Returns:
        The verdict.

    Raises:
        JailError: The jail failed; nothing is known of the text.
        UserError: There is no gcc.
    """  # noqa: DOC502
    return compile_many([code], limits)[0]


def compile_many(codes: Sequence[str], limits: Limits = COMPILE_LIMITS) -> list[CompileVerdict]:
    """Compile many texts in one jail, one after the other.

    Every text has its own compiler process with limits of its own, so that one that hangs or blows
    up costs nothing but itself. Callers with several cores call it from as many threads.

    Args:
        codes: C texts.
        limits: What the compiler may use for each.

    Returns:
        The verdicts in the order of the texts, each as `compile_c` gives it.

    Raises:
        JailError: The jail failed; nothing is known of the texts.
        UserError: There is no gcc.
    """  # noqa: DOC502
    return list(iter_verdicts(codes, limits))


def iter_verdicts(
    codes: Sequence[str], limits: Limits = COMPILE_LIMITS
) -> Iterator[CompileVerdict]:
    """Compile many texts and give each verdict as soon as it is there.

    Args:
        codes: C texts.
        limits: What the compiler may use for each.

    Yields:
        The verdicts in the order of the texts.

    Raises:
        JailError: The jail failed.
        UserError: There is no gcc.
    """  # noqa: DOC502
    for start in range(0, len(codes), TEXTS_AT_ONCE):
        texts = [as_bytes(code) for code in codes[start : start + TEXTS_AT_ONCE]]
        yield from map(verdict_of, _compiled(texts, limits))


def _compiled(texts: Sequence[bytes], limits: Limits) -> list[RunResult]:
    """Have some texts compiled: those that are plain by a server, if that is worth its start."""
    found: list[RunResult | None] = [None] * len(texts)
    places = [place for place, text in enumerate(texts) if is_plain(text)]
    if len(places) > 1:
        served = _served([texts[place] for place in places], limits)
        for place, result in zip(places, served, strict=True):
            found[place] = result
    command = compiler_proper(COMPILE_FLAGS, CODE)
    rest = [place for place, result in enumerate(found) if result is None]
    jobs = [Job(command, {CODE: texts[place]}, limits) for place in rest]
    for place, result in zip(rest, run_jobs(jobs) if jobs else [], strict=True):
        found[place] = result
    assert None not in found, "no text depends on another"
    return cast("list[RunResult]", found)


def _served(texts: Sequence[bytes], limits: Limits) -> list[RunResult | None]:
    job = server_job(compiler_proper(COMPILE_FLAGS, CODE), texts, limits)
    if job is None:
        return [None] * len(texts)
    (result,) = run_jobs([job])
    assert result is not None, "a first job is never skipped"
    return reports(result, limits, len(texts))


def verdict_of(result: RunResult) -> CompileVerdict:
    """Read a verdict from what came of a compiler.

    Args:
        result: What came of it.

    Returns:
        The verdict.
    """
    warnings = count_warnings(result.stderr)
    if result.ok:
        return CompileVerdict(True, None, message_of(result), warnings)
    fault = _fault(result)
    if fault is None:
        return CompileVerdict(False, Reason.NOT_COMPILING, message_of(result), warnings)
    message = f"{fault}\n{message_of(result)}".strip()
    return CompileVerdict(False, Reason.COMPILE_TIMEOUT, message, warnings)


def _fault(result: RunResult) -> str | None:
    """Say how a compiler came to an end that is no judgement; None when it judged."""
    if result.stop == "cpu":
        return "the compiler reached its limit of CPU time"
    if result.stop == "memory" or _OUT_OF_MEMORY.search(result.stderr):
        return "the compiler reached its limit of memory"
    if result.stop is not None:
        return f"the compiler reached its limit: {result.stop}"
    if result.exit_code is None or result.exit_code == _INTERNAL_ERROR:
        return f"the compiler crashed (exit code {result.exit_code}, signal {result.signal})"
    return None


def count_warnings(messages: bytes) -> dict[str, int]:
    """Count the warnings in a compiler's messages by kind.

    Args:
        messages: What it wrote.

    Returns:
        Kind, without `-W` -> how often, in the order of the alphabet.
    """
    kinds = Counter(kind.decode() for kind in _WARNING.findall(messages))
    return dict(sorted(kinds.items()))


def message_of(result: RunResult) -> str:
    """Give the beginning of what a command wrote to stderr, safe to show in a terminal.

    Args:
        result: What came of the command.

    Returns:
        Text; control characters and what is no UTF-8 are escaped.
    """
    text = result.stderr[: 4 * MESSAGE_CHARACTERS].decode("utf-8", "backslashreplace")
    return printable(text)[:MESSAGE_CHARACTERS].strip()


def printable(text: str) -> str:
    """Make a text safe to show in a terminal.

    Args:
        text: Any text.

    Returns:
        The text; control characters but line ends are escaped.
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
