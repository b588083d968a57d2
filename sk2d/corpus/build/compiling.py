"""Compiles a unit in the jail: with debug information to match by, and as decompilers see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sk2d.corpus.build.staging import Staging
from sk2d.corpus.build.units import Unit
from sk2d.sandbox import COMPILE_LIMITS, Job, run_jobs
from sk2d.sandbox.toolchain import find_compiler

OBJECT, LIBRARY, BARE = "unit.o", "unit.so", "bare.so"
COMPILE: Final = (
    "-g",
    "-w",
    "-c",
    "-fPIC",
    "-fno-semantic-interposition",
    "-fno-lto",
    "-fvisibility=hidden",
)
PATH_FOLLOWS: Final = ("-I", "-isystem", "-iquote", "-include")
LINK: Final = ("-shared", "-nostdlib", "-Wl,-Bsymbolic", "-Wl,-z,noexecstack")


@dataclass(frozen=True)
class Built:
    """What came of a unit.

    Args:
        whole: A shared library with debug information; None where it does not compile.
        shown: What the decompiler is given: the same, or without any name.
        problem: The compiler's first error.
    """

    whole: bytes | None
    shown: bytes | None = None
    problem: str = ""


def compile_unit(
    unit: Unit, compiler: str, level: str, staging: Staging, *, stripped: bool
) -> Built:
    """Compile and link a unit; what other files define stays an import.

    Args:
        unit: The unit.
        compiler: Name of the compiler.
        level: Optimisation level.
        staging: The copies of the sources, which the compiler may read.
        stripped: Whether the decompiler is to see no names.

    Returns:
        The libraries, or why there are none.
    """
    program = find_compiler(compiler)
    assert program is not None, "the settings were checked"
    flags = [_staged_flag(flag, place, unit, staging) for place, flag in enumerate(unit.flags)]
    flags += staging.plain_names()
    file = str(staging.staged(unit.file))
    jobs = [
        Job([program, f"-{level}", *COMPILE, *flags, "-o", OBJECT, file],
            limits=COMPILE_LIMITS),
        Job([program, *LINK, "-o", LIBRARY, OBJECT], limits=COMPILE_LIMITS, needs_earlier=True,
            collect=[LIBRARY]),
    ]  # fmt: skip
    if stripped:
        strip = ["strip", "--strip-all", "-o", BARE, LIBRARY]
        jobs.append(Job(strip, limits=COMPILE_LIMITS, needs_earlier=True, collect=[BARE]))
    results = list(run_jobs(jobs, readable=[str(staging.folder)]))
    files = {name: data for each in results if each for name, data in each.files.items()}
    wanted = BARE if stripped else LIBRARY
    if wanted not in files:
        texts = [each.stderr.decode("utf-8", "replace") for each in results if each]
        return Built(None, problem=_first_error(staging.without_places("\n".join(texts))))
    return Built(files[LIBRARY], files[wanted])


def _staged_flag(flag: str, place: int, unit: Unit, staging: Staging) -> str:
    """Point a flag that names a path at its copy."""
    if flag.startswith("-I") and len(flag) > len("-I"):
        return f"-I{staging.staged(_absolute(unit, flag[2:]))}"
    if place and unit.flags[place - 1] in PATH_FOLLOWS:
        return str(staging.staged(_absolute(unit, flag)))
    return flag


def _absolute(unit: Unit, path: str) -> Path:
    return (unit.folder / path).resolve()


def header_folders(unit: Unit) -> Iterator[Path]:
    """List the folders of headers that a unit names.

    Args:
        unit: The unit.

    Yields:
        Absolute paths; those of the system are left out, the jail shows them.
    """
    for place, flag in enumerate(unit.flags):
        named = None
        if flag.startswith("-I") and len(flag) > len("-I"):
            named = _absolute(unit, flag[2:])
        elif place and unit.flags[place - 1] in PATH_FOLLOWS[:-1]:
            named = _absolute(unit, flag)
        if named is not None and not named.is_relative_to("/usr"):
            yield named


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line]
    return " ".join((errors or lines or ["the compiler gave no word"])[0].split())[:300]
