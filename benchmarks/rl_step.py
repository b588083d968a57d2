"""How long does a step of reinforcement learning take, beside trl's GRPOTrainer?

Both go on from the same base with the same prompts, answers per prompt, longest answer, loss and
learning rate, without a reference model, in fp32, under the same allocator settings, each in a
process of its own; they take turns. The reward costs nothing: a checksum of the answer, so that
most groups teach something; for a share of the prompts (`--flat`) all answers are paid the same,
as in practice. Both draw their own answers; the mean lengths are shown. The first step is left out.

    python benchmarks/rl_step.py --base tiny
    python benchmarks/rl_step.py --base smollm2-135m --steps 4 --max-new-tokens 48
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks.contenders import (  # noqa: E402
    TRL_PYTHON,
    Contender,
    environment,
    run,
    take_turns,
)
from benchmarks.rl_steps.job import Job  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.corpus.rl_rows import rl_row  # noqa: E402
from sk2d.models.bases import base_folder  # noqa: E402
from sk2d.models.load import load_tokenizer  # noqa: E402
from sk2d.prompts import get_prompt  # noqa: E402

CONTENDERS = {
    "sk2d": Contender("benchmarks.rl_steps.sk2d_fit"),
    "trl": Contender("benchmarks.rl_steps.trl_grpo", TRL_PYTHON),
}
TARGETS = {"tiny": 0.6}
"""Most of trl's seconds per step that sk2d may take, by base; of any other base all of them."""

CONSOLE = Console(width=None if sys.stdout.isatty() else 120)


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
    parser.add_argument("--base", default="tiny", help="folder or name of the base model")
    parser.add_argument("--rows", type=Path, default=ROOT / "examples" / "rl_skeleton.jsonl")
    parser.add_argument("--steps", type=int, default=6, help="optimiser steps, a cold one included")
    parser.add_argument("--prompts", type=int, default=4, help="of a step")
    parser.add_argument("--answers", type=int, default=8, help="to each prompt")
    parser.add_argument("--max-new-tokens", type=int, default=128)
    parser.add_argument("--longest-prompt", type=int, default=512, help="in tokens")
    parser.add_argument("--loss", choices=("grpo", "dr_grpo", "dapo"), default="grpo")
    parser.add_argument("--rank", type=int, default=16, help="of the adapters; 0: all weights")
    parser.add_argument("--lr", type=float, default=1e-5)
    parser.add_argument("--flat", type=float, default=0.0, help="share of prompts without signal")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--contenders", default=",".join(CONTENDERS), help="names, with commas")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file for all figures")
    chosen = parser.parse_args(arguments)
    chosen.contenders = chosen.contenders.split(",")
    if unknown := set(chosen.contenders) - set(CONTENDERS):
        parser.error(f"no contender is called {', '.join(sorted(unknown))}")
    if chosen.steps < 2:
        parser.error("--steps must be at least 2: the first one is left out")
    return chosen


def job_of(chosen: argparse.Namespace, folder: Path) -> Job:
    """Choose the prompts, as many as the steps need, and write them for both.

    Args:
        chosen: The options.
        folder: Where they go.

    Returns:
        What all contenders train.

    Raises:
        SystemExit: There are too few prompts.
    """
    base = base_folder(chosen.base).resolve()
    tokenizer, prompt = load_tokenizer(str(base)), get_prompt("skeleton")
    rows, prompts = [], []
    for raw, where in read_rows(chosen.rows):
        row = rl_row(raw, where)
        text = prompt.render(row.source)
        if len(tokenizer(text)["input_ids"]) <= chosen.longest_prompt:
            rows.append(raw)
            prompts.append({"prompt": text, "key": row.reference})
    count = chosen.steps * chosen.prompts
    if len(rows) < count:
        raise SystemExit(f"{chosen.rows} has {len(rows)} prompts that are short enough of {count}")
    lines = "".join(json.dumps(row) + "\n" for row in rows[:count])
    (folder / "rows.jsonl").write_text(lines, encoding="utf-8")
    (folder / "prompts.json").write_text(json.dumps(prompts[:count]), encoding="utf-8")
    return Job(
        base=str(base),
        rows=str(folder / "rows.jsonl"),
        prompts=str(folder / "prompts.json"),
        output=str(folder / "output"),
        steps=chosen.steps,
        prompts_per_step=chosen.prompts,
        answers=chosen.answers,
        max_new_tokens=chosen.max_new_tokens,
        loss=chosen.loss,
        rank=chosen.rank,
        lr=chosen.lr,
        flat=chosen.flat,
        seed=chosen.seed,
    )


def medians(runs: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Take the medians over the repeats.

    Args:
        runs: Figures of each turn, by contender.

    Returns:
        One figure of each kind, by contender that ran.
    """
    return {
        name: {key: median(turn[key] for turn in turns) for key in turns[0]}
        for name, turns in runs.items()
        if turns
    }


def table(figures: dict[str, dict[str, float]]) -> Table:
    """Lay the figures out.

    Args:
        figures: Medians by contender.

    Returns:
        Something that rich prints.
    """
    shown = Table()
    shown.add_column("contender")
    for name in ("s/step", "CPU s/step", "tokens of an answer", "peak GiB"):
        shown.add_column(name, justify="right")
    for name, each in figures.items():
        seconds = (f"{each['seconds_per_step']:.2f}", f"{each['cpu_seconds_per_step']:.2f}")
        shown.add_row(name, *seconds, f"{each['answer_tokens']:.1f}", f"{each['peak_gib']:.2f}")
    return shown


def main(arguments: list[str]) -> int:
    """Run the comparison.

    Args:
        arguments: Options of the command line.

    Returns:
        0 when every contender ran and sk2d was as fast as it should be.
    """
    chosen = parse(arguments)
    settings = environment(chosen.threads, malloc=True)
    with tempfile.TemporaryDirectory(prefix="sk2d-rl-step-") as name:
        folder = Path(name)
        job = job_of(chosen, folder)
        result = take_turns(
            {name: CONTENDERS[name] for name in chosen.contenders},
            chosen.repeats,
            lambda name, contender: run(name, contender, job, settings, folder),
            lambda text: CONSOLE.print(text, markup=False),
            lambda turn: f"{turn['seconds_per_step']:.2f} s a step",
        )
    figures = medians(result["runs"])
    CONSOLE.print(table(figures))
    ratio = ratio_of(figures)
    limit = TARGETS.get(chosen.base, 1.0)
    if ratio is not None:
        said = "holds" if ratio <= limit else "MISSED"
        CONSOLE.print(f"sk2d's seconds over trl's: {ratio:.2f}, at most {limit}: {said}")
    if chosen.json:
        everything: dict[str, Any] = {
            "settings": {key: str(value) for key, value in vars(chosen).items()},
            "machine": platform.processor() or platform.machine(),
            **result,
            "medians": figures,
            "ratio": ratio,
        }
        chosen.json.write_text(json.dumps(everything, indent=2) + "\n", encoding="utf-8")
    return 0 if not result["not_run"] and (ratio is None or ratio <= limit) else 1


def ratio_of(figures: dict[str, dict[str, float]]) -> float | None:
    """Compare the two.

    Args:
        figures: Medians by contender.

    Returns:
        sk2d's seconds per step over trl's, or None when one has not run.
    """
    if not {"sk2d", "trl"} <= set(figures):
        return None
    return figures["sk2d"]["seconds_per_step"] / figures["trl"]["seconds_per_step"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
