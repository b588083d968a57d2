"""What the phases ask of a run's engine, and what to do where there is none."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import LightningModule, Trainer
from torch import Tensor, nn

from sk2d.models.strategies.engine import RunDeepSpeedStrategy
from sk2d.models.strategies.weights import whole_float32


def deepspeed_of(trainer: Trainer | LightningModule) -> RunDeepSpeedStrategy | None:
    """Give the engine's strategy of a run.

    Args:
        trainer: A trainer, or a module that is attached to one.

    Returns:
        The strategy, or None where the run has another one.
    """
    owner = trainer.trainer if isinstance(trainer, LightningModule) else trainer
    return owner.strategy if isinstance(owner.strategy, RunDeepSpeedStrategy) else None


def call_in_engine(module: LightningModule, method: str, *args: Any) -> Any:
    """Call a method of a module where its weights can be used, as training does.

    With stage 3 a weight is whole only while the module that uses it runs in the engine.

    Args:
        module: A module that is attached to a trainer.
        method: Name of its method.
        args: Arguments of the method.

    Returns:
        What the method returns.
    """
    strategy = deepspeed_of(module)
    if strategy is None or not strategy.zero_stage_3:
        return getattr(module, method)(*args)
    assert strategy.model is not None, "the engine is set up before its module is called"
    return strategy._forward_redirection(strategy.model, module, method, *args)


def whole_trained_weights(trainer: Trainer, model: nn.Module) -> dict[str, Tensor] | None:
    """Give the trained weights of a run whose engine holds them elsewhere; all processes call it.

    Args:
        trainer: The trainer.
        model: The model in its engine.

    Returns:
        Name -> float32 tensor, or None where the module's own weights are the trained ones.
    """
    return whole_float32(model) if deepspeed_of(trainer) else None
