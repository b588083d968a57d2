"""Rules that a config must keep besides names, types and ranges: what goes together."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.deepspeed import deepspeed_rules
from sk2d.commands.config.devices import device_count
from sk2d.commands.config.engine import engine_rules
from sk2d.commands.config.policy import is_policy, policy_rules
from sk2d.commands.config.quantized import quantization_rules
from sk2d.commands.config.ranges import out_of_range
from sk2d.commands.config.types import REMEDIES, shown
from sk2d.data.plan import micro_batches_per_step
from sk2d.errors import ConfigError, UserError, did_you_mean
from sk2d.prompts import get_prompt

CLIP_ALGORITHMS = ("norm", "value")


def broken_rules(values: Values, command: str) -> Iterator[UserError]:
    """Find what a well-typed config breaks, whatever the machine.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per broken rule; `where` is the key.
    """
    yield from out_of_range(values, command)
    yield from _names(values)
    yield from engine_rules(values)
    yield from deepspeed_rules(values)
    if is_policy(values):
        yield from policy_rules(values, command)
    if command == "fit":
        yield from _precision(values)
        yield from _batch(values)
        yield from _length(values)
        yield from _validation(values)
    yield from quantization_rules(values, command)
    yield from _held_back(values, command)
    if values.get("data.predictions") is not None and _phase(values) == "skeleton":
        yield ConfigError(
            "only Skin trains on the Skeleton's answers",
            where="data.predictions",
            remedy="Leave it out, or use --config skin.yaml",
        )


def _held_back(values: Values, command: str) -> Iterator[UserError]:
    own = {"validate": ("val",), "test": ("test", "val"), "predict": ("test", "val")}
    files = [values.get(f"data.{name}") for name in own.get(command, ())]
    if files and not any(files) and values.get("data.val_share") == 0:
        yield ConfigError(
            f"0 holds no row back, so there is nothing to {command}",
            where="data.val_share",
            remedy=f"Raise it, or name a file as data.{own[command][0]}",
        )


def _phase(values: Values) -> str:
    return str(getattr(values.sections["model"].owner, "phase", ""))


def _names(values: Values) -> Iterator[UserError]:
    prompt = values.get("model.prompt")
    if prompt is not None:
        try:
            get_prompt(prompt)
        except UserError as problem:
            yield ConfigError(problem.what, where="model.prompt", remedy=problem.remedy)
    algorithm = values.get("trainer.gradient_clip_algorithm")
    if algorithm not in (None, *CLIP_ALGORITHMS):
        near = did_you_mean(algorithm, CLIP_ALGORITHMS) or f"Give {' or '.join(CLIP_ALGORITHMS)}"
        what = f"there is no way to clip called {algorithm!r}"
        yield ConfigError(what, where="trainer.gradient_clip_algorithm", remedy=near)


def _precision(values: Values) -> Iterator[UserError]:
    precision, where = str(values.get("trainer.precision")), "trainer.precision"
    if precision.startswith("transformer-engine"):
        what, remedy = "training with float8 is not supported here", REMEDIES[where]
        yield ConfigError(what, where=where, remedy=remedy)
    if precision == "16-true":
        yield ConfigError(
            "training with float16 weights gives NaN after a few steps",
            where=where,
            remedy="Use 32-true, bf16-mixed or 16-mixed",
        )
    half = ("16", "16-mixed", "bf16", "bf16-mixed", "bf16-true", "16-true")
    if values.get("model.attention") == "flash2" and precision not in half:
        yield ConfigError(
            f"flash2 computes in half precision only, and trainer.precision is {precision}",
            where="model.attention",
            remedy="Use auto, or bf16-mixed or 16-mixed as trainer.precision",
        )


def _batch(values: Values) -> Iterator[UserError]:
    batch, micro = values.get("data.effective_batch"), values.get("data.batch_size")
    keys = ("data.effective_batch", "data.batch_size", "trainer.devices", "trainer.num_nodes")
    if is_policy(values) or not values.is_sound(*keys) or batch < 1 or micro < 1:
        return
    try:
        wanted = micro_batches_per_step(batch, micro, device_count(values.get, values.site))
    except UserError as problem:
        yield problem
        return
    given = values.given.get("trainer.accumulate_grad_batches")
    if given is not None and given.value >= 1 and given.value != wanted:
        yield ConfigError(
            f"{given.value} contradicts data.effective_batch {batch}, which needs {wanted}",
            where="trainer.accumulate_grad_batches",
            remedy="Leave it out: data.effective_batch is the one place to set it",
        )


def _length(values: Values) -> Iterator[UserError]:
    epochs, steps = values.get("trainer.max_epochs"), values.get("trainer.max_steps")
    time, where = values.get("trainer.max_time"), "trainer.max_epochs"
    intervals = {"max_time": time, "val_check_interval": values.get("trainer.val_check_interval")}
    sound = values.is_sound("trainer.max_epochs", "trainer.max_steps", "trainer.max_time")
    sound &= values.sections["model"].chosen  # a phase's config says how long it trains
    if sound and epochs in (-1, None) and steps in (-1, None) and time is None:
        remedy = "Give trainer.max_epochs or trainer.max_steps"
        yield ConfigError("the run has no end", where=where, remedy=remedy)
    if values.get("model.schedule.interval") == "epoch" and epochs in (-1, None):
        what = "a schedule by epoch needs to know how many there are"
        yield ConfigError(what, where=where, remedy="Give it, or model.schedule.interval step")
    for key, length in intervals.items():
        if not isinstance(length, int | float | None) and not _seconds(length):
            remedy = "Give days:hours:minutes:seconds, such as 00:08:00:00"
            what = f"{length!r} is no length of time"
            yield ConfigError(what, where=f"trainer.{key}", remedy=remedy)
    for least, most in (("min_epochs", epochs), ("min_steps", steps)):
        low = values.get(f"trainer.{least}")
        if low is not None and most not in (-1, None) and low > most:
            what = f"{low} is more than trainer.{least.replace('min', 'max')} {most}"
            yield ConfigError(what, where=f"trainer.{least}", remedy="Lower it, or leave it out")


def _seconds(time: Any) -> float:
    """Give the seconds of a `max_time`, 0 for one that cannot be read."""
    if isinstance(time, datetime.timedelta):
        return time.total_seconds()
    try:
        if isinstance(time, str):
            days, hours, minutes, seconds = map(int, time.strip().split(":"))
            time = {"days": days, "hours": hours, "minutes": minutes, "seconds": seconds}
        return datetime.timedelta(**time).total_seconds()
    except (TypeError, ValueError):
        return 0


def _validation(values: Values) -> Iterator[UserError]:
    interval = values.get("trainer.val_check_interval")
    if values.get("trainer.check_val_every_n_epoch") is None and isinstance(interval, float | None):
        yield ConfigError(
            f"with null, validation goes by batches, and val_check_interval is {shown(interval)}",
            where="trainer.check_val_every_n_epoch",
            remedy="Give a whole number as trainer.val_check_interval, or epochs here",
        )
