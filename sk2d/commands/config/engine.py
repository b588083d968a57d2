"""What a config asks of DeepSpeed's engine besides the keys of its own config."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.classes import class_name
from sk2d.errors import ConfigError, UserError
from sk2d.models.strategies import DEEPSPEED_NAMES

STRATEGY = "trainer.strategy"
OURS = "sk2d.models.strategies.RunDeepSpeedStrategy"
PRECISIONS = ("32", "32-true", "bf16", "bf16-mixed", "bf16-true", "16", "16-mixed")


def engine_rules(values: Values) -> Iterator[UserError]:
    """Find what DeepSpeed's engine cannot do, before anything is loaded.

    Args:
        values: The values of the config.

    Yields:
        One error per broken rule; `where` is the key.
    """
    strategy = values.get(STRATEGY)
    if not values.is_sound(STRATEGY) or "deepspeed" not in str(class_name(strategy)).lower():
        return
    yield from _class(strategy)
    settings = engine_settings(strategy)
    if settings.get("offload_parameters") and settings.get("stage", 2) != 3:
        yield ConfigError(
            f"stage {settings.get('stage', 2)} keeps whole weights on every device, so "
            "offload_parameters has no effect",
            where=STRATEGY,
            remedy="Use stage 3, or leave it out",
        )
    yield from _together(values)


def engine_settings(strategy: Any) -> dict[str, Any]:
    """Give the arguments of a strategy, from its name or its init_args.

    Args:
        strategy: Value of `trainer.strategy`.

    Returns:
        Arguments by name; those of a DeepSpeed config file are not among them.
    """
    if isinstance(strategy, dict):
        return dict(strategy.get("init_args") or {})
    return dict(DEEPSPEED_NAMES.get(str(strategy), {}))


def _class(strategy: Any) -> Iterator[UserError]:
    name = str(class_name(strategy))
    if name.rpartition(".")[2] == "DeepSpeedStrategy":
        yield ConfigError(
            f"{name} runs on GPUs only and writes checkpoints that cannot be resumed exactly",
            where=STRATEGY,
            remedy=f"Name {OURS}, whose arguments docs/deepspeed.md lists",
        )
    elif "." not in name and name not in (*DEEPSPEED_NAMES, OURS.rpartition(".")[2]):
        yield ConfigError(
            f"{name} is not offered",
            where=STRATEGY,
            remedy=f"Use one of {', '.join(DEEPSPEED_NAMES)}, or {OURS} with a config",
        )


def _together(values: Values) -> Iterator[UserError]:
    precision = str(values.get("trainer.precision"))
    if values.is_sound("trainer.precision") and precision not in (*PRECISIONS, "auto", "None"):
        yield ConfigError(
            f"DeepSpeed cannot compute in {precision}",
            where="trainer.precision",
            remedy="Use 32-true, bf16-mixed or 16-mixed",
        )
    if values.get("trainer.gradient_clip_algorithm") == "value":
        yield ConfigError(
            "DeepSpeed clips by norm only",
            where="trainer.gradient_clip_algorithm",
            remedy="Use norm",
        )
