"""The whole build: units in parallel, each written down when it is done, then one file of pairs."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.atomic import atomic_file
from sk2d.corpus.build.compiling import header_folders
from sk2d.corpus.build.pairing import Outcome, pair_unit
from sk2d.corpus.build.settings import Settings
from sk2d.corpus.build.staging import Staging
from sk2d.corpus.build.units import Unit, find_units
from sk2d.errors import DataError, FrontendError, UserError
from sk2d.frontends.choosing import choose
from sk2d.frontends.records import Frontend

WORK: Final = ".work"
REJECTS: Final = ".rejects.jsonl"
REPORT: Final = ".report.json"


@dataclass(frozen=True)
class Task:
    """A unit at one level.

    Args:
        number: Its place in the order of all.
        unit: The unit.
        compiler: Name of the compiler.
        level: Optimisation level.
    """

    number: int
    unit: Unit
    compiler: str
    level: str


def build_corpus(
    settings: Settings,
    output: Path,
    workers: int = 1,
    *,
    overwrite: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
    make_frontend: Callable[[], Frontend] | None = None,
) -> dict[str, Any]:
    """Build raw pairs; a killed build goes on when called again, and ends with the same bytes.

    Args:
        settings: What it is built of.
        output: JSONL file of pairs; rejects and report go beside it.
        workers: Units that are worked on at a time.
        overwrite: Replace what another build has left.
        tell: Called with tasks done and in all.
        make_frontend: Gives each worker its front end; None makes those of the settings.

    Returns:
        The report.

    Raises:
        DataError: There is no C file.
        FrontendError: The front end is missing.
    """
    settings.check()
    units = find_units(settings)
    if not units:
        where = str(settings.commands or settings.sources)
        raise DataError("there is no C file", where=where)
    made = make_frontend or (lambda: choose(settings.frontend, 1, settings.seconds))  # type: ignore[arg-type]
    missing = made().missing()
    if missing:
        raise FrontendError(missing, where=f"the front end {settings.frontend}")
    description = settings.description([unit.file for unit in units])
    finished = None if overwrite else _finished(output, description)
    if finished is not None:
        return finished
    work = _work_folder(description, output, overwrite)
    tasks = list(_tasks(settings, units))
    trees = [settings.sources, *(each for unit in units for each in header_folders(unit))]
    with Staging([*trees, *(unit.file.parent for unit in units)]) as staging:
        _work_through(tasks, settings, work, workers, made, tell, staging)
    report = _put_together(tasks, settings, description, work, output)
    shutil.rmtree(work)
    return report


def _beside(output: Path, ending: str) -> Path:
    plain = output.with_suffix("") if output.suffix else output
    return plain.with_name(plain.name + ending)


def _finished(output: Path, description: dict[str, Any]) -> dict[str, Any] | None:
    """Give the report of this very build, if it is done; what was left of its work goes."""
    path = _beside(output, REPORT)
    if not output.is_file() or not path.is_file():
        return None
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if report.get("build") != description:
        return None
    shutil.rmtree(output.with_name(output.name + WORK), ignore_errors=True)
    return report


def _tasks(settings: Settings, units: Sequence[Unit]) -> Iterator[Task]:
    number = 0
    for unit in units:
        for compiler in settings.compilers:
            for level in settings.levels:
                yield Task(number, unit, compiler, level)
                number += 1


def _work_folder(description: dict[str, Any], output: Path, overwrite: bool) -> Path:
    """Open the folder of what is done already, if it is of this build."""
    work = output.with_name(output.name + WORK)
    path = work / "build.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    remedy = "Choose another --output, or give --overwrite"
    if before is not None and before != description and not overwrite:
        raise UserError("another build was broken off there", where=str(work), remedy=remedy)
    if before is None and output.exists() and not overwrite:
        raise UserError("it is there already", where=f"--output {output}", remedy=remedy)
    if before != description and work.is_dir():
        shutil.rmtree(work)
    work.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as stream:
        stream.write(json.dumps(description).encode())
    return work


def _shard(work: Path, task: Task) -> Path:
    return work / f"{task.number:08}.json"


def _work_through(
    tasks: Sequence[Task],
    settings: Settings,
    work: Path,
    workers: int,
    made: Callable[[], Frontend],
    tell: Callable[[int, int], None],
    staging: Staging,
) -> None:
    rest = [task for task in tasks if not _shard(work, task).is_file()]
    done = len(tasks) - len(rest)
    tell(done, len(tasks))
    mine = threading.local()
    frontends: list[Frontend] = []

    def one(task: Task) -> None:
        if not hasattr(mine, "frontend"):
            mine.frontend = made()
            frontends.append(mine.frontend)
        outcome = pair_unit(task.unit, task.compiler, task.level, settings, mine.frontend, staging)
        with atomic_file(_shard(work, task)) as stream:
            stream.write(json.dumps(asdict(outcome), ensure_ascii=False).encode("utf-8", "replace"))

    try:
        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(one, rest):
                done += 1
                tell(done, len(tasks))
    finally:
        for frontend in frontends:
            frontend.close()


def _put_together(
    tasks: Sequence[Task],
    settings: Settings,
    description: dict[str, Any],
    work: Path,
    output: Path,
) -> dict[str, Any]:
    """Write all pairs in the order of the tasks, each text of source and pseudo-code once."""
    seen: set[bytes] = set()
    reasons: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    with atomic_file(output) as pairs, atomic_file(_beside(output, REJECTS)) as rejects:
        for task in tasks:
            values = json.loads(_shard(work, task).read_text(encoding="utf-8"))
            outcome = Outcome(**values)
            for row in outcome.pairs:
                key = hashlib.sha256(f"{row['code']}\0{row['pseudo']}".encode()).digest()
                if key in seen:
                    reasons["duplicate"] += 1
                    where = {k: row[k] for k in ("file", "compiler", "opt", "func_name")}
                    _line(rejects, where | {"reason": "duplicate"})
                    continue
                seen.add(key)
                levels[f"{task.compiler} {task.level}"] += 1
                _line(pairs, row)
            for row in outcome.lost:
                reasons[row["reason"]] += 1
                _line(rejects, row)
    report = {
        "files": len({task.unit.file for task in tasks}),
        "pairs": sum(levels.values()),
        "by_level": dict(sorted(levels.items())),
        "lost": dict(sorted(reasons.items())),
        "stripped": settings.stripped,
        "frontend": settings.frontend,
        "build": description,
    }
    with atomic_file(_beside(output, REPORT)) as stream:
        stream.write(json.dumps(report, indent=2).encode() + b"\n")
    return report


def _line(stream: Any, row: dict[str, Any]) -> None:
    stream.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n")
