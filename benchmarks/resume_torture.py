"""Does a run that is killed again and again end with the very same weights?

One run goes straight through. Another with the same settings (accumulation, shuffling, packing,
dropout, loader workers, validation) is killed with SIGKILL at random moments, some of them while a
checkpoint's temporary file exists, and resumed with `--ckpt_path last` each time. At the end the
weights are compared bit by bit, and metrics.csv must hold every step once.

    python benchmarks/resume_torture.py --kills 20
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 300.0
CONSOLE = Console()


@dataclass(frozen=True)
class Kill:
    """One kill and the moment it hit.

    Args:
        number: From 1.
        step: Last step in metrics.csv at that moment.
        temporary: Whether a checkpoint's temporary file was left in the folder.
        seconds: Time since the process started.
    """

    number: int
    step: int
    temporary: bool
    seconds: float


def command(root: Path, steps: int, rows: str, resume: bool) -> list[str]:
    """Build the command of a run.

    Args:
        root: Run folder.
        steps: Optimiser steps of the run.
        rows: Training rows.
        resume: Whether to continue from the newest checkpoint.

    Returns:
        Program and arguments.
    """
    options = {
        "data.train": rows,
        "data.effective_batch": 8,
        "data.batch_size": 2,
        "data.num_workers": 2,
        "data.val_share": 0.1,
        "model.lora": "{rank: 8, alpha: 16, dropout: 0.1, targets: all-linear}",
        "model.samples": 1,
        "model.max_new_tokens": 8,
        "checkpoint.every_n_train_steps": 3,
        "trainer.max_steps": steps,
        "trainer.max_epochs": -1,
        "trainer.enable_progress_bar": "false",
        "trainer.default_root_dir": str(root),
    }
    arguments = [f"--{key}={value}" for key, value in options.items()]
    start = [sys.executable, str(ROOT / "cli.py"), "fit", "--config", "skeleton.yaml"]
    return [*start, "--config", "cpu_tiny.yaml", *arguments, *(resumption(root) if resume else [])]


def resumption(root: Path) -> list[str]:
    """Give the options that go on with a run; one killed before its first checkpoint starts anew.

    Args:
        root: Run folder.

    Returns:
        Options of `fit`.
    """
    return ["--ckpt_path", "last"] if checkpoints(root) else ["--overwrite"]


def checkpoints(root: Path) -> list[Path]:
    """List the finished checkpoints of a run."""
    return list((root / "checkpoints").glob("step*.ckpt"))


def temporary_files(root: Path) -> list[Path]:
    """List the checkpoints that are being written."""
    return list((root / "checkpoints").glob(".*.tmp"))


def last_step(root: Path) -> int:
    """Read the last complete step from metrics.csv; 0 when there is none."""
    path = root / "metrics.csv"
    if not path.exists():
        return 0
    text = path.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return int(lines[-1].split(",")[0]) if len(lines) > 1 else 0


def start(arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a run in a session of its own."""
    with log.open("ab") as stream:
        return subprocess.Popen(
            arguments, cwd=ROOT, stdout=stream, stderr=stream, start_new_session=True
        )


def wait_for_moment(
    process: subprocess.Popen[bytes], root: Path, at_write: bool, dice: random.Random
) -> bool:
    """Wait until the moment of a kill.

    Args:
        process: The run.
        root: Its folder.
        at_write: Wait for a temporary file, else for a random time after training has begun.
        dice: Source of randomness.

    Returns:
        False when the run ended first, or the moment did not come in time.
    """
    begun, deadline = last_step(root), time.monotonic() + PATIENCE
    mtime = (root / "metrics.csv").stat().st_mtime_ns if (root / "metrics.csv").exists() else 0
    writes, seen = dice.randint(2, 4), False
    until = None
    while process.poll() is None and time.monotonic() < deadline:
        if at_write:
            now = bool(temporary_files(root))
            writes -= now and not seen
            seen = now
            if now and writes <= 0:
                return True
            time.sleep(0.0002)
            continue
        path = root / "metrics.csv"
        moved = path.exists() and path.stat().st_mtime_ns != mtime and last_step(root) > 0
        if until is None and moved and last_step(root) >= begun - 3:
            until = time.monotonic() + dice.uniform(0.0, 2.0)
        if until is not None and time.monotonic() >= until:
            return True
        time.sleep(0.005)
    return False


def why_missed(returncode: int | None) -> str:
    """Say why the moment of a kill did not come.

    Args:
        returncode: How the run ended; None when it has not.

    Returns:
        The reason.
    """
    if returncode is None:
        return f"its moment did not come within {PATIENCE:.0f} s"
    if returncode:
        return f"the run failed with {returncode}"
    return "the run ended: give more --steps"


def kill_and_resume(root: Path, steps: int, rows: str, kills: int, seed: int) -> list[Kill]:
    """Run to the end through a number of kills.

    Args:
        root: Run folder.
        steps: Optimiser steps of the run.
        rows: Training rows.
        kills: Number of kills.
        seed: Seed of the moments.

    Returns:
        The kills.

    Raises:
        SystemExit: The run ended, failed or hung before all kills were used.
    """
    dice, done = random.Random(seed), []
    log = root.parent / f"{root.name}.log"
    for number in range(1, kills + 1):
        started = time.monotonic()
        process = start(command(root, steps, rows, resume=True), log)
        hit = wait_for_moment(process, root, at_write=number % 2 == 0, dice=dice)
        missed = None if hit else why_missed(process.poll())
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if missed:
            raise SystemExit(f"no kill {number}: {missed}; see {log}")
        left = bool(temporary_files(root))
        done.append(Kill(number, last_step(root), left, round(time.monotonic() - started, 1)))
        CONSOLE.print(
            f"kill {number:2}: step {done[-1].step}, temporary file: {'yes' if left else 'no'}"
        )
    process = start(command(root, steps, rows, resume=True), log)
    if process.wait() != 0:
        raise SystemExit(f"the last resumption failed: see {log}")
    return done


def digest(root: Path) -> dict[str, str]:
    """Hash the weights of a run's model folder."""
    files = sorted((root / "model").glob("*.safetensors"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def steps_of(root: Path) -> list[tuple[int, str]]:
    """Read step and loss of every row of metrics.csv."""
    with (root / "metrics.csv").open(encoding="utf-8") as stream:
        return [(int(row["step"]), row["loss"]) for row in csv.DictReader(stream)]


def main() -> int:
    """Run the comparison; 0 when everything is equal."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--steps", type=int, default=0, help="optimiser steps; 0 = 20 per kill")
    parser.add_argument("--rows", default="examples/skeleton.jsonl")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/resume_torture"))
    arguments = parser.parse_args()
    steps = arguments.steps or 20 * arguments.kills
    straight, torn = (arguments.output / name for name in ("straight", "torn"))
    if arguments.output.exists():
        raise SystemExit(f"{arguments.output} exists: delete it or choose another --output")
    arguments.output.mkdir(parents=True)
    run = start(command(straight, steps, arguments.rows, False), arguments.output / "straight.log")
    if run.wait() != 0:
        raise SystemExit(f"the straight run failed: see {arguments.output / 'straight.log'}")
    kills = kill_and_resume(torn, steps, arguments.rows, arguments.kills, arguments.seed)
    return report(straight, torn, steps, kills, arguments.output / "result.json")


def report(straight: Path, torn: Path, steps: int, kills: list[Kill], path: Path) -> int:
    """Print and write the verdict.

    Args:
        straight: Folder of the straight run.
        torn: Folder of the killed run.
        steps: Steps of a run.
        kills: The kills.
        path: JSON file to write.

    Returns:
        0 when all checks hold, else 1.
    """
    at_write = sum(kill.temporary for kill in kills)
    checks = {
        "weights bit-identical": bool(digest(torn)) and digest(torn) == digest(straight),
        "metrics.csv has every step once": [s for s, _ in steps_of(torn)] == [*range(1, steps + 1)],
        "losses identical": steps_of(torn) == steps_of(straight),
        "a quarter of the kills hit a temporary file": at_write * 4 >= len(kills),
    }
    table = Table(title=f"{len(kills)} kills, {at_write} of them while a temporary file existed")
    table.add_column("check")
    table.add_column("holds")
    for name, holds in checks.items():
        table.add_row(name, "yes" if holds else "NO")
    CONSOLE.print(table)
    result = {"kills": [asdict(kill) for kill in kills], "steps": steps, "checks": checks}
    path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
