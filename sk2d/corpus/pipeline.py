"""Phase 0 as a whole: raw pairs in, rows for both phases and for RL out, every row accounted for.

Three passes. The first works out every row, chunk by chunk and in parallel, into shards; it is the
long one, and goes on where it was killed. The second reads the shards in order and decides what
can be told only from all rows: evaluation functions, duplicates, the split. The third writes the
outputs. The report is written last: where it lies, the run is finished.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.atomic import write_text_atomic
from sk2d.corpus.audit import audit
from sk2d.corpus.preprocess.chunks import chunks
from sk2d.corpus.preprocess.decisions import Decisions, open_decisions
from sk2d.corpus.preprocess.evaluation import EvaluationFunction, evaluation_functions
from sk2d.corpus.preprocess.outputs import REPORT, open_outputs, output_names
from sk2d.corpus.preprocess.phase0 import phase0_tools, tool_versions
from sk2d.corpus.preprocess.records import Item, Record, reject_row
from sk2d.corpus.preprocess.report import Counts, make_report
from sk2d.corpus.preprocess.settings import Settings, description, sources
from sk2d.corpus.preprocess.single import SingleStep, StepName, check_shape, open_rows
from sk2d.corpus.preprocess.steps import process, read_record
from sk2d.corpus.preprocess.tools import Tools
from sk2d.corpus.preprocess.workers import Chunk, default_workers, run_chunks
from sk2d.corpus.preprocess.workfolder import WorkFolder
from sk2d.errors import DataError, UserError

Progress = Callable[[str, int], None]
"""Called with the name of the pass and the number of rows that it has done more."""

HOPELESS: Final = 0.9
"""Share of rows without a header from which on the run has failed, and not the rows."""


@dataclass(frozen=True)
class PhaseZero:
    """All steps, as the work of a pool of processes.

    Args:
        settings: The choices of the run.
        tools: The functions of the steps.
    """

    settings: Settings
    tools: Tools

    def __call__(self, items: Sequence[Item]) -> list[Record]:
        """Take a chunk through all steps.

        Args:
            items: What stands in the input.

        Returns:
            One record per item, in order.
        """
        return process(items, self.settings, self.tools)

    def unjudged(self, item: Item) -> Record:
        """Read an item without working on it.

        Args:
            item: What stands in the input.

        Returns:
            Its record.
        """
        return read_record(item)


def preprocess_rows(
    inputs: Sequence[str | Path],
    output: Path,
    settings: Settings | None = None,
    *,
    workers: int | None = None,
    overwrite: bool = False,
    progress: Progress = lambda _pass, _rows: None,
    tools: Tools | None = None,
) -> dict[str, Any]:
    """Make training rows of raw pairs.

    Args:
        inputs: Files of raw pairs.
        output: Folder to write.
        settings: The choices of the run.
        workers: Number of processes; None for one per processor, 0 to work in this one.
        overwrite: Whether what another run has left in the folder is replaced.
        progress: Told of every chunk.
        tools: Other functions for the steps; None for those of `sk2d.c` and `sk2d.sandbox`.

    Returns:
        The report, as it lies in `report.json`.

    Raises:
        DataError: The input holds no rows.
    """
    settings = settings or Settings()
    settings.check()
    tools = tools or phase0_tools()
    _probe(tools)
    paths = [str(path) for path in inputs]
    what = description(
        sources(paths), sources(settings.decontaminate), settings, "all", tool_versions()
    )
    folder = WorkFolder(output / ".work", what)
    with folder.in_use():
        folder.prepare([output / name for name in output_names()], overwrite=overwrite)
        work = PhaseZero(settings, tools)
        count = work_out(folder, paths, work, workers, progress)
        if count == 0:
            folder.remove()
            raise DataError(
                "there are no rows", where=", ".join(paths), remedy="Give a file of raw pairs"
            )
        report = _finish(folder, count, output, settings, tools, progress)
        folder.remove()
    return report


def work_out(
    folder: WorkFolder,
    paths: Sequence[str],
    work: Any,
    workers: int | None,
    progress: Progress,
) -> int:
    """Do all chunks that are not done yet.

    Args:
        folder: Where the shards go.
        paths: The input.
        work: What is done with a chunk.
        workers: Number of processes; None for one per processor.
        progress: Told of every chunk.

    Returns:
        The number of chunks.
    """
    seen = 0

    def to_do() -> Iterator[Chunk]:
        """Give the chunks that no earlier run has finished."""
        nonlocal seen
        for number, items in enumerate(chunks(paths)):
            seen = number + 1
            if folder.path(number).exists():
                progress("rows", len(items))
            else:
                yield Chunk(number, items, folder.path(number))

    count = default_workers() if workers is None else workers
    for rows in run_chunks(to_do(), work, count):
        progress("rows", rows)
    return seen


def _finish(
    folder: WorkFolder,
    count: int,
    output: Path,
    settings: Settings,
    tools: Tools,
    progress: Progress,
) -> dict[str, Any]:
    """Decide, write, audit; the same bytes however often it is begun."""
    counts = Counts()
    with open_decisions(folder.folder / "decisions.sqlite", settings) as decisions:
        for function in _evaluation(settings, tools):
            decisions.add_evaluation(function.keys, function.sketch, function.where)
        _decide(folder, count, decisions, progress)
        functions = decisions.functions()
        with open_outputs(output) as outputs:
            for number, record in enumerate(folder.read(count)):
                decisions.apply(number, record)
                if record.reject is not None:
                    counts.rejected(record)
                    outputs.reject(record)
                else:
                    side = decisions.side(record)
                    counts.kept(record, side)
                    outputs.keep(record, side)
                progress("write", 1)
    report = make_report(counts, outputs.counts, functions, folder.what)
    kept_out = {key for function in _evaluation(settings, tools) for key in function.keys}
    report["audit"] |= audit(output, report, kept_out)
    write_text_atomic(output / REPORT, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    return report


def run_step(
    step: StepName,
    inputs: Sequence[str | Path],
    output: Path,
    settings: Settings | None = None,
    *,
    workers: int | None = None,
    overwrite: bool = False,
    progress: Progress = lambda _pass, _rows: None,
    tools: Tools | None = None,
) -> dict[str, Any]:
    """Do one step alone, on the columns that upstream's scripts read and write.

    Args:
        step: The step.
        inputs: Files of rows.
        output: File to write, `.json` or `.jsonl`; the rejects go beside it.
        settings: The choices of the run.
        workers: Number of processes; None for one per processor, 0 to work in this one.
        overwrite: Whether a file that is there is replaced.
        progress: Told of every chunk.
        tools: Other functions for the steps.

    Returns:
        Rows in, rows out, and rejects by reason.

    Raises:
        DataError: The input holds no rows.
    """
    settings = settings or Settings()
    settings.check()
    tools = tools or phase0_tools()
    check_shape(output)
    paths = [str(path) for path in inputs]
    what = description(sources(paths), [], settings, step, tool_versions())
    rejects = output.with_name(f"{output.stem}.rejects.jsonl")
    folder = WorkFolder(output.with_name(f".{output.name}.work"), what)
    with folder.in_use():
        folder.prepare([output, rejects], overwrite=overwrite)
        count = work_out(folder, paths, SingleStep(step, settings, tools), workers, progress)
        report = _write_step(folder, count, output, rejects)
        folder.remove()
    if report["rows_in"] == 0:
        raise DataError("there are no rows", where=", ".join(paths), remedy="Give a file with rows")
    return report


def _write_step(folder: WorkFolder, count: int, output: Path, rejects: Path) -> dict[str, Any]:
    reasons: Counter[str] = Counter()
    kept = 0
    with open_rows(output) as add, open_rows(rejects, ascii_only=True) as refuse:
        for record in folder.read(count):
            if record.reject is None:
                add(record.row | record.made)
                kept += 1
            else:
                refuse(reject_row(record))
                reasons[str(record.reject.reason)] += 1
    counted = dict(sorted(reasons.items()))
    return {"rows_in": kept + reasons.total(), "rows_out": kept, "rejects": counted}


def _decide(folder: WorkFolder, count: int, decisions: Decisions, progress: Progress) -> None:
    for number, record in enumerate(folder.read(count)):
        if record.reject is None:
            decisions.decide(number, record)
        progress("decide", 1)
    decisions.split()


def _evaluation(settings: Settings, tools: Tools) -> Iterator[EvaluationFunction]:
    for path in settings.decontaminate:
        yield from evaluation_functions(path, tools.function_name)


def failure(report: Mapping[str, Any]) -> str | None:
    """Say why a finished run is no success.

    Args:
        report: Its report.

    Returns:
        What is wrong with the run as a whole, or None.
    """
    reached, failed = report["types"]["reached"], report["types"]["failed"]
    if failed > HOPELESS * reached:
        return (
            f"{failed} of the {reached} rows that came as far as type inference have no header "
            "that they compile with: see the messages in rejects.jsonl"
        )
    if report["rows_out"] == 0:
        return f"none of {report['rows_in']} rows was kept: see the reasons in report.json"
    return None


def _probe(tools: Tools) -> None:
    """See that the compiler works before a thousand rows are refused for it."""
    [verdict] = tools.compile_all(["int probe(void) { return 0; }\n"])
    if not verdict.compiles:
        raise UserError(
            f"the compiler refuses even a function of one line ({verdict.message})",
            where="gcc",
            remedy="Install gcc; python cli.py doctor shows what works",
        )
