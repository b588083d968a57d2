"""One unit at one level: compile, decompile, match; no function is lost without a reason."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sk2d.corpus.build.compiling import compile_unit
from sk2d.corpus.build.debug_info import Located, located_functions
from sk2d.corpus.build.settings import Settings
from sk2d.corpus.build.sources import functions_of, text_at
from sk2d.corpus.build.staging import Staging
from sk2d.corpus.build.units import Unit
from sk2d.errors import FrontendError
from sk2d.frontends.elf import load_elf
from sk2d.frontends.records import Frontend, PseudoFunction, Target


@dataclass(frozen=True)
class Outcome:
    """What came of a unit at one level.

    Args:
        pairs: Raw pairs.
        lost: Functions and units without a pair, each with `reason`.
    """

    pairs: list[dict[str, Any]]
    lost: list[dict[str, Any]]


def pair_unit(
    unit: Unit,
    compiler: str,
    level: str,
    settings: Settings,
    frontend: Frontend,
    staging: Staging,
) -> Outcome:
    """Make pairs of one unit at one level.

    Args:
        unit: The unit.
        compiler: Name of the compiler.
        level: Optimisation level.
        settings: The build.
        frontend: The decompiler.
        staging: The copies of the sources that are compiled.

    Returns:
        Pairs, and what was lost.
    """
    root = settings.sources.resolve()
    where = {"file": _shown(unit.file, root), "compiler": compiler, "opt": level}
    built = compile_unit(unit, compiler, level, staging, stripped=settings.stripped)
    if built.whole is None or built.shown is None:
        return Outcome([], [where | {"reason": "not_compiling", "message": built.problem}])
    located = [
        dataclasses.replace(each, file=staging.original(each.file))
        for each in located_functions(built.whole, unit.folder)
    ]
    with tempfile.TemporaryDirectory(prefix="sk2d-corpus-") as folder:
        library = Path(folder) / "unit.so"
        library.write_bytes(built.shown)
        try:
            records = _decompiled(library, located, frontend)
        except FrontendError as error:
            return Outcome([], [where | {"reason": "decompiler", "message": str(error)}])
    pairs: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    for function, record in zip(located, records, strict=True):
        row = _row(function, record, root)
        (lost if "reason" in row else pairs).append(where | row)
    lost += [where | row for row in _unseen(unit, located, root)]
    return Outcome(pairs, lost)


def _decompiled(
    library: Path, located: list[Located], frontend: Frontend
) -> list[PseudoFunction | None]:
    """Decompile the functions with code; a library begins at 0, its image at a base."""
    base = load_elf(library).base
    found = {target.address: target for target in frontend.functions(library)}
    targets: list[Target | None] = [
        found.get(base + each.address) if each.address is not None else None for each in located
    ]
    records = frontend.decompile(library, [target for target in targets if target])
    return [next(records) if target else None for target in targets]


def _row(function: Located, record: PseudoFunction | None, root: Path) -> dict[str, Any]:
    row: dict[str, Any] = {
        "func_name": function.name,
        "source_file": _shown(function.file, root),
        "line": function.line,
    }
    if function.address is None:
        return row | {"reason": "inlined", "message": "it has no code of its own at this level"}
    if function.split:
        return row | {"reason": "part", "message": "its head is inlined; here is only the rest"}
    if not function.file.is_relative_to(root):
        return row | {"reason": "system_header", "message": "its text is not in the tree"}
    text = text_at(function.file, function.name, function.line)
    if text is None:
        return row | {"reason": "macro", "message": "its text does not stand there in plain sight"}
    if record is None or record.failed:
        said = record.warnings[0] if record and record.warnings else "it was not found"
        return row | {"reason": "decompiler", "message": said}
    return row | {
        "pseudo": record.pseudo,
        "code": text,
        "dialect": record.dialect,
        "size": record.size,
        "inlined": list(function.inlined),
        "data": record.definitions(),
    }


def _unseen(unit: Unit, located: list[Located], root: Path) -> Iterator[dict[str, Any]]:
    """Tell the functions of the file that the compiler left no trace of."""
    seen = {each.name for each in located}
    for function in functions_of(unit.file):
        if function.name not in seen:
            yield {
                "func_name": function.name,
                "source_file": _shown(unit.file, root),
                "line": function.first,
                "reason": "not_compiled",
                "message": "it is unused, or not part of the program at these settings",
            }


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
