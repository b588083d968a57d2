"""Proof that an attack used no more time than it may, and that nothing of it is left."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.sandbox.conftest import comes_true

TRACES = ("./program", "code.c", "candidate.c", "sleep\x00300")
_TICKS = os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    """A process as /proc shows it; the CPU time is with that of children that it waited for."""

    parent: int
    name: str
    cpu_seconds: float
    command: str


def _read(number: str) -> Process | None:
    folder = Path("/proc", number)
    try:
        name, rest = (folder / "stat").read_text(errors="replace").split("(", 1)[1].rsplit(")", 1)
        fields = rest.split()
        command = (folder / "cmdline").read_text(errors="replace")
    except OSError:
        return None  # it ended while we looked
    return Process(int(fields[1]), name, sum(map(int, fields[11:15])) / _TICKS, command)


def processes() -> dict[int, Process]:
    found = {int(name): _read(name) for name in os.listdir("/proc") if name.isdigit()}
    return {number: process for number, process in found.items() if process is not None}


def _ancestors(number: int, table: dict[int, Process]) -> Iterator[int]:
    while number in table and number > 1:
        number = table[number].parent
        yield number


def cpu_seconds(table: dict[int, Process]) -> float:
    """Give the CPU time of all jails of this process, those that have ended too."""
    own = os.getpid()
    return sum(p.cpu_seconds for n, p in table.items() if own in _ancestors(n, table))


def left_over(table: dict[int, Process], before: dict[int, Process]) -> list[str]:
    """List what the jails of this process left, zombies too, and what nobody watches any more.

    What was there before is none of it, such as the browser that other tests keep open.
    """
    found = []
    for number, process in table.items():
        if number in before and process.command == before[number].command:
            continue
        above = [table[n] for n in _ancestors(number, table) if n in table]
        own = os.getpid() in _ancestors(number, table)
        orphan = not any(p.name.startswith("python") for p in above)
        trace = any(word in process.command for word in TRACES)
        if (own and not process.name.startswith("python")) or (orphan and trace):
            found.append(f"{number} {process.name} {process.command!r}")
    return found


def _files(folder: Path) -> list[Path]:
    """List files; a jail that waits for the next compiler run keeps an empty folder."""
    return [Path(place, name) for place, _, names in os.walk(folder) for name in names]


@contextmanager
def watched(temporary: Path, cpu_limit: float, wall_limit: float) -> Iterator[None]:
    """Assert that what runs within keeps its limits and leaves nothing.

    Where the machine is loaded the clock goes on while nothing runs, so that one of the two times
    has to be within the limit of CPU time and a second, and the clock within its own.
    """
    before, clock = processes(), time.monotonic()
    yield
    wall = time.monotonic() - clock
    after = processes()
    if left := left_over(after, before):
        assert comes_true(lambda: left_over(processes(), before) == [], seconds=0.5), left
    assert _files(temporary) == []
    used = cpu_seconds(after) - cpu_seconds(before)
    assert min(used, wall) <= cpu_limit + 1
    assert wall <= wall_limit + 1
