"""The clang-format program: one process for many texts, bounded in CPU time and memory.

The package `clang-format` brings a native program and a Python wrapper. The wrapper starts a second
interpreter, so the program is started itself. It works on files of its own in a temporary folder,
one text each: no text can disturb another, short of ending the process.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from sk2d.errors import UserError

STYLE: Final = (
    "{BasedOnStyle: Google, DerivePointerAlignment: true, BreakStringLiterals: false, "
    "ReflowComments: false, SortIncludes: Never}"
)
"""Google style. Pointers stay as a text mostly has them, which all released ground truths obey."""

STYLE_OF_LONG: Final = f"{STYLE.removesuffix('}')}, ColumnLimit: 0}}"
"""The same, but line breaks inside of statements stay where the text has them: the search for the
best ones takes clang-format a second for a statement of 1,500 tokens, and this nothing."""

_MEMORY: Final = 1 << 31
_WALL_SECONDS: Final = 900.0


@dataclass(frozen=True)
class Stopped:
    """clang-format did not get to the end of the texts.

    Attributes:
        why: Whether it reached its limit of CPU time or memory, or crashed or gave up.
        what: What became of it, in words.
    """

    why: Literal["limit", "crash"]
    what: str


@functools.cache
def program() -> str:
    """Find the clang-format program that the package of that name brings.

    Returns:
        Its path.

    Raises:
        UserError: The package, or the program in it, is not there.
    """
    spec = importlib.util.find_spec("clang_format")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "data" / "bin" / "clang-format"
        if path.is_file():
            return str(path)
    raise UserError(
        "the program clang-format is not there",
        remedy="Install it into this environment: pip install --force-reinstall clang-format",
    )


def format_texts(texts: Sequence[bytes], seconds: int, style: str = STYLE) -> list[bytes] | Stopped:
    """Format texts in one process.

    Args:
        texts: C sources, with the line end that they are to keep.
        seconds: CPU time that the process may use for all of them together.
        style: How they are laid out.

    Returns:
        The formatted texts in order, or what stopped the process: then nothing is known of any.

    Raises:
        UserError: There is no clang-format, no room for temporary files, or the process was
            stopped from outside.
    """
    names = [f"{number}.c" for number in range(len(texts))]
    command = [program(), "-i", f"--style={style}", *names]
    try:
        with tempfile.TemporaryDirectory(prefix="sk2d-format-", dir=_memory_folder()) as folder:
            # An ignore list of its own, so that none from a folder above counts.
            Path(folder, ".clang-format-ignore").touch()
            for name, text in zip(names, texts, strict=True):
                Path(folder, name).write_bytes(text)
            stopped = _run(command, folder, seconds)
            return stopped or [Path(folder, name).read_bytes() for name in names]
    except OSError as error:
        raise UserError(
            f"clang-format cannot be run on temporary files: {error}",
            remedy="Make room for temporary files, or set TMPDIR to another folder",
        ) from error


@functools.cache
def _memory_folder() -> str | None:
    """Find a folder in memory, where small files cost a third; who sets TMPDIR gets that one."""
    shared = "/dev/shm"
    usable = os.path.isdir(shared) and os.access(shared, os.W_OK)
    return shared if usable and "TMPDIR" not in os.environ else None


def _run(command: list[str], folder: str, seconds: int) -> Stopped | None:
    """Run clang-format; CPU time is limited, as wall time would depend on how busy the machine is.

    The limits are set from outside just after the start: a function that runs between fork and
    exec would be slower, and unsafe where there are threads.
    """
    before = _children_seconds()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.prlimit(process.pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            _, said = process.communicate(timeout=_WALL_SECONDS)
        except subprocess.TimeoutExpired:
            return _outside(f"got no {seconds} s of CPU time in {_WALL_SECONDS:.0f} s")
        finally:
            process.kill()
    if process.returncode == -signal.SIGABRT and _children_seconds() - before >= 0.95 * seconds:
        return _judge(-signal.SIGXCPU, "", seconds)  # its own handler of the signal failed
    return _judge(process.returncode, said.decode(errors="replace"), seconds)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _judge(code: int, said: str, seconds: int) -> Stopped | None:
    if code == 0:
        return None
    if code == -signal.SIGXCPU:
        return Stopped("limit", f"clang-format used up its {seconds} s of CPU time")
    if "out of memory" in said or "bad_alloc" in said:
        return Stopped("limit", f"clang-format needs more than {_MEMORY >> 30} GiB of memory")
    if code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
        return _outside(f"was stopped by {signal.Signals(-code).name}")
    if code < 0:
        return Stopped("crash", f"clang-format crashed ({signal.Signals(-code).name})")
    return Stopped("crash", f"clang-format gave up: {said.strip()[:200]}")


def _outside(what: str) -> Stopped | None:
    """Say that the machine is at fault and not a text: its rows must not count as failed."""
    raise UserError(
        f"clang-format {what}", remedy="See whether the machine is short of memory, and start again"
    )
