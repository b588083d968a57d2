"""One bar for a command that goes over rows; silent where there is no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

PASSES = {"rows": "rows through the steps", "decide": "duplicates and split", "write": "writing"}


@contextmanager
def row_progress(total: int | None) -> Iterator[Callable[[str, int], None]]:
    """Show how far a run is.

    Args:
        total: Number of rows, where it is known.

    Yields:
        A function that takes the name of the pass and the number of rows that it has done more.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(PASSES["rows"], total=total)
        current, seen = "rows", 0

        def progress(name: str, rows: int) -> None:
            """Move the bar on, and begin it anew with each pass."""
            nonlocal current, seen
            if name != current:
                # What the first pass counted is the true number: blank lines are no rows.
                bar.reset(task, description=PASSES[name], total=seen)
                current, seen = name, 0
            seen += rows
            bar.advance(task, rows)

        yield progress
