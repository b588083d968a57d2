"""DeepSpeed configs that a config names, judged key by key before anything is loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lightning.pytorch.strategies import DeepSpeedStrategy

from sk2d.commands.config.check import Values
from sk2d.commands.config.classes import class_name
from sk2d.commands.config.devices import device_count
from sk2d.data.plan import micro_batches_per_step
from sk2d.errors import ConfigError, UserError
from sk2d.models.zero_config import Context, TrainerValues, problems

STRATEGY = "trainer.strategy"
ENVIRONMENT = DeepSpeedStrategy.DEEPSPEED_ENV_VAR


def deepspeed_rules(values: Values) -> Iterator[UserError]:
    """Find what is wrong with the DeepSpeed config of a run.

    Args:
        values: The values of the config.

    Yields:
        One error per key that would be refused, contradict the trainer, or be of no effect.
    """
    if not values.is_sound(STRATEGY) or not uses_deepspeed(values.get(STRATEGY)):
        return
    given = _own_config(values.get(STRATEGY))
    where = f"{STRATEGY}.config"
    if given is None and os.environ.get(ENVIRONMENT):
        given, where = os.environ[ENVIRONMENT], ENVIRONMENT
    if given is None:
        return
    if isinstance(given, str | Path) and not Path(given).is_file():
        yield ConfigError(f"there is no file {given}", where=where, remedy="Give a JSON file")
        return
    yield from problems(given, _context(values), where)


def uses_deepspeed(strategy: Any) -> bool:
    """Tell whether a strategy is DeepSpeed's.

    Args:
        strategy: Value of `trainer.strategy`: a name, or a class with arguments.

    Returns:
        Whether it is.
    """
    return "deepspeed" in str(class_name(strategy)).lower()


def _own_config(strategy: Any) -> Any:
    if not isinstance(strategy, dict):
        return None
    return (strategy.get("init_args") or {}).get("config")


def _context(values: Values) -> Context:
    keys = ("trainer.devices", "trainer.num_nodes", "data.batch_size", "data.effective_batch")
    if not values.is_sound(*keys, "trainer.precision", "trainer.gradient_clip_val"):
        return Context()
    devices = device_count(values.get, values.site)
    micro, batch = values.get("data.batch_size"), values.get("data.effective_batch")
    counted = isinstance(micro, int) and isinstance(batch, int) and micro > 0 and batch > 0
    whole = counted and batch % (micro * devices) == 0
    return Context(
        devices,
        TrainerValues(
            precision=str(values.get("trainer.precision")),
            gradient_clip_val=values.get("trainer.gradient_clip_val"),
            batch_size=micro if counted else None,
            accumulation=micro_batches_per_step(batch, micro, devices) if whole else None,
        ),
    )
