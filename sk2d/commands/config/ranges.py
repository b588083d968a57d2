"""The range of every number, and the values of Lightning's keys that a run here cannot have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.types import shown
from sk2d.errors import ConfigError, UserError


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
    # A step that an epoch's limit cuts short would be weighted as if it were whole.
    "trainer.limit_train_batches": (
        (None, 1.0),
        "Take fewer rows with data.limit or fewer steps with trainer.max_steps, and leave it out",
    ),
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
    "trainer.limit_val_batches": ("validate",),
    "trainer.limit_test_batches": ("test",),
    "trainer.limit_predict_batches": ("predict",),
    "trainer.val_check_interval": ("fit",),
}


def out_of_range(values: Values, command: str) -> Iterator[UserError]:
    """Find values that lie outside what is allowed for their key.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per value; `where` is the key.
    """
    yield from _ranges(values)
    yield from _batch_counts(values, command)
    yield from _refused(values)


def broken_ranges(values: Values, rules: Iterable[Rule]) -> Iterator[UserError]:
    """Find numbers that lie outside their range.

    Args:
        values: The values of the config.
        rules: The ranges.

    Yields:
        One error per number.
    """
    for rule in rules:
        value = values.get(rule.key)
        if rule.broken_by(value):
            what, remedy = f"{shown(value)} is out of range", f"Give a number {rule.words()}"
            yield ConfigError(what, where=rule.key, remedy=remedy)


def _ranges(values: Values) -> Iterator[UserError]:
    yield from broken_ranges(values, RULES)
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
