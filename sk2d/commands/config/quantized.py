"""What `model.quantization` and `model.optimizer` go together with, and what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.classes import class_name
from sk2d.commands.config.deepspeed import uses_deepspeed
from sk2d.commands.config.devices import on_gpu
from sk2d.errors import ConfigError, UserError
from sk2d.models.quantization import bitsandbytes

QUANTIZATION, OPTIMIZER, STRATEGY = "model.quantization", "model.optimizer", "trainer.strategy"
PAGED = "paged_adamw8bit"


def quantization_rules(values: Values, command: str = "fit") -> Iterator[UserError]:
    """Find what is wrong with quantised weights and 8-bit optimisers in a config.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per broken rule; `where` is the key.
    """
    yield from _quantization(values, command)
    if command == "fit":
        yield from _optimizer(values)
    if values.site.is_here:
        yield from _package(values, command)


def _quantization(values: Values, command: str) -> Iterator[UserError]:
    quantization = values.get(QUANTIZATION)
    if quantization is None:
        return
    if command == "fit" and values.is_sound("model.lora") and values.get("model.lora") is None:
        yield ConfigError(
            f"{quantization} weights cannot be trained, and model.lora is null",
            where=QUANTIZATION,
            remedy="Train adapters on them (leave model.lora out), or set it to null",
        )
    accelerator = values.get("trainer.accelerator")
    if not values.is_sound("trainer.accelerator"):
        return
    if quantization == "int8" and not on_gpu(accelerator, values.site):
        yield ConfigError(
            "int8 needs a GPU, and this run is on the CPU",
            where=QUANTIZATION,
            remedy="Use nf4, or null",
        )
    strategy = values.get(STRATEGY)
    if _shares_weights(strategy):
        yield ConfigError(
            f"{class_name(strategy)} shares weights out, which {quantization} weights do not allow",
            where=QUANTIZATION,
            remedy="Use ddp or deepspeed_stage_2 as trainer.strategy, or set it to null",
        )


def _shares_weights(strategy: Any) -> bool:
    """Tell whether a strategy cuts weights into pieces: FSDP, model parallel, and ZeRO-3."""
    name = str(class_name(strategy)).lower()
    if name.startswith(("fsdp", "modelparallel", "model_parallel")) or "stage_3" in name:
        return True
    if not uses_deepspeed(strategy) or not isinstance(strategy, dict):
        return False
    arguments = strategy.get("init_args") or {}
    config = arguments.get("config")
    zero = config.get("zero_optimization") if isinstance(config, dict) else None
    stages = (arguments.get("stage"), zero.get("stage") if isinstance(zero, dict) else None)
    return 3 in stages


def _optimizer(values: Values) -> Iterator[UserError]:
    optimizer = values.get(OPTIMIZER)
    if optimizer in (None, "adamw"):
        return
    if uses_deepspeed(values.get(STRATEGY)):
        yield ConfigError(
            f"{optimizer} does not go with DeepSpeed, which shares out and offloads the states of "
            "AdamW itself",
            where=OPTIMIZER,
            remedy="Use adamw",
        )
    accelerator = values.get("trainer.accelerator")
    sound = values.is_sound("trainer.accelerator")
    if optimizer == PAGED and sound and not on_gpu(accelerator, values.site):
        yield ConfigError(
            f"{PAGED} moves states out of a GPU's memory, and this run is on the CPU",
            where=OPTIMIZER,
            remedy="Use adamw8bit, or adamw",
        )


def _package(values: Values, command: str) -> Iterator[UserError]:
    asked = {QUANTIZATION: values.get(QUANTIZATION) is not None}
    if command == "fit":
        asked[OPTIMIZER] = values.get(OPTIMIZER) not in (None, "adamw")
    for key, needed in asked.items():
        if needed:
            try:
                bitsandbytes(key)
            except ConfigError as problem:
                yield problem
