"""How near is the plan's memory to the truth? Predicted against measured peaks of real runs.

Each run is `fit` in a process of its own, for two optimiser steps. Measured is how far its memory
grew after its imports (on a GPU what torch reserved there); predicted is what `plan` says for the
same options. One model is SmolLM2-135M (`python cli.py models fetch smollm2-135m`), the other is
made on the spot: 15 million random weights.

    python benchmarks/memory_truth.py --json runs/memory.json --picture docs/memory.png
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks.memory.cases import Case, cases, write_rows  # noqa: E402
from sk2d.commands.allocator import TUNABLES, VARIABLE  # noqa: E402
from sk2d.commands.config.footprint import job_of  # noqa: E402
from sk2d.commands.config.prepare import judge  # noqa: E402
from sk2d.hardware import gibibytes  # noqa: E402
from sk2d.models.bases import base_folder  # noqa: E402
from sk2d.models.memory import Estimate, estimate  # noqa: E402
from sk2d.models.tiny import make_tiny, texts_of  # noqa: E402

CONSOLE = Console(width=None if sys.stdout.isatty() else 120)
NEAR, UNDER, SHARE = 0.20, 0.10, 0.90
TIME_LIMIT_S = 600
GIB = 2**30


@dataclass(frozen=True)
class Result:
    """A run and its memory.

    Args:
        case: The run.
        predicted: Bytes.
        measured: Bytes; None where it failed.
        failed: Why.
    """

    case: Case
    predicted: int
    measured: int | None
    failed: str = ""

    @property
    def ratio(self) -> float | None:
        """Predicted over measured."""
        return self.predicted / self.measured if self.measured else None


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0, or with `--check` 1 when the estimate is further off than it may be.
    """
    chosen = _parser().parse_args(arguments)
    device = "gpu" if torch.cuda.is_available() else "cpu"
    results = []
    with tempfile.TemporaryDirectory(prefix="sk2d-memory-") as temporary:
        folder = Path(temporary)
        write_rows(folder / "rows.jsonl")
        bases = {"small": _small(folder / "small"), "SmolLM2": base_folder("smollm2-135m")}
        for case in cases(*bases):
            if chosen.only and chosen.only not in case.title:
                continue
            run = folder / f"run{len(results)}"
            options = case.options(bases[case.model], folder / "rows.jsonl", run, device)
            results.append(_measured(case, options))
            CONSOLE.print(_line(results[-1]), highlight=False)
    _show(results)
    if chosen.json:
        chosen.json.write_text(json.dumps([_plain(r) for r in results], indent=2) + "\n", "utf-8")
    if chosen.picture:
        draw(results, chosen.picture)
    return 1 if chosen.check and not holds(results) else 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--only", default="", help="only runs with these words in their line")
    made.add_argument("--json", type=Path, help="write the figures here")
    made.add_argument("--picture", type=Path, help="write the picture here")
    made.add_argument("--check", action="store_true", help="fail where the estimate is far off")
    return made


def _small(folder: Path) -> Path:
    texts = texts_of(sorted((ROOT / "examples").glob("*.jsonl")))
    return make_tiny(texts, folder, vocabulary=4096, hidden=384, layers=8, heads=6, positions=4096)


def predict(options: list[str]) -> Estimate:
    """Estimate a run as `plan` does.

    Args:
        options: Options of `fit`.

    Returns:
        The estimate.
    """
    judged = judge("fit", options)
    assert not judged.mistakes(judged.lacking), judged.mistakes(judged.lacking)
    job = job_of(judged.values)
    assert job is not None, "the model is on this machine"
    return estimate(job)


def _measured(case: Case, options: list[str]) -> Result:
    predicted = predict(options).peak_bytes
    command = [sys.executable, str(ROOT / "benchmarks/memory/measure.py"), *options, "--overwrite"]
    try:
        done = subprocess.run(
            command,
            env=os.environ | {VARIABLE: TUNABLES},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Result(case, predicted, None, f"not done within {TIME_LIMIT_S} s")
    if done.returncode:
        said = (done.stderr.strip() or "no word").splitlines()[-1]
        return Result(case, predicted, None, said)
    peak = json.loads(done.stdout.strip().splitlines()[-1])["peak_bytes"]
    return Result(case, predicted, peak)


def holds(results: list[Result]) -> bool:
    """Tell whether the estimates are good enough.

    Args:
        results: All runs.

    Returns:
        Whether 90 % are within 20 % and none is more than 10 % too low.
    """
    ratios = [r.ratio for r in results if r.ratio is not None]
    near = sum(abs(ratio - 1) <= NEAR for ratio in ratios)
    return len(ratios) == len(results) > 0 and near >= SHARE * len(ratios) and not low(results)


def low(results: list[Result]) -> list[Result]:
    """List the runs whose memory was estimated more than a tenth too low.

    Args:
        results: All runs.

    Returns:
        Those.
    """
    return [r for r in results if r.ratio is not None and r.ratio < 1 - UNDER]


def _line(result: Result) -> str:
    if result.measured is None:
        return f"{result.case.title}: failed: {result.failed}"
    return (
        f"{result.case.title}: predicted {gibibytes(result.predicted)}, "
        f"measured {gibibytes(result.measured)}, ratio {result.ratio:.2f}"
    )


def _show(results: list[Result]) -> None:
    table = Table("run", "predicted GiB", "measured GiB", "ratio")
    for r in results:
        measured = f"{r.measured / GIB:.2f}" if r.measured else "failed"
        ratio = f"{r.ratio:.2f}" if r.ratio else "-"
        table.add_row(r.case.title, f"{r.predicted / GIB:.2f}", measured, ratio)
    CONSOLE.print(table)
    ratios = [r.ratio for r in results if r.ratio is not None]
    near = sum(abs(ratio - 1) <= NEAR for ratio in ratios)
    CONSOLE.print(
        f"{near} of {len(ratios)} within 20 %, lowest {min(ratios, default=0):.2f}, "
        f"highest {max(ratios, default=0):.2f}, more than 10 % too low: {len(low(results))}"
    )


def _plain(result: Result) -> dict[str, object]:
    return asdict(result) | {"ratio": result.ratio}


def draw(results: list[Result], path: Path) -> None:
    """Draw predicted against measured.

    Args:
        results: All runs.
        path: PNG file to write.
    """
    figure = Figure(figsize=(6, 6), layout="constrained")
    axes = figure.add_subplot()
    known = [r for r in results if r.measured]
    for kind in sorted({r.case.kind for r in known}):
        of_kind = [r for r in known if r.case.kind == kind]
        measured = [(r.measured or 0) / GIB for r in of_kind]
        axes.scatter(measured, [r.predicted / GIB for r in of_kind], label=kind)
    ends = [0.0, 1.1 * max((max(r.predicted, r.measured or 0) for r in known), default=1) / GIB]
    axes.plot(ends, ends, color="0.4", linewidth=1)
    axes.fill_between(ends, [0.8 * x for x in ends], [1.2 * x for x in ends], alpha=0.12)
    axes.set(xlabel="measured peak growth, GiB", ylabel="predicted, GiB", xlim=ends, ylim=ends)
    axes.legend(title="band: within 20 %")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    sys.exit(main())
