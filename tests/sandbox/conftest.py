"""Each back end in turn, and proof that nothing is left of what ran in it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sk2d import sandbox
from sk2d.sandbox.backends import WITHOUT

NAMES = [backend.name for backend in sandbox.LADDER]
EXECUTING = [backend.name for backend in sandbox.LADDER if backend.executes]


def use(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a back end the only one, or skip by name where this machine does not have it."""
    others = [other for other in NAMES if other != name]
    monkeypatch.setenv(WITHOUT, ",".join(others))
    why = sandbox.failure(name)
    if why is not None:
        pytest.skip(f"no {name} here: {why}")


@pytest.fixture(params=EXECUTING)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use one back end after the other of those that may run programs."""
    use(request.param, monkeypatch)
    return str(request.param)


def processes_with(marker: str) -> list[str]:
    """Give the command lines that hold a word; psutil would take a quarter of a second."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path("/proc", name, "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it ended while we looked
        if marker in line:
            found.append(line.replace("\0", " "))
    return found


def jail_folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("sk2d-jail-*"))


def comes_true(condition: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def marker() -> Iterator[str]:
    """Give a word for command lines; afterwards no process with it may be there, and no folder."""
    word = f"31{time.monotonic_ns() % 10**12:012d}"  # a number, so that `sleep` takes it
    before = jail_folders()
    yield word
    assert processes_with(word) == []
    # Jails that wait for the next compiler run keep an empty folder each.
    assert [name for folder in jail_folders() - before for name in os.listdir(folder)] == []
