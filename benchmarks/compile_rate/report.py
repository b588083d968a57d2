"""The experiment as a table, as verdicts and as a picture."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from matplotlib.figure import Figure

from benchmarks.compile_rate.measure import VIEWS, Figures

Outcome = Mapping[str, Figures]
JUDGED = VIEWS[0].name
"""The view by which the experiment is judged: the likeliest answers to held-out prompts."""

BEFORE = "before"
STARTS = (0.2, 0.6)
"""Between which the compile rate has to be before reinforcement learning."""

MEAN_GAIN, LEAST_GAIN, NOISE = 0.15, 0.10, 0.05
HEADINGS = (
    "run",
    "compiles",
    "gain",
    "strict compiles",
    "strict score",
    "similarity",
    "tokens",
    "ended",
)


def markdown(outcomes: Mapping[str, Outcome], view: str) -> str:
    """Lay the runs out for a page.

    Args:
        outcomes: Figures before, and after each run.
        view: Of which prompts and answers.

    Returns:
        A table in Markdown.
    """
    before = outcomes[BEFORE][view]
    lines = [HEADINGS, ["---", *["---:"] * (len(HEADINGS) - 1)]]
    lines += [_row(name, each[view], before) for name, each in outcomes.items()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(name: str, found: Figures, before: Figures) -> list[str]:
    gain = "" if name == BEFORE else f"{100 * (found.compiles - before.compiles):+.1f}"
    shares = (found.strict_compiles, found.finished)
    strict, ended = (f"{100 * share:.1f} %" for share in shares)
    figures = [f"{found.strict:.3f}", f"{found.similarity:.3f}", f"{found.tokens:.1f}"]
    return [name, f"{100 * found.compiles:.1f} %", gain, strict, *figures, ended]


def verdicts(outcomes: Mapping[str, Outcome], view: str) -> dict[str, bool]:
    """Tell what came true of what is asked.

    Args:
        outcomes: Figures before, and after each run; runs are named by reward and seed.
        view: Of which prompts and answers.

    Returns:
        Each sentence, and whether it holds.
    """
    before = outcomes[BEFORE][view]
    by_reward: dict[str, list[Figures]] = {}
    for name, each in outcomes.items():
        by_reward.setdefault(name.split("-")[0], []).append(each[view])
    gains = [each.compiles - before.compiles for each in by_reward.get("strict", [])]
    said = {"20 to 60 % compile before": STARTS[0] <= before.compiles <= STARTS[1]}
    if gains:
        said |= {
            "strict: 15 points more in the mean": mean(gains) >= MEAN_GAIN,
            "strict: 10 points more with each seed": min(gains) >= LEAST_GAIN,
        }
        for name in ("strict", "similarity", "tokens"):
            found = [getattr(each, name) for each in by_reward["strict"]]
            said[f"strict: {name} does not fall in the mean"] = mean(found) >= getattr(before, name)
    moved = [abs(each.compiles - before.compiles) for each in by_reward.get("random", [])]
    if moved:
        said["random: less than 5 points either way"] = max(moved) < NOISE
    return said


def samples(folder: Path, names: Sequence[str], view: str, count: int) -> str:
    """Show answers of several models to the same prompts.

    Args:
        folder: Folder with a folder of answers for each model.
        names: The models, `before` among them.
        view: Which prompts and answers.
        count: Prompts; spread over those whose answer became another one.

    Returns:
        Markdown.
    """
    answers = {name: _answers(folder / name / f"{view}.jsonl") for name in names}
    changed = [
        place
        for place, row in enumerate(answers[names[0]])
        if len({each[place]["answer"] for each in answers.values()}) == len(names)
        and len(row["source"]) < 700
    ]
    step = max(1, len(changed) // max(1, count))
    shown = changed[::step][:count]
    return "\n".join(_sample(answers, place) for place in shown)


def _answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _sample(answers: Mapping[str, Sequence[dict[str, Any]]], place: int) -> str:
    row = next(iter(answers.values()))[place]
    parts = [f"`{row['func_name']}`, reference:", _code(row["reference"])]
    for name, each in answers.items():
        found = each[place]
        said = f"strict {found['strict']:.2f}, paper {found['paper']:.2f}: {found['verdict']}"
        parts += [f"{name} ({said})", _code(found["answer"])]
    return "\n".join(parts)


def _code(text: str) -> str:
    return f"```c\n{text.rstrip()}\n```\n"


def draw(folder: Path, runs: Sequence[str], outcomes: Mapping[str, Outcome], path: Path) -> None:
    """Draw the compile rate while the runs went on, and before and after them.

    Args:
        folder: Folder with the run folders.
        runs: Their names.
        outcomes: Figures before, and after each run.
        path: PNG file to write.
    """
    figure = Figure(figsize=(12, 7), layout="constrained")
    curves, bars = figure.subplots(2, 2)
    for axes, column in zip(curves, ("compiles", "used"), strict=True):
        for name in runs:
            steps, values = _smoothed(folder / name / "metrics.csv", column)
            axes.plot(steps, values, label=name, linewidth=1)
        axes.set_title(f"{column}, answers of training (mean of 10 steps)")
        axes.set_xlabel("step")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    for axes, view in zip(bars, (VIEWS[0], VIEWS[2]), strict=True):
        shares = [100 * each[view.name].compiles for each in outcomes.values()]
        axes.bar_label(axes.bar(list(outcomes), shares), fmt="%.1f")
        axes.set_title(f"answers that compile (%), {view.name}")
        axes.margins(y=0.15)
    figure.savefig(path, dpi=110)


def _smoothed(path: Path, column: str, window: int = 10) -> tuple[list[int], list[float]]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row.get(column)]
    values = [float(row[column]) for row in rows]
    means = [mean(values[max(0, at - window + 1) : at + 1]) for at in range(len(values))]
    return [int(row["step"]) for row in rows], means
