"""Medians over the repeats, what they say about the targets, a table and a picture."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.table import Table

from benchmarks.throughput.job import Figures

LOSS_TOLERANCE = 1e-4
SPEED, PEAK = "supervised_tokens_per_s", "peak_gib"
CPU_SPEED = "supervised_tokens_per_cpu_s"
NAMES = [field.name for field in fields(Figures)]


@dataclass(frozen=True)
class Target:
    """A ratio between two contenders that is to hold.

    Args:
        ours: The contender that is judged.
        other: What it is compared with.
        figure: The figure that is divided.
        limit: The limit of the ratio.
        least: Whether the ratio has to be at least the limit, else at most.
    """

    ours: str
    other: str
    figure: str
    limit: float
    least: bool


TARGETS = (
    Target("sk2d", "padded", SPEED, 1.5, least=True),
    Target("sk2d", "padded", PEAK, 0.6, least=False),
    Target("sk2d-checkpointing", "padded-checkpointing", PEAK, 1.0, least=False),
    Target("sk2d", "grouped", SPEED, 1.0, least=True),
    Target("sk2d", "grouped", PEAK, 1.0, least=False),
    Target("sk2d", "trl-packed", SPEED, 1.0, least=True),
    Target("sk2d", "trl-packed", PEAK, 1.0, least=False),
)


def medians(runs: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Take the median of each figure over the repeats.

    Args:
        runs: Figures of each run by contender.

    Returns:
        Figures by contender.
    """
    return {
        name: {key: statistics.median(run[key] for run in found) for key in NAMES}
        for name, found in runs.items()
        if found
    }


def loss_spread(runs: dict[str, list[dict[str, float]]]) -> float:
    """Give the largest difference between the first losses of any two runs.

    Args:
        runs: Figures of each run by contender.

    Returns:
        Nats per token; 0 where there is no run.
    """
    losses = [run["first_loss"] for found in runs.values() for run in found]
    return max(losses) - min(losses) if losses else 0.0


def verdicts(figures: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Compare the figures with the targets whose contenders both ran.

    Args:
        figures: Medians by contender.

    Returns:
        Per target: its text, the ratio and whether it holds.
    """
    judged = []
    for target in TARGETS:
        if not {target.ours, target.other} <= set(figures):
            continue
        ratio = figures[target.ours][target.figure] / figures[target.other][target.figure]
        holds = ratio >= target.limit if target.least else ratio <= target.limit
        bound = "at least" if target.least else "at most"
        text = f"{target.ours} / {target.other}, {target.figure}: {bound} {target.limit}"
        judged.append({"target": text, "ratio": ratio, "holds": holds})
    return judged


def table(
    figures: dict[str, dict[str, float]], not_run: dict[str, str], baseline: str = "padded"
) -> Table:
    """Lay the medians out, each with its ratio to the baseline.

    Args:
        figures: Medians by contender.
        not_run: Why a contender has none.
        baseline: The contender that the others are divided by.

    Returns:
        Something that rich prints.
    """
    shown = Table(title="warm steps, medians over the repeats")
    shown.add_column("contender", no_wrap=True)
    headings = ("s/step", "CPU s/step", "supervised\ntok/s", "ratio", "per\nCPU s", "ratio")
    for name in (*headings, "padding", "peak\nGiB", "ratio", "first loss"):
        shown.add_column(name, justify="right")
    base = figures.get(baseline)
    for name, row in figures.items():
        ratios = [
            f"{row[key] / base[key]:.2f}" if base else "-" for key in (SPEED, CPU_SPEED, PEAK)
        ]
        shown.add_row(
            name,
            f"{row['seconds_per_step']:.2f}",
            f"{row['cpu_seconds_per_step']:.2f}",
            f"{row[SPEED]:.1f}",
            ratios[0],
            f"{row[CPU_SPEED]:.1f}",
            ratios[1],
            f"{row['padding']:.0%}",
            f"{row[PEAK]:.2f}",
            ratios[2],
            f"{row['first_loss']:.5f}",
        )
    for name, reason in not_run.items():
        shown.add_row(name, f"not run: {reason}")
    return shown


def draw(figures: dict[str, dict[str, float]], path: Path) -> None:
    """Draw speed and peak memory of each contender.

    Args:
        figures: Medians by contender.
        path: PNG file to write.
    """
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    names = list(figures)[::-1]
    titles = {SPEED: "supervised tokens per second", PEAK: "peak memory (GiB)"}
    for axes, (key, title) in zip(figure.subplots(1, 2, sharey=True), titles.items(), strict=True):
        bars = axes.barh(names, [figures[name][key] for name in names])
        axes.bar_label(bars, fmt="%.1f", padding=2)
        axes.set_title(title)
        axes.margins(x=0.15)
    figure.savefig(path, dpi=120)
