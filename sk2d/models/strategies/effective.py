"""What DeepSpeed's engine really does, read back from it, beside what the trainer was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sk2d.errors import ConfigError


@dataclass(frozen=True)
class Effective:
    """Values that an engine runs with.

    Args:
        stage: ZeRO stage.
        optimizer: Class of the optimiser that updates the weights.
        optimizer_device: Where its states are.
        parameter_device: Where the weights are between their uses.
        clipping: Largest norm of the gradient; 0 for none.
        micro_batch: Rows per micro-batch and device.
        accumulation: Micro-batches per step and device.
        batch: Rows per step.
        dtype: Dtype of the weights in the forward pass.
        loss_scale: Scale of the loss at the start; None where nothing is scaled.
    """

    stage: int
    optimizer: str
    optimizer_device: str
    parameter_device: str
    clipping: float
    micro_batch: int
    accumulation: int
    batch: int
    dtype: str
    loss_scale: float | None

    def line(self) -> str:
        """Give the values as one line."""
        scale = "" if self.loss_scale is None else f", loss scale {self.loss_scale:g} at first"
        clipping = f"{self.clipping:g}" if self.clipping else "off"
        return (
            f"DeepSpeed runs with ZeRO stage {self.stage}, {self.optimizer} on the "
            f"{self.optimizer_device}, weights in {self.dtype} on the {self.parameter_device}, "
            f"clipping {clipping}, batch {self.micro_batch} × {self.accumulation} accumulated "
            f"= {self.batch} over all devices{scale}"
        )


def read_back(engine: Any, device: str) -> Effective:
    """Ask an engine for its values.

    Args:
        engine: DeepSpeed's engine, set up for training.
        device: Kind of device that it computes on.

    Returns:
        The values.
    """
    zero = engine.optimizer
    inner = getattr(zero, "optimizer", zero)
    offloaded = engine.zero_offload_param()
    return Effective(
        stage=int(engine.zero_optimization_stage()),
        optimizer=type(inner).__name__,
        optimizer_device=_place(engine.zero_offload_optimizer(), device),
        parameter_device=_place(offloaded, device),
        clipping=float(engine.gradient_clipping()),
        micro_batch=int(engine.train_micro_batch_size_per_gpu()),
        accumulation=int(engine.gradient_accumulation_steps()),
        batch=int(engine.train_batch_size()),
        dtype=_dtype(engine),
        loss_scale=float(zero.loss_scale) if engine.fp16_enabled() else None,
    )


def _place(offload: Any, device: str) -> str:
    name = str(getattr(offload, "device", None) or device)
    return name.rpartition(".")[2] if name.rpartition(".")[2] != "none" else device


def _dtype(engine: Any) -> str:
    if engine.fp16_enabled():
        return "float16"
    return "bfloat16" if engine.bfloat16_enabled() else "float32"


def check_against_trainer(found: Effective, wanted: dict[str, float]) -> None:
    """Compare what the engine does with what the trainer was told.

    Args:
        found: Values of the engine.
        wanted: Values of the trainer by name of `Effective`'s attribute.

    Raises:
        ConfigError: At least one differs; all that differ are named.
    """
    differ = {key: value for key, value in wanted.items() if getattr(found, key) != value}
    if differ:
        named = "; ".join(
            f"{key} is {getattr(found, key):g} in the engine and {value:g} in the config"
            for key, value in differ.items()
        )
        raise ConfigError(
            f"DeepSpeed does not do what the trainer was told: {named}",
            where="trainer.strategy",
            remedy="Leave these to trainer and data, and out of the DeepSpeed config",
        )
