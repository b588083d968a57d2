"""The optimiser: AdamW, its states in 32 or 8 bits, with a schedule by optimiser step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from lightning.pytorch.utilities.rank_zero import rank_zero_warn
from torch import nn
from torch.optim import AdamW, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from sk2d.errors import ConfigError
from sk2d.models.quantization import bitsandbytes
from sk2d.models.strategies import deepspeed_of
from sk2d.models.strategies.weights import dimensions

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Split the trainable weights into decayed matrices and undecayed vectors.

    Args:
        model: Model whose trainable weights are taken.
        weight_decay: Decay of the matrices.

    Returns:
        The optimiser's groups; empty ones are left out.
    """
    trainable = [weight for weight in model.parameters() if weight.requires_grad]
    matrices = [weight for weight in trainable if dimensions(weight) >= 2]
    vectors = [weight for weight in trainable if dimensions(weight) < 2]
    groups = [
        {"params": matrices, "weight_decay": weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]


def total_steps(module: PhaseModule) -> int:
    """Count the optimiser steps (or epochs, by the schedule's interval) of the run.

    Args:
        module: Module that is attached to a trainer.

    Returns:
        A number of at least 1.

    Raises:
        ConfigError: The run has no end that could be counted.
    """
    trainer = module.trainer
    steps = trainer.estimated_stepping_batches
    if not math.isfinite(steps):
        raise ConfigError(
            "the schedule needs to know the length of the run",
            where="trainer.max_epochs",
            remedy="Give trainer.max_steps or trainer.max_epochs besides trainer.max_time",
        )
    if module.schedule.interval == "step":
        return max(1, int(steps))
    return max(1, trainer.max_epochs or 1)


def keep_trained_in_float32(module: PhaseModule) -> None:
    """Undo what a `-true` half precision does to adapters: small updates vanish in 16 bits.

    Args:
        module: Module whose model the trainer's precision has converted.
    """
    if deepspeed_of(module):
        return  # its optimiser has float32 copies of its own
    trained = [weight for weight in module.parameters() if weight.requires_grad]
    halves = [weight for weight in trained if weight.dtype != torch.float32]
    if halves and module.lora is None:
        rank_zero_warn(
            f"trainer.precision {module.trainer.precision} trains {halves[0].dtype} weights: small "
            "updates round to nothing. Use bf16-mixed for full fine-tuning"
        )
        return
    for weight in halves:
        weight.data = weight.data.float()


def adamw(module: PhaseModule) -> Optimizer:
    """Build AdamW as `model.optimizer` has it.

    The 8-bit ones (Dettmers et al. 2022, "8-bit Optimizers via Block-wise Quantization") keep the
    states of weights of fewer than 4096 elements in 32 bits.

    Args:
        module: Module that has its model.

    Returns:
        The optimiser.
    """
    groups = parameter_groups(module, module.weight_decay)
    if module.optimizer == "adamw":
        return AdamW(groups, lr=module.lr, betas=module.betas)
    names = {"adamw8bit": "AdamW8bit", "paged_adamw8bit": "PagedAdamW8bit"}
    build: Any = getattr(bitsandbytes("model.optimizer").optim, names[module.optimizer])
    return build(groups, lr=module.lr, betas=module.betas)


def build_optimizer(module: PhaseModule) -> dict[str, Any]:
    """Build AdamW and its schedule for a module.

    Args:
        module: Module that is attached to a trainer and has its model.

    Returns:
        Lightning's dictionary of optimiser and scheduler.
    """
    keep_trained_in_float32(module)
    optimizer = adamw(module)
    total = total_steps(module)
    scheduler = LambdaLR(optimizer, lambda step: module.schedule.factor(step, total))
    return {
        "optimizer": optimizer,
        "lr_scheduler": {"scheduler": scheduler, "interval": module.schedule.interval},
    }
