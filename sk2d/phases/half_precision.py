"""Training in fp16: steps that the loss scaler skips, and activations that fp16 cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.utilities.rank_zero import rank_zero_warn
from torch import Tensor, nn

from sk2d.errors import ConfigError
from sk2d.models.strategies import deepspeed_of

LARGEST = 65504.0
"""The largest number of fp16."""

NEAR = LARGEST / 2
KEY = "trainer.precision"
REMEDY = (
    "The base was trained in a wider range, mostly bf16: use 32-true (with model.quantization nf4 "
    "where memory is short), bf16-mixed on a GPU that has it, or another base"
)


@dataclass
class Skips:
    """Optimiser steps that were left out because a gradient overflowed.

    Args:
        total: All of the run.
        in_a_row: The last ones without a step between them.
    """

    total: int = 0
    in_a_row: int = 0

    @property
    def last(self) -> bool:
        """Whether the last step was left out."""
        return self.in_a_row > 0

    def note(self, *, skipped: bool) -> None:
        """Count a step.

        Args:
            skipped: Whether it was left out.
        """
        self.total += skipped
        self.in_a_row = self.in_a_row + 1 if skipped else 0


@contextmanager
def counted(module: LightningModule, skips: Skips) -> Iterator[None]:
    """Count the optimiser step in the block if the loss scaler leaves it out.

    torch's scaler makes its scale smaller after a step that it left out, and only then.

    Args:
        module: Module in training.
        skips: The count.

    Yields:
        Nothing.
    """
    trainer = module.trainer
    scaler: Any = getattr(trainer.precision_plugin, "scaler", None)
    before = scaler.get_scale() if scaler else 0.0
    yield
    engine = deepspeed_of(trainer)
    if engine and not trainer.fit_loop._should_accumulate():
        skips.note(skipped=engine.skipped_last)
    elif scaler:
        skips.note(skipped=scaler.get_scale() < before)


def computes_in_fp16(trainer: Trainer) -> bool:
    """Tell whether a run multiplies in fp16.

    Args:
        trainer: Its trainer.

    Returns:
        Whether it does.
    """
    return str(trainer.precision) in ("16-mixed", "16-true")


@contextmanager
def largest_outputs(model: nn.Module) -> Iterator[list[tuple[str, Tensor]]]:
    """Note the largest output of every layer while a block runs.

    Args:
        model: A model.

    Yields:
        Name and largest magnitude (a scalar on the model's device) of each layer, in the order in
        which they run; filled when the block ends.
    """
    found: list[tuple[str, Tensor]] = []

    def hook(name: str) -> Any:
        def note(_: nn.Module, __: Any, output: Any) -> None:
            tensor = output[0] if isinstance(output, tuple) else output
            if isinstance(tensor, Tensor) and tensor.is_floating_point() and tensor.numel():
                found.append((name, tensor.detach().abs().amax().float()))

        return note

    leaves = [(n, m) for n, m in model.named_modules() if not any(m.children())]
    handles = [module.register_forward_hook(hook(name)) for name, module in leaves]
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()


def check_range(outputs: list[tuple[str, Tensor]]) -> None:
    """Refuse a model whose activations fp16 cannot hold, and warn of one that comes near.

    Args:
        outputs: What `largest_outputs` gave.

    Raises:
        ConfigError: A layer gave infinity or NaN; it is the first one in the order of the pass.
    """
    if not outputs:
        return
    sizes = torch.stack([size for _, size in outputs]).tolist()
    for (name, _), size in zip(outputs, sizes, strict=True):
        if not size <= LARGEST:  # NaN is not, either
            what = f"in the first batch the layer {name} gives {size}, which fp16 cannot hold"
            raise ConfigError(what, where=KEY, remedy=REMEDY)
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    if sizes[largest] > NEAR:
        rank_zero_warn(
            f"{KEY}: the layer {outputs[largest][0]} gives values up to {sizes[largest]:.0f} in "
            f"the first batch; fp16 ends at {LARGEST:.0f}. {REMEDY}"
        )
