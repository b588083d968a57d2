"""Steps, learning rate and time of a planned run."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.devices import device_count
from sk2d.commands.plan.rows import RowFigures
from sk2d.phases.curves import STEP_FILE, StepTable
from sk2d.phases.schedule import Schedule

SCHEDULE_KEYS = ("kind", "warmup", "min_ratio", "interval")


@dataclass(frozen=True)
class Rate:
    """A speed, and where it comes from.

    Args:
        tokens_per_s: Tokens per second and device, prompt and answer together.
        source: Who says so.
    """

    tokens_per_s: float
    source: str


@dataclass(frozen=True)
class Timeline:
    """How long a run is.

    Args:
        steps: Optimiser steps.
        steps_per_epoch: Of one epoch.
        epochs: Epochs, as a fraction where `max_steps` ends one early.
        warmup: Steps of the warm-up.
        lr: Learning rate of the first, middle and last step.
        tokens: Tokens of the whole run, over all devices.
        seconds: Time of the training steps; None without a rate.
    """

    steps: int
    steps_per_epoch: int
    epochs: float
    warmup: int
    lr: tuple[float, float, float]
    tokens: int
    seconds: float | None


def timeline(values: Values, rows: RowFigures, rate: Rate | None) -> Timeline:
    """Lay out a run.

    Args:
        values: The values of a config without mistakes.
        rows: The training rows.
        rate: The speed, where one is known.

    Returns:
        The run; validation, samples and checkpoints take their time besides.
    """
    per_epoch = max(1, -(-rows.rows // values.get("data.effective_batch")))
    steps = _steps(values, per_epoch)
    schedule = Schedule(**{key: values.get(f"model.schedule.{key}") for key in SCHEDULE_KEYS})
    by_step = schedule.interval == "step"
    total = steps if by_step else max(1, values.get("trainer.max_epochs") or 1)
    phase: Any = values.sections["model"].owner
    highest = values.get("model.lr") or phase.learning_rates[values.get("model.lora") is None]
    places = (0, steps // 2, steps - 1)
    at = places if by_step else tuple(place // per_epoch for place in places)
    first, middle, last = (highest * schedule.factor(place, total) for place in at)
    tokens = round(rows.tokens * steps / per_epoch)
    devices = device_count(values.get, values.site)
    return Timeline(
        steps=steps,
        steps_per_epoch=per_epoch,
        epochs=steps / per_epoch,
        warmup=math.ceil(schedule.warmup * total) * (1 if by_step else per_epoch),
        lr=(first, middle, last),
        tokens=tokens,
        seconds=tokens / devices / rate.tokens_per_s if rate else None,
    )


def _steps(values: Values, per_epoch: int) -> int:
    epochs, most = values.get("trainer.max_epochs"), values.get("trainer.max_steps")
    ends = [] if epochs in (None, -1) else [epochs * per_epoch]
    ends += [] if most in (None, -1) else [most]
    return min(ends) if ends else 1000 * per_epoch  # Lightning's own end of a run without one


def known_rate(values: Values, given: float | None) -> Rate | None:
    """Find the speed of a run: what the user says, else what its run folder measured before.

    Args:
        values: The values of a config.
        given: Tokens per second and device that the user names.

    Returns:
        The speed, or None where nothing is known.
    """
    if given is not None:
        return Rate(given, "given by --rate")
    path = Path(values.get("trainer.default_root_dir") or "runs") / STEP_FILE
    speeds = [float(row["tokens_per_s"]) for row in StepTable(path, []).rows()]
    if not speeds:
        return None
    return Rate(statistics.median(speeds), f"the median of the steps in {path}")
