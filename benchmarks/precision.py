"""What does each precision cost and change? The same few steps in each, on this machine's device.

Every precision trains the same rows of the same base from the same start, as `python cli.py fit`
does, in a process of its own with a time limit. Shown are the speed (tokens per second, without
the first step), the peak memory, the loss of held-out rows after the last step and its difference
from fp32, the steps that the loss scaler skipped, and how far the first held-out answer is that
of fp32. What cannot run here says why. fp16-true, which `fit` refuses, is run past that check.

    python benchmarks/precision.py                       SmolLM2-135M, the GPU or else the CPU
    python benchmarks/precision.py --base tiny --steps 2
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from rich.console import Console  # noqa: E402

from benchmarks.precisions.modes import KINDS, MODES, Case, cases  # noqa: E402
from benchmarks.precisions.report import Result, draw, markdown, remark, rows, table  # noqa: E402
from benchmarks.precisions.worker import ANSWER, Job, Outcome  # noqa: E402
from sk2d.models.bases import base_folder  # noqa: E402

# A log is not a terminal, and the table is wider than what rich takes such a thing for.
CONSOLE = Console(width=None if sys.stdout.isatty() else 180)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the options.

    Args:
        arguments: Options of the command line.

    Returns:
        Their values.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [mode.name for mode in MODES]
    parser.add_argument("--base", default="smollm2-135m", help="folder or name of the base model")
    parser.add_argument("--train", default=str(ROOT / "examples" / "skeleton.jsonl"))
    parser.add_argument("--held-out", default=str(ROOT / "examples" / "skeleton_unseen.jsonl"))
    parser.add_argument("--modes", default=",".join(names), help="names, with commas")
    parser.add_argument("--kinds", default=",".join(KINDS), help="lora, full")
    parser.add_argument("--device", choices=("auto", "cpu", "gpu"), default="auto")
    parser.add_argument("--steps", type=int, default=6, help="optimiser steps, the first not timed")
    parser.add_argument("--rows-per-step", type=int, default=4)
    parser.add_argument("--micro-batch", type=int, default=2)
    parser.add_argument("--cutoff", type=int, default=512, help="the most tokens of a row")
    parser.add_argument("--lr", type=float, default=5e-5, help="the same for all, constant")
    parser.add_argument("--sample-tokens", type=int, default=48)
    parser.add_argument("--checkpointing", action="store_true", help="recompute activations")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for each process")
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--markdown", type=Path, help="file for the table")
    parser.add_argument("--picture", type=Path, help="PNG file")
    chosen = parser.parse_args(arguments)
    for key, known in (("modes", names), ("kinds", KINDS)):
        wanted = getattr(chosen, key).split(",")
        setattr(chosen, key, wanted)
        if unknown := set(wanted) - set(known):
            parser.error(f"--{key} knows no {', '.join(sorted(unknown))}")
    if chosen.steps < 2:
        parser.error("--steps must be at least 2: the first one is not timed")
    return chosen


def job_of(case: Case, chosen: argparse.Namespace, folder: Path) -> Job:
    """Make the job of a run.

    Args:
        case: The run.
        chosen: Options of the benchmark.
        folder: Where it may write.

    Returns:
        The job.
    """
    return Job(
        base=str(base_folder(chosen.base).resolve()),
        train=chosen.train,
        held_out=chosen.held_out,
        output=str(folder),
        precision=case.mode.precision,
        quantization=case.mode.quantization,
        lora=case.kind == "lora",
        refused=case.mode.refused,
        gpu=chosen.device == "gpu",
        steps=chosen.steps,
        rows_per_step=chosen.rows_per_step,
        micro_batch=chosen.micro_batch,
        cutoff=chosen.cutoff,
        lr=chosen.lr,
        sample_tokens=chosen.sample_tokens,
        checkpointing=chosen.checkpointing,
    )


def run(case: Case, chosen: argparse.Namespace) -> Result:
    """Run one case in a process of its own.

    Args:
        case: The run.
        chosen: Options of the benchmark.

    Returns:
        Its figures, or why there are none.
    """
    with tempfile.TemporaryDirectory(prefix="sk2d-precision-") as name:
        folder = Path(name)
        path = folder / "job.json"
        path.write_text(json.dumps(asdict(job_of(case, chosen, folder))), encoding="utf-8")
        quiet = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
        settings = os.environ | quiet | {"OMP_NUM_THREADS": str(chosen.threads)}
        command = [sys.executable, "-m", "benchmarks.precisions.worker", str(path)]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=settings, capture_output=True, text=True,
                timeout=chosen.limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Result(case, None, f"it took longer than {chosen.limit:.0f} s (--limit)")
    answers = [line for line in done.stdout.splitlines() if line.startswith(ANSWER)]
    if not answers:
        last = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
        return Result(case, None, f"it ended with {done.returncode}: {last[-1]}")
    return Result(case, Outcome(**json.loads(answers[-1].removeprefix(ANSWER))))


def device_name(kind: str) -> str:
    """Name what the benchmark ran on.

    Args:
        kind: `cpu` or `gpu`.

    Returns:
        The GPU's name, or the processor's with its number of cores.
    """
    if kind == "gpu":
        return torch.cuda.get_device_name()
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{(models or [platform.machine()])[0]}, {os.cpu_count()} cores"


def figures(chosen: argparse.Namespace, results: list[Result]) -> dict[str, Any]:
    """Give everything that was measured, as plain values.

    Args:
        chosen: Options of the benchmark.
        results: All runs.

    Returns:
        Settings, machine and runs.
    """
    files = ("json", "markdown", "picture")
    return {
        "settings": {key: value for key, value in vars(chosen).items() if key not in files},
        "device": device_name(chosen.device),
        "torch": torch.__version__,
        "runs": [
            {"mode": r.case.mode.name, "kind": r.case.kind, "remark": remark(r)}
            | (asdict(r.outcome) if r.outcome else {})
            for r in results
        ],
    }


def report(chosen: argparse.Namespace, results: list[Result]) -> int:
    """Print the table and the samples, and write the files that were asked for.

    Args:
        chosen: Options of the benchmark.
        results: All runs.

    Returns:
        0 unless the process of a run failed.
    """
    CONSOLE.print(table(results))
    for result in results:
        if result.outcome and result.outcome.sample is not None:
            CONSOLE.rule(result.case.name)
            CONSOLE.print(result.outcome.sample, markup=False, highlight=False)
    if chosen.json:
        text = json.dumps(figures(chosen, results), indent=2)
        chosen.json.write_text(text + "\n", encoding="utf-8")
    if chosen.markdown:
        chosen.markdown.write_text(markdown(results), encoding="utf-8")
    if chosen.picture and any(result.complete for result in results):
        draw(results, chosen.picture)
    return 1 if any(result.outcome is None for result in results) else 0


def main(arguments: list[str]) -> int:
    """Run all cases one after the other."""
    chosen = parse(arguments)
    if chosen.device == "auto":
        chosen.device = "gpu" if torch.cuda.is_available() else "cpu"
    CONSOLE.print(f"{device_name(chosen.device)}, torch {torch.__version__}", highlight=False)
    results = []
    for case in cases(chosen.modes, chosen.kinds):
        results.append(run(case, chosen))
        CONSOLE.print("  ".join(rows(results)[-1]), markup=False, highlight=False)
    return report(chosen, results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
