"""A bar for each step of a long command; where there is no terminal, a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

Tell = Callable[[str, int, int], None]
SECONDS_BETWEEN_LINES: Final = 10.0


@contextmanager
def step_progress() -> Iterator[Tell]:
    """Show how far each step is, on the error output.

    Yields:
        A function that takes the name of a step, what is done of it and how much it is.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total)
            bar.update(tasks[step], completed=done, total=total)

        yield tell


def _lines() -> Tell:
    last = {"": 0.0}

    def tell(step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - last.get(step, 0.0) < SECONDS_BETWEEN_LINES:
            return
        last[step] = now
        sys.stderr.write(f"{step}: {done} of {total}\n")

    return tell
