"""Many texts through one start of the compiler.

Most of a small compile is gcc's own start. `compile_server.c` is loaded into the compiler proper,
and forks it for each text once it is ready: the same compiler with the same flags, hence the same
verdict. Each copy has limits of its own.

What a text could find different (it is an included file, not the main one) only shows in texts that
ask for it; those, and what the server has no report for, are compiled the plain way.
"""

from __future__ import annotations

import functools
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sk2d.sandbox.endings import ending
from sk2d.sandbox.limits import Limits, RunResult
from sk2d.sandbox.running import Job, run_jobs
from sk2d.sandbox.toolchain import compiler

LARGEST_TEXT: Final = 1 << 18
"""Bytes; larger texts are compiled the plain way."""

_LIBRARY: Final = "compile_server.so"
_MAIN: Final = "main.c"
_STOPS: Final = (None, "wall", "output")
_REPORT: Final = struct.Struct("<iIQQII")
_INCLUDED_FROM: Final = f"In file included from {_MAIN}:1:\n".encode()
_TELLS_FILES_APART: Final = re.compile(
    rb"ragma|##|%:|\?\?|\\\s*\n|__INCLUDE|__BASE|__TIME|__DATE|include(?!\s*<[\w./]+>)"
)
"""What could tell an included file from the main one, or be pasted into a word that does; a text
that names a time is no text with one verdict either."""


class _Library(NamedTuple):
    content: bytes | None
    reason: str


def is_plain(text: bytes) -> bool:
    """Tell whether a text means the same to the server as to the compiler alone.

    Args:
        text: C text.

    Returns:
        Whether it does.
    """
    return len(text) <= LARGEST_TEXT and not _TELLS_FILES_APART.search(text)


def server_failure() -> str | None:
    """Say why compilers cannot be kept ready on this machine.

    Returns:
        The reason; None where they can.

    Raises:
        JailError: The jail failed.
        UserError: There is no gcc.
    """  # noqa: DOC502
    return _library().reason or None


@functools.cache
def _library() -> _Library:
    """Compile the library; a machine whose compiler cannot load it does without."""
    source = Path(__file__).with_name("compile_server.c").read_bytes()
    command = [compiler(), "-O1", "-shared", "-fPIC", "server.c", "-o", _LIBRARY]
    (result,) = run_jobs([Job(command, {"server.c": source}, collect=[_LIBRARY])])
    assert result is not None, "a first job is never skipped"
    if not result.ok:
        return _Library(None, f"the library does not compile: {result.stderr[:500]!r}")
    return _Library(result.files[_LIBRARY], "")


def server_job(command: Sequence[str], texts: Sequence[bytes], limits: Limits) -> Job | None:
    """Make the job that compiles several texts.

    Args:
        command: The compiler proper with its flags, on the file `code.c`.
        texts: C texts, all of them plain (see `is_plain`).
        limits: What the compiler may use for each text.

    Returns:
        The job, or None where compilers cannot be kept ready.

    Raises:
        JailError: The jail failed.
        UserError: There is no gcc.
    """  # noqa: DOC502
    library = _library()
    if library.content is None:
        return None
    wall = limits.as_message()["wall_seconds"]
    sizes = (struct.pack("<I", len(text)) + text for text in texts)
    settings = struct.pack("<QQ", int(wall * 1000), limits.output_bytes)
    whole = Limits(
        cpu_seconds=limits.cpu_seconds,
        wall_seconds=wall * (len(texts) + 1),
        memory_bytes=limits.memory_bytes + 2 * limits.output_bytes + LARGEST_TEXT,
        processes=limits.processes + 1,
        output_bytes=len(texts) * (limits.output_bytes + _REPORT.size) + 1,
    )
    files: dict[str, str | bytes] = {
        _MAIN: '#include "code.c"\n',
        "code.c": "",
        _LIBRARY: library.content,
    }
    called = [_MAIN if word == "code.c" else word for word in command]
    return Job(
        ["/usr/bin/env", f"LD_PRELOAD=./{_LIBRARY}", *called],
        files,
        whole,
        stdin=settings + b"".join(sizes),
    )


def reports(result: RunResult, limits: Limits, wanted: int) -> list[RunResult | None]:
    """Read what the server says.

    Args:
        result: What came of a `server_job`.
        limits: What the compiler was allowed for each text.
        wanted: How many texts it was given.

    Returns:
        What came of the compiler for each text; None where there is no report.
    """
    found: list[RunResult | None] = []
    said, place = result.stdout, 0
    while len(found) < wanted and place + _REPORT.size <= len(said):
        status, stop, cpu, peak, kept, _ = _REPORT.unpack_from(said, place)
        place += _REPORT.size
        messages = said[place : place + kept]
        place += kept
        if len(messages) < kept:
            break
        found.append(_as_result(status, stop, cpu, peak, messages, limits))
    return found + [None] * (wanted - len(found))


def _as_result(
    status: int, stop: int, cpu: int, peak: int, messages: bytes, limits: Limits
) -> RunResult:
    ended = ending(status, cpu / 1e6, peak * 1024, _STOPS[stop], limits.as_message())
    shown = messages.removeprefix(_INCLUDED_FROM)
    return RunResult(
        **ended,
        stdout=b"",
        stderr=shown,
        cpu_seconds=cpu / 1e6,
        wall_seconds=0.0,
        left_processes=False,
    )
