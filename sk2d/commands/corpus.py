"""`corpus`: a tree of C sources -> raw pairs of pseudo-code and source."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from sk2d.corpus.build import Settings, build_corpus
from sk2d.errors import ConfigError
from sk2d.frontends.choosing import Names


def corpus(
    sources: Path,
    output: Path,
    opts: str = "O0,O1,O2,O3",
    cc: str = "gcc",
    compile_commands: Path | None = None,
    stripped: bool = False,
    frontend: Names = "flatline",
    workers: int = 1,
    seconds: float = 60.0,
    json: bool = False,
    overwrite: bool = False,
) -> int:
    """Compile and decompile C sources, and pair each function with its text.

    A killed build goes on when its command is repeated, and ends with the same bytes.

    Args:
        sources: Folder of C files.
        output: JSONL file of raw pairs, for preprocess; rejects and report go beside it.
        opts: Optimisation levels, with commas.
        cc: Compilers, with commas.
        compile_commands: A compile_commands.json with the flags of each file.
        stripped: Let the decompiler see a file without names, as it mostly does.
        frontend: The decompiler.
        workers: Files that are worked on at a time.
        seconds: Longest time for one function in the decompiler.
        json: Write the report to the standard output as JSON.
        overwrite: Replace what another build has left.

    Returns:
        Exit code: 1 when there is not a single pair, else 0.

    Raises:
        ConfigError: There are no workers.
    """
    if workers < 1:
        raise ConfigError("it must be at least 1", where="--workers")
    settings = Settings(
        sources=sources,
        commands=compile_commands,
        levels=_words(opts),
        compilers=_words(cc),
        stripped=stripped,
        frontend=frontend,
        seconds=seconds,
    )
    with _progress() as tell:
        report = build_corpus(settings, output, workers, overwrite=overwrite, tell=tell)
    if json:
        sys.stdout.write(dumps(report, indent=2) + "\n")
    else:
        Console(stderr=True).print(_table(report))
    return 0 if report["pairs"] else 1


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    console = Console(stderr=True)
    columns = (
        TextColumn("files × levels"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _table(report: dict[str, Any]) -> Table:
    table = Table("what", "number", title=f"{report['files']} files", title_justify="left")
    table.add_row("pairs", str(report["pairs"]), style="bold")
    for level, count in report["by_level"].items():
        table.add_row(f"  {level}", str(count))
    for reason, count in report["lost"].items():
        table.add_row(f"no pair: {reason.replace('_', ' ')}", str(count))
    return table
