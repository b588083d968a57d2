"""How fast and in how much memory does supervised fine-tuning run, beside other trainers?

Every contender trains LoRA (r=16, all linear layers, fp32, AdamW) on the same rows of the same
base, four rows per optimiser step, on the same cores and under the same allocator settings, in a
process of its own. The first step is left out. The contenders take turns, so that a change of the
machine's speed hits all of them; medians over the repeats are shown.

    sk2d                  what `python cli.py fit` trains: packed rows, logits where labels are
    padded                transformers.Trainer, rows padded to the longest of their step
    grouped               the same, rows grouped by length
    trl-packed            trl's SFTTrainer with packing, in .venv-trl (make trl-env)
    sk2d-checkpointing    sk2d, activations recomputed in the backward pass
    padded-checkpointing  transformers.Trainer, the same

    python benchmarks/sft_throughput.py --rows ROWS.jsonl --base smollm2-135m
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402

from benchmarks.contenders import (  # noqa: E402
    TRL_PYTHON,
    Contender,
    environment,
    run,
    take_turns,
)
from benchmarks.throughput.job import Job  # noqa: E402
from benchmarks.throughput.report import (  # noqa: E402
    LOSS_TOLERANCE,
    draw,
    loss_spread,
    medians,
    table,
    verdicts,
)
from benchmarks.throughput.rows import prepare_rows  # noqa: E402
from sk2d.models.bases import base_folder  # noqa: E402

TINY_EXAMPLES = ["examples/skeleton.jsonl", "examples/skin.jsonl"]
RELEASED = ["sk2_pseudo2norm_examples.jsonl", "sk2_norm2code_examples.jsonl"]
# A log is not a terminal, and the table is wider than what rich takes such a thing for.
CONSOLE = Console(width=None if sys.stdout.isatty() else 120)


CONTENDERS = {
    "sk2d": Contender("benchmarks.throughput.sk2d_fit"),
    "padded": Contender("benchmarks.throughput.hf_trainer"),
    "grouped": Contender(
        "benchmarks.throughput.hf_trainer", settings={"strategy": "group_by_length"}
    ),
    "trl-packed": Contender("benchmarks.throughput.trl_packed", TRL_PYTHON),
    "sk2d-checkpointing": Contender(
        "benchmarks.throughput.sk2d_fit", settings={"checkpointing": True}
    ),
    "padded-checkpointing": Contender(
        "benchmarks.throughput.hf_trainer", settings={"checkpointing": True}
    ),
}


def default_rows() -> list[str]:
    """Give the released rows where they lie beside the project, else the examples."""
    folder = Path(os.environ.get("SK2D_SHARED_DATA") or ROOT.parent / "shared" / "data")
    released = [folder / name for name in RELEASED]
    if all(path.exists() for path in released):
        return [str(path) for path in released]
    return [str(ROOT / name) for name in TINY_EXAMPLES]


def run_all(arguments: argparse.Namespace, job: Job, folder: Path) -> dict[str, Any]:
    """Let the contenders take turns.

    Args:
        arguments: Options of the benchmark.
        job: What all of them train.
        folder: Where jobs and logs go.

    Returns:
        Figures of each run and reasons of those not run, by contender.
    """
    settings = environment(arguments.threads, not arguments.default_malloc)
    return take_turns(
        {name: CONTENDERS[name] for name in arguments.contenders},
        arguments.repeats,
        lambda name, contender: run(name, contender, job, settings, folder),
        lambda text: CONSOLE.print(text, markup=False),
        lambda figures: (
            f"{figures['supervised_tokens_per_s']:.1f} supervised tokens/s, "
            f"{figures['peak_gib']:.2f} GiB"
        ),
    )


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
    parser.add_argument("--rows", nargs="+", default=default_rows(), help="files with rows")
    parser.add_argument("--base", default="smollm2-135m", help="folder or name of the base model")
    parser.add_argument("--steps", type=int, default=9, help="optimiser steps, a cold one included")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--contenders", default=",".join(CONTENDERS), help="names, with commas")
    parser.add_argument("--micro-batch", type=int, default=2, help="rows at a time of sk2d")
    parser.add_argument("--rows-per-step", type=int, default=4)
    parser.add_argument("--cutoff", type=int, default=1024, help="the most tokens of a row")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--default-malloc", action="store_true", help="leave the allocator's settings alone"
    )
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--picture", type=Path, help="PNG file for speed and memory")
    chosen = parser.parse_args(arguments)
    chosen.contenders = chosen.contenders.split(",")
    if unknown := set(chosen.contenders) - set(CONTENDERS):
        parser.error(f"no contender is called {', '.join(sorted(unknown))}")
    if chosen.steps < 2:
        parser.error("--steps must be at least 2: the first one is left out")
    return chosen


def main(arguments: list[str]) -> int:
    """Run the comparison; 0 when every contender that could run saw the same loss."""
    chosen = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="sk2d-throughput-") as name:
        folder = Path(name)
        rows = prepare_rows(
            chosen.rows,
            chosen.base,
            folder,
            steps=chosen.steps,
            rows_per_step=chosen.rows_per_step,
            cutoff=chosen.cutoff,
            seed=chosen.seed,
        )
        job = Job(
            base=str(base_folder(chosen.base).resolve()),
            tokens=str(rows.tokens),
            texts=str(rows.texts),
            output=str(folder / "output"),
            steps=chosen.steps,
            rows_per_step=chosen.rows_per_step,
            micro_batch=chosen.micro_batch,
            cutoff=chosen.cutoff,
            seed=chosen.seed,
        )
        CONSOLE.print(
            f"{rows.count} rows ({rows.left_out} left out), {rows.total} tokens in "
            f"{chosen.steps} steps, {rows.supervised} of them supervised; {chosen.threads} threads"
        )
        result = run_all(chosen, job, folder)
    return report(chosen, result)


def report(chosen: argparse.Namespace, result: dict[str, Any]) -> int:
    """Print the table and the verdicts, and write the files that were asked for.

    Args:
        chosen: Options of the benchmark.
        result: What `run_all` gave.

    Returns:
        0 when the first losses agree and no contender failed.
    """
    figures = medians(result["runs"])
    spread = loss_spread(result["runs"])
    CONSOLE.print(table(figures, result["not_run"]))
    judged = verdicts(figures)
    for verdict in judged:
        holds = "holds" if verdict["holds"] else "MISSED"
        CONSOLE.print(f"{verdict['target']}: {verdict['ratio']:.2f}, {holds}")
    agree = spread <= LOSS_TOLERANCE
    CONSOLE.print(f"first losses differ by {spread:.1e}: {'agree' if agree else 'DIFFER'}")
    settings = {key: value for key, value in vars(chosen).items() if key not in ("json", "picture")}
    everything = {
        "settings": settings | {"machine": platform.processor() or platform.machine()},
        **result,
        "medians": figures,
        "loss_spread": spread,
        "targets": judged,
    }
    if chosen.json:
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")
    if chosen.picture and figures:
        draw(figures, chosen.picture)
    failed = any(reason.startswith("it ended") for reason in result["not_run"].values())
    return 0 if agree and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
