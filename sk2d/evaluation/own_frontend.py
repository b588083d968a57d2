"""Our own front end on a set: each reference compiled at its level, and decompiled."""

from __future__ import annotations

import hashlib
import itertools
import json
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from sk2d import __version__
from sk2d.c import normalize
from sk2d.errors import DataError, SourceError
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.sets import Function
from sk2d.evaluation.systems import Answer, Kind, System
from sk2d.frontends.flatline import Flatline
from sk2d.frontends.flatline.job import STEPS
from sk2d.frontends.records import PseudoFunction
from sk2d.sandbox import COMPILE_LIMITS, run
from sk2d.sandbox.toolchain import compiler

NAME: Final = "flatline"
ABOUT: Final = (
    "each reference compiled at its level and decompiled by flatline, normalised, with the shim; "
    f"recovery steps: {', '.join(STEPS)}"
)
_MAIN: Final = "\nint main(void) { return 0; }\n"


def build_program(code: str, level: str) -> bytes:
    """Compile a function at a level, as a program.

    Args:
        code: C text of the function, with what it needs.
        level: Optimisation level, `O0` and so on.

    Returns:
        An ELF file.

    Raises:
        DataError: The text does not compile, or calls what is nowhere.
        JailError: The jail failed.
    """  # noqa: DOC502, DOC503
    ending = "" if "main(" in code else _MAIN
    command = [compiler(), f"-{level}", "-w", "-o", "program", "program.c", "-lm"]
    found = run(command, {"program.c": code + ending}, COMPILE_LIMITS, collect=["program"])
    if "program" not in found.files:
        raise DataError(f"the reference does not compile: {_complaint(found.stderr)}")
    return found.files["program"]


def _complaint(said: bytes) -> str:
    """Find the line that says what is wrong; those around it name files of the day."""
    lines = said.decode(errors="replace").strip().splitlines()
    telling = (line for line in lines if "error: " in line or "undefined reference" in line)
    return next(telling, lines[0] if lines else "no word")


def decompiled(frontend: Flatline, binary: Path, name: str) -> PseudoFunction:
    """Decompile a function of a program.

    Args:
        frontend: The front end.
        binary: The program.
        name: Name of the function.

    Returns:
        What the front end says of it.

    Raises:
        DataError: The program has no such function.
    """
    targets = [target for target in frontend.functions(binary) if target.name == name]
    if not targets:
        raise DataError(f"the program has no function {name}")
    return next(iter(frontend.decompile(binary, targets[:1])))


def own_frontend(
    functions: Sequence[Function],
    compiler_version: str,
    journal: Journal,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> System:
    """Decompile all functions of a set.

    Args:
        functions: Functions whose references compile to programs.
        compiler_version: The compiler's version.
        journal: What is known, and where what is found is written.
        workers: Functions that are worked on at the same time.
        progress: Called with the number of functions that are done, and of all.

    Returns:
        The system.

    Raises:
        FrontendError: flatline is missing.
        JailError: The jail failed.
    """  # noqa: DOC502
    keys = {function.id: _key(function, compiler_version) for function in functions}
    left = {keys[each.id]: each for each in functions if keys[each.id] not in journal.found}
    work, total = list(left.items()), len(set(keys.values()))
    done = itertools.count(total - len(work) + 1)
    with ThreadPoolExecutor(workers) as pool:
        lock = threading.Lock()

        def found(key: str, value: dict[str, str]) -> None:
            with lock:
                journal.add(key, value)
                progress(next(done), total)

        shares = [pool.submit(_share, work[start::workers], found) for start in range(workers)]
        for share in shares:
            share.result()
    return _system({identity: journal.found[key] for identity, key in keys.items()})


def _key(function: Function, compiler_version: str) -> str:
    asked = [function.reference, function.func_name, function.level]
    text = json.dumps([*asked, compiler_version, STEPS, __version__])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _share(
    work: Sequence[tuple[str, Function]], found: Callable[[str, dict[str, str]], None]
) -> None:
    with tempfile.TemporaryDirectory(prefix="sk2d-evaluation-") as folder, Flatline() as frontend:
        for key, function in work:
            found(key, _one(function, frontend, Path(folder) / key))


def _one(function: Function, frontend: Flatline, path: Path) -> dict[str, str]:
    """Decompile a function; why there is nothing is kept, too."""
    try:
        path.write_bytes(build_program(function.reference, function.level))
        record = decompiled(frontend, path, function.func_name)
    except DataError as error:
        return {"failure": str(error)}
    finally:
        path.unlink(missing_ok=True)
    if record.failed:
        return {"failure": "; ".join(record.warnings) or "the decompiler gave nothing"}
    try:
        before = normalize(record.definitions(), NAME) if record.data else ""
        return {"code": normalize(record.pseudo, NAME), "before": before}
    except SourceError as error:
        return {"failure": str(error)}


def _system(found: dict[str, dict[str, str]]) -> System:
    answers = {
        identity: Answer(each["code"], pseudo=True, before=each["before"])
        for identity, each in found.items()
        if "code" in each
    }
    failures = {i: each["failure"] for i, each in found.items() if "failure" in each}
    return System(NAME, Kind.NO_MODEL, ABOUT, answers, failures)
