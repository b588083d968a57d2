"""Rules that a config must keep besides names and types: ranges and combinations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from sk2d.commands.config_check import Values
from sk2d.commands.devices import device_count
from sk2d.data.modules import SupervisedData
from sk2d.data.plan import micro_batches_per_step
from sk2d.errors import ConfigError, UserError
from sk2d.models.load import resolve_base
from sk2d.phases.checkpoint_files import find_checkpoint
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
    """

    key: str
    low: float
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def broken_by(self, value: Any) -> bool:
        """Tell whether a value lies outside.

        Args:
            value: A number; anything else is not this rule's business.

        Returns:
            Whether the rule is broken.
        """
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        below = value <= self.low if self.low_open else value < self.low
        above = self.high is not None and (
            value >= self.high if self.high_open else value > self.high
        )
        return below or above or value != value

    def words(self) -> str:
        """Say what the rule allows."""
        start = f"above {self.low:g}" if self.low_open else f"at least {self.low:g}"
        if self.high is None:
            return start
        return f"{start} and " + (f"below {self.high:g}" if self.high_open else f"at most {self.high:g}")


RULES = (
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
    Rule("trainer.max_epochs", -1),
    Rule("trainer.max_steps", -1),
    Rule("trainer.num_nodes", 1),
)

REFUSED = {
    "trainer.overfit_batches": (0, 0.0, "Train on few rows with data.limit instead"),
    "trainer.use_distributed_sampler": (
        False,
        False,
        "Rows are dealt to the devices by the data module; leave it false",
    ),
    "trainer.enable_checkpointing": (None, True, "A run without checkpoints cannot be resumed"),
    "trainer.reload_dataloaders_every_n_epochs": (0, 0, "Every epoch is shuffled anew already"),
}


def broken_rules(values: Values, command: str) -> Iterator[UserError]:
    """Find what a well-typed config breaks.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per broken rule.
    """
    yield from _ranges(values)
    yield from _refused(values)
    yield from _model(values)
    yield from _data(values)
    yield from _hardware(values)
    if command == "fit":
        yield from _training(values)
    yield from _run_folder(values, command)


def _ranges(values: Values) -> Iterator[UserError]:
    for rule in RULES:
        value = values.get(rule.key)
        if rule.broken_by(value):
            yield ConfigError(f"{value!r} is out of range", where=rule.key, remedy=f"Give {rule.words()}")
    for beta in values.get("model.betas") or ():
        if not 0 <= beta < 1:
            yield ConfigError(f"{beta!r} is out of range", where="model.betas", remedy="Give two numbers in [0, 1)")


def _refused(values: Values) -> Iterator[UserError]:
    for key, (*allowed, remedy) in REFUSED.items():
        value = values.given.get(key)
        if value is not None and value not in allowed:
            yield ConfigError(f"{value!r} is not supported here", where=key, remedy=str(remedy))


def _model(values: Values) -> Iterator[UserError]:
    try:
        resolve_base(values.get("model.base"))
    except UserError as problem:
        yield ConfigError(problem.what, where=f"model.base: {problem.where}", remedy=problem.remedy)
    prompt = values.get("model.prompt")
    if prompt is not None:
        try:
            get_prompt(prompt)
        except UserError as problem:
            yield ConfigError(problem.what, where="model.prompt", remedy=problem.remedy)


def _data(values: Values) -> Iterator[UserError]:
    yield from SupervisedData(**values.arguments("data")).check()


def _hardware(values: Values) -> Iterator[UserError]:
    accelerator = values.get("trainer.accelerator")
    gpus = torch.cuda.device_count()
    if accelerator in ("gpu", "cuda") and not gpus:
        yield ConfigError(
            "this machine has no GPU that torch can use",
            where="trainer.accelerator",
            remedy="Use --config cpu.yaml, or see what python cli.py doctor says",
        )
    devices = values.get("trainer.devices")
    if isinstance(devices, int) and accelerator in ("gpu", "cuda") and 0 < gpus < devices:
        yield ConfigError(
            f"{devices} devices are asked for and {gpus} are here",
            where="trainer.devices",
            remedy=f"Give at most {gpus}",
        )


def _training(values: Values) -> Iterator[UserError]:
    if str(values.get("trainer.precision")) in ("16-true", "16"):
        yield ConfigError(
            "training with float16 weights gives NaN after a few steps",
            where="trainer.precision",
            remedy="Use 32-true, bf16-mixed or 16-mixed",
        )
    yield from _batch(values)
    endless = (-1, None)
    if values.get("trainer.max_epochs") == -1 and values.get("trainer.max_steps") in endless:
        yield ConfigError(
            "the run has no end",
            where="trainer.max_epochs",
            remedy="Give trainer.max_epochs or trainer.max_steps",
        )


def _batch(values: Values) -> Iterator[UserError]:
    batch, micro = values.get("data.effective_batch"), values.get("data.batch_size")
    if batch < 1 or micro < 1:
        return
    try:
        wanted = micro_batches_per_step(batch, micro, device_count(values.get))
    except UserError as problem:
        yield problem
        return
    given = values.given.get("trainer.accumulate_grad_batches", wanted)
    if given != wanted:
        yield ConfigError(
            f"{given} contradicts data.effective_batch {batch}, which needs {wanted}",
            where="trainer.accumulate_grad_batches",
            remedy="Leave it out: data.effective_batch is the one place to set it",
        )


def _run_folder(values: Values, command: str) -> Iterator[UserError]:
    root = Path(values.get("trainer.default_root_dir") or ".")
    wanted = values.get("ckpt_path")
    if wanted:
        folder = Path(values.get("checkpoint.dirpath") or root / "checkpoints")
        try:
            find_checkpoint(str(wanted), folder)
        except UserError as problem:
            yield problem
    elif command == "fit" and (root / "run.json").exists() and not values.get("overwrite"):
        yield ConfigError(
            f"{root} holds another run",
            where="trainer.default_root_dir",
            remedy="Resume it with --ckpt_path last, choose another folder, or give --overwrite",
        )
    if root.exists() and not root.is_dir():
        yield ConfigError(f"{root} is a file", where="trainer.default_root_dir", remedy="Give a folder")
