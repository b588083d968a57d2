"""The names under which `trainer.strategy` gives our DeepSpeed engine instead of Lightning's."""

from __future__ import annotations

from typing import Any

from lightning.pytorch.strategies import StrategyRegistry

from sk2d.models.strategies.engine import RunDeepSpeedStrategy

DEEPSPEED_NAMES: dict[str, dict[str, Any]] = {
    "deepspeed": {"stage": 2},
    "deepspeed_stage_1": {"stage": 1},
    "deepspeed_stage_2": {"stage": 2},
    "deepspeed_stage_2_offload": {"stage": 2, "offload_optimizer": True},
    "deepspeed_stage_3": {"stage": 3},
    "deepspeed_stage_3_offload": {
        "stage": 3,
        "offload_optimizer": True,
        "offload_parameters": True,
    },
}


def register_strategies() -> None:
    """Let Lightning's names of DeepSpeed's stages mean our engine; harmless when repeated."""
    for name, arguments in DEEPSPEED_NAMES.items():
        StrategyRegistry.register(
            name, RunDeepSpeedStrategy, description="sk2d's DeepSpeed", override=True, **arguments
        )
