"""Reward curves of a run as a picture, drawn while it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from sk2d.corpus.files import atomic_file
from sk2d.phases.curves import Rows
from sk2d.rl.rewarding import PARTS

REWARD_PICTURE = "reward.png"
_NAMES = {name for parts in PARTS.values() for name in parts}


def draw_rewards(steps: Rows, validations: Rows, path: Path) -> None:
    """Draw reward, its parts, lengths and times over the steps.

    Args:
        steps: Rows of `metrics.csv`.
        validations: Rows of `validation.csv`.
        path: Picture to write (PNG), replaced atomically.
    """
    if not steps:
        return
    figure = Figure(figsize=(9, 10), layout="constrained")
    reward, parts, shape, time = figure.subplots(4, 1, sharex=True)
    _lines(reward, steps, ["reward"], "training")
    _dots(reward, validations, "val_reward")
    present = [name for name in steps[0] if name in _NAMES]
    _lines(parts, steps, present)
    _lines(shape, steps, ["truncated", "flat_groups", "kl", "entropy"])
    _lines(time, steps, ["rollout_s", "reward_s", "update_s"])
    for axes, label in ((reward, "reward"), (parts, "parts"), (shape, "policy"), (time, "seconds")):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    time.set_xlabel("step")
    with atomic_file(path) as stream:
        figure.savefig(stream, format="png", dpi=120)


def _lines(axes: Any, steps: Rows, names: list[str], label: str | None = None) -> None:
    numbers = [int(row["step"]) for row in steps]
    for name in names:
        axes.plot(numbers, [float(row[name]) for row in steps], label=label or name, linewidth=1)


def _dots(axes: Any, validations: Rows, name: str) -> None:
    found = [(int(row["step"]), float(row[name])) for row in validations if row.get(name)]
    if found:
        axes.plot(*zip(*found, strict=True), "o-", label="validation")
