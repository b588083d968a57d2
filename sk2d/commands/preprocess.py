"""`preprocess`: raw pairs -> rows for both phases and for RL, with every row accounted for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from sk2d.commands.preprocess_explain import explain as explain_function
from sk2d.commands.preprocess_report import print_report, print_step
from sk2d.commands.row_progress import row_progress
from sk2d.corpus.pipeline import failure, preprocess_rows, run_step
from sk2d.corpus.preprocess.chunks import total_rows
from sk2d.corpus.preprocess.settings import Dialect, Profile, Settings
from sk2d.errors import Sk2dError, UserError

Steps = Literal["all", "normalize", "obfuscate", "format", "infer"]


def preprocess(
    input: Path | list[Path] | None = None,
    output: Path | None = None,
    steps: Steps = "all",
    workers: int | None = None,
    dialect: Dialect = "auto",
    profile: Profile = "sound",
    filters: str | list[str] = "few_lines,many_lines",
    min_lines: int = 4,
    max_lines: int = 299,
    require_compiling: bool = True,
    near_threshold: float = 0.85,
    decontaminate: Path | list[Path] | None = None,
    val_share: float = 0.05,
    seed: int = 42,
    explain: Path | None = None,
    pseudo: Path | None = None,
    json: bool = False,
    overwrite: bool = False,
) -> int:
    """Make training rows of raw pairs, or show the steps for one function with --explain.

    A killed run goes on when its command is repeated, and ends with the same bytes.

    Args:
        input: Files of raw pairs with `pseudo` and `code` (.jsonl, .json, .parquet).
        output: Folder to write; with a single step, a .json or .jsonl file.
        steps: All steps, or one alone on upstream's columns.
        workers: Number of processes; without it, one per processor.
        dialect: Decompiler that wrote the pseudo-code; auto tells it by each text.
        profile: sound keeps the meaning; upstream prints what the released weights were trained on.
        filters: Names of filters, out of few_lines, many_lines, main; none for no filter.
        min_lines: Fewest lines of a body, for few_lines.
        max_lines: Most lines of a body, for many_lines.
        require_compiling: Reject a row whose IR does not compile with its inferred header.
        near_threshold: Similarity from which two sources count as nearly the same; 1 for never.
        decontaminate: Evaluation files whose functions must not be in the output.
        val_share: Share of the functions that is held back for validation.
        seed: Chooses which functions these are.
        explain: C file with one function, to be shown step by step; nothing is written.
        pseudo: File with its pseudo-code, for --explain.
        json: Write the report to the standard output as JSON.
        overwrite: Replace what another run has left in the output folder.

    Returns:
        Exit code: 1 when a function that is explained is refused, else 0.

    Raises:
        Sk2dError: The run as a whole failed.
    """
    settings = Settings(
        dialect, profile, _names(filters), min_lines, max_lines, require_compiling,
        near_threshold, tuple(map(str, _list(decontaminate))), val_share, seed,
    )  # fmt: skip
    settings.check()
    _check_options(input, output, explain, pseudo, workers)
    if explain is not None:
        return explain_function(explain, pseudo, settings)
    assert output is not None, "checked above"
    report = _run(steps, _list(input), output, settings, workers, overwrite)
    _tell(report, steps, output, json)
    problem = failure(report) if steps == "all" else None
    if problem:
        raise Sk2dError(problem)
    return 0


def _run(
    steps: Steps,
    inputs: list[Path],
    output: Path,
    settings: Settings,
    workers: int | None,
    overwrite: bool,
) -> dict[str, Any]:
    with row_progress(total_rows([str(path) for path in inputs])) as progress, _told_to_go_on():
        if steps == "all":
            return preprocess_rows(
                inputs, output, settings, workers=workers, overwrite=overwrite, progress=progress
            )
        return run_step(
            steps, inputs, output, settings,
            workers=workers, overwrite=overwrite, progress=progress,
        )  # fmt: skip


@contextmanager
def _told_to_go_on() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("stopped; repeat the command to go on\n")
        raise


def _tell(report: dict[str, Any], steps: Steps, output: Path, json: bool) -> None:
    if json:
        sys.stdout.write(dumps(report, indent=2, ensure_ascii=False) + "\n")
    elif steps == "all":
        print_report(report, output, Console())
    else:
        print_step(report, output, Console())


def _list(value: Path | list[Path] | None) -> list[Path]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _names(filters: str | Sequence[str]) -> tuple[str, ...]:
    """Take `a,b`, `none` or a list."""
    given = filters.split(",") if isinstance(filters, str) else filters
    names = [name.strip() for name in given]
    return () if names == ["none"] else tuple(filter(None, names))


def _check_options(
    input: Path | list[Path] | None,
    output: Path | None,
    explain: Path | None,
    pseudo: Path | None,
    workers: int | None,
) -> None:
    if pseudo is not None and explain is None:
        raise UserError(
            "this is a file for --explain",
            where="--pseudo",
            remedy="A column of pseudo-code needs no option: it is called pseudo",
        )
    if explain is None and (not _list(input) or output is None):
        missing = "--input" if not _list(input) else "--output"
        raise UserError(
            f"{missing} is missing",
            where="cli.py preprocess",
            remedy="python cli.py preprocess --input RAW.jsonl --output FOLDER",
        )
    if workers is not None and workers < 1:
        raise UserError(f"{workers} is out of range", where="--workers", remedy="Choose 1 or more")
