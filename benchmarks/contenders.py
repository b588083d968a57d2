"""Contenders of a comparison: each works in a process of its own, some in another environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sk2d.commands.allocator import TUNABLES, VARIABLE

ROOT = Path(__file__).resolve().parent.parent
TRL_PYTHON = ROOT / ".venv-trl" / "bin" / "python"
MALLOC = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "34359738368"}


@dataclass(frozen=True)
class Contender:
    """A way to train.

    Args:
        module: Module that is run, which prints its figures as one line of JSON at its end.
        python: Interpreter that runs it.
        settings: What differs in its job.
    """

    module: str
    python: Path = Path(sys.executable)
    settings: dict[str, Any] = field(default_factory=dict)


class NotRunError(Exception):
    """A contender could not run; the text says why."""


def environment(threads: int, malloc: bool) -> dict[str, str]:
    """Give the environment of every contender's process.

    Args:
        threads: Threads of torch.
        malloc: Whether freed memory is kept for the next allocation.

    Returns:
        Variables; none of the allocator's comes from the caller.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_TUN"))}
    quiet = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "COLUMNS": "160"}
    return kept | quiet | {"OMP_NUM_THREADS": str(threads)} | (MALLOC if malloc else {})


def run(
    name: str, contender: Contender, job: Any, settings: Mapping[str, str], folder: Path
) -> dict[str, Any]:
    """Let one contender train once.

    Args:
        name: The contender's name; sk2d's own get the allocator's settings of its command line.
        contender: The contender.
        job: What it trains, a dataclass.
        settings: Environment of its process.
        folder: Where its job and log go.

    Returns:
        Its figures: the last line of JSON that it printed.

    Raises:
        NotRunError: Its environment is missing, or it failed.
    """
    if not contender.python.exists():
        where = contender.python.relative_to(ROOT).parts[0]
        raise NotRunError(f"{where} is missing, `make trl-env` makes it")
    path, log = folder / f"{name}.json", folder / f"{name}.log"
    path.write_text(json.dumps(asdict(job) | contender.settings), encoding="utf-8")
    command = [str(contender.python), "-m", contender.module, str(path)]
    own = {VARIABLE: TUNABLES} if name.startswith("sk2d") else {}
    with log.open("w", encoding="utf-8") as stream:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**settings, **own},
            stdout=subprocess.PIPE,
            stderr=stream,
            text=True,
        )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{") and '": ' in line]
    if done.returncode or not lines:
        last = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
        raise NotRunError(f"it ended with {done.returncode}: {(last or ['no message'])[-1]}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def take_turns(
    contenders: Mapping[str, Contender],
    repeats: int,
    turn: Callable[[str, Contender], dict[str, Any]],
    say: Callable[[str], None],
    told: Callable[[dict[str, Any]], str],
) -> dict[str, Any]:
    """Let contenders take turns, so that a change of the machine's speed hits all of them.

    Args:
        contenders: The contenders.
        repeats: Turns of each.
        turn: Runs one of them.
        say: Prints a line.
        told: Puts the figures of a turn into words.

    Returns:
        `runs`, the figures of each turn, and `not_run`, reasons; both by contender.
    """
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
    not_run: dict[str, str] = {}
    for repeat in range(1, repeats + 1):
        for name, contender in contenders.items():
            if name in not_run:
                continue
            try:
                figures = turn(name, contender)
            except NotRunError as reason:
                not_run[name] = str(reason)
                say(f"{name}: not run: {reason}")
                continue
            runs[name].append(figures)
            say(f"repeat {repeat}, {name}: {told(figures)}")
    return {"runs": runs, "not_run": not_run}
