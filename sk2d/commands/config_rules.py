"""Rules that a config must keep besides names and types: ranges and combinations."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sk2d.commands.config_check import Values
from sk2d.commands.config_types import REMEDIES, shown
from sk2d.commands.devices import device_count
from sk2d.data.plan import micro_batches_per_step
from sk2d.errors import ConfigError, UserError, did_you_mean
from sk2d.prompts import get_prompt


@dataclass(frozen=True)
class Rule:
    """A range that a number must lie in.

    Args:
        key: Full key.
        low: Lowest value.
        high: Highest value, or None for no limit.
        low_open: Whether the lowest value itself is excluded.
        high_open: Whether the highest value itself is excluded.
        also: A value outside that has a meaning of its own.
    """

    key: str
    low: float
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    also: float | None = None

    def broken_by(self, value: Any) -> bool:
        """Tell whether a value lies outside.

        Args:
            value: A number; anything else is not this rule's business.

        Returns:
            Whether the rule is broken.
        """
        if not isinstance(value, int | float) or isinstance(value, bool) or value == self.also:
            return False
        above_low = value > self.low if self.low_open else value >= self.low
        high = float("inf") if self.high is None else self.high
        below_high = value < high if self.high_open or self.high is None else value <= high
        return not (above_low and below_high)

    def words(self) -> str:
        """Say what the rule allows."""
        start = f"above {self.low:g}" if self.low_open else f"of at least {self.low:g}"
        if self.high is not None:
            start += f" and {'below' if self.high_open else 'at most'} {self.high:.10g}"
        return start if self.also is None else f"{start}, or {self.also:g}"


RULES = (
    Rule("seed_everything", 0, 2**32 - 1),
    Rule("model.lr", 0, 1, low_open=True),
    Rule("model.weight_decay", 0),
    Rule("model.schedule.warmup", 0, 1, high_open=True),
    Rule("model.schedule.min_ratio", 0, 1),
    Rule("model.lora.rank", 1),
    Rule("model.lora.alpha", 1),
    Rule("model.lora.dropout", 0, 1, high_open=True),
    Rule("model.loss_chunk", 1),
    Rule("model.samples", 0),
    Rule("model.max_new_tokens", 1),
    Rule("checkpoint.every_n_train_steps", 1),
    Rule("checkpoint.keep", 1),
    Rule("checkpoint.save_top_k", 0),
    Rule("guard.window", 2),
    Rule("guard.factor", 1, low_open=True),
    Rule("trainer.accumulate_grad_batches", 1),
    Rule("trainer.gradient_clip_val", 0, low_open=True),
    Rule("trainer.max_epochs", 1, also=-1),
    Rule("trainer.max_steps", 1, also=-1),
    Rule("trainer.min_epochs", 0),
    Rule("trainer.min_steps", 0),
    Rule("trainer.num_nodes", 1),
    Rule("trainer.fast_dev_run", 0),
    Rule("trainer.check_val_every_n_epoch", 1),
    Rule("trainer.num_sanity_val_steps", -1),
    Rule("trainer.log_every_n_steps", 1),
)
# Keys that Lightning has and that would break what a run here promises, with the values allowed.
REFUSED: dict[str, tuple[tuple[Any, ...], str]] = {
    "trainer.overfit_batches": ((0,), "Train on few rows with data.limit instead"),
    "trainer.use_distributed_sampler": (
        (False,),
        "Leave it false: the data module deals the rows to the devices",
    ),
    "trainer.enable_checkpointing": ((None, True), "A run without checkpoints cannot be resumed"),
    "trainer.barebones": ((False,), "Leave it out: it would switch off checkpoints and curves"),
    "trainer.reload_dataloaders_every_n_epochs": ((0,), "Every epoch is shuffled anew already"),
    "trainer.model_registry": ((None,), "Leave it out: the model folder is written to the run"),
    "weights_only": ((None, True), "Leave it out: checkpoints hold plain types only"),
    "return_predictions": ((None, True), "Leave it out: the answers are written to a file"),
}
# A share of the batches (above 0, at most 1.0) or a number of them.
BATCHES = {
    "trainer.limit_train_batches": ("fit",),
    "trainer.limit_val_batches": ("validate",),
    "trainer.limit_test_batches": ("test",),
    "trainer.limit_predict_batches": ("predict",),
    "trainer.val_check_interval": ("fit",),
}
CLIP_ALGORITHMS = ("norm", "value")


def broken_rules(values: Values, command: str) -> Iterator[UserError]:
    """Find what a well-typed config breaks, whatever the machine.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per broken rule; `where` is the key.
    """
    yield from _ranges(values)
    yield from _batch_counts(values, command)
    yield from _refused(values)
    yield from _names(values)
    if command == "fit":
        yield from _precision(values)
        yield from _batch(values)
        yield from _length(values)
        yield from _validation(values)
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


def _ranges(values: Values) -> Iterator[UserError]:
    for rule in RULES:
        value = values.get(rule.key)
        if rule.broken_by(value):
            what, remedy = f"{shown(value)} is out of range", f"Give a number {rule.words()}"
            yield ConfigError(what, where=rule.key, remedy=remedy)
    for beta in values.get("model.betas") or ():
        if not 0 <= beta < 1:
            remedy = "Give two numbers of at least 0 and below 1, such as [0.9, 0.999]"
            yield ConfigError(f"{beta!r} is out of range", where="model.betas", remedy=remedy)


def _batch_counts(values: Values, command: str) -> Iterator[UserError]:
    for key, commands in BATCHES.items():
        value = values.get(key)
        if value is None or not isinstance(value, int | float):
            continue
        is_share = isinstance(value, float)
        if is_share and not 0 <= value <= 1 or not is_share and value < 0:
            remedy = "Give a share (above 0, at most 1.0) or a whole number of batches"
            yield ConfigError(f"{shown(value)} is out of range", where=key, remedy=remedy)
        elif value == 0 and command in commands:
            what, remedy = f"{shown(value)} leaves nothing to do", "Give more, or leave it out"
            yield ConfigError(what, where=key, remedy=remedy)


def _refused(values: Values) -> Iterator[UserError]:
    for key, (allowed, remedy) in REFUSED.items():
        value = values.given[key].value if key in values.given else allowed[0]
        if value not in allowed:
            yield ConfigError(f"{shown(value)} is not supported here", where=key, remedy=remedy)


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
    if not values.is_sound(*keys) or batch < 1 or micro < 1:
        return
    try:
        wanted = micro_batches_per_step(batch, micro, device_count(values.get))
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
    sound = values.is_sound("trainer.max_epochs", "trainer.max_steps", "trainer.max_time")
    sound &= values.sections["model"].chosen  # a phase's config says how long it trains
    if sound and epochs in (-1, None) and steps in (-1, None) and time is None:
        remedy = "Give trainer.max_epochs or trainer.max_steps"
        yield ConfigError("the run has no end", where=where, remedy=remedy)
    if values.get("model.schedule.interval") == "epoch" and epochs in (-1, None):
        what = "a schedule by epoch needs to know how many there are"
        yield ConfigError(what, where=where, remedy="Give it, or model.schedule.interval step")
    if time is not None and not _seconds(time):
        remedy = "Give days:hours:minutes:seconds, such as 00:08:00:00"
        yield ConfigError(f"{time!r} is no length of time", where="trainer.max_time", remedy=remedy)
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
