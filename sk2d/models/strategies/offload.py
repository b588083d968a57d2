"""AdamW for states that are kept in the computer's memory."""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.optim import AdamW, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from sk2d.errors import ConfigError

BYTES_PER_WEIGHT = 12  # float32 copy and two moments
SMALL = 2**30


def small_states(module: nn.Module) -> str | None:
    """Say so when the optimiser's states are too small for offload to be of use.

    Args:
        module: A module in its engine.

    Returns:
        One sentence, or None.
    """
    trained = [weight for weight in module.parameters() if weight.requires_grad]
    size = sum(getattr(weight, "ds_numel", weight.numel()) for weight in trained) * BYTES_PER_WEIGHT
    if size >= SMALL:
        return None
    return (
        f"the optimiser's states take {size / 1e6:.0f} MB in all: to offload them saves next to "
        "nothing on the GPU and makes every step slower"
    )


def on_the_cpu(optimizer: Optimizer, schedule: Any) -> Optimizer:
    """Replace torch's AdamW by DeepSpeed's for the CPU, with the same groups and schedule.

    Args:
        optimizer: The module's optimiser, before its first step.
        schedule: Lightning's config of its schedule; changed in place.

    Returns:
        The optimiser.

    Raises:
        ConfigError: It is no AdamW.
    """
    if type(optimizer) is not AdamW:
        raise ConfigError(
            f"{type(optimizer).__name__} cannot update weights whose states are offloaded",
            where="model.optimizer",
            remedy="Use adamw, or a strategy without offload",
        )
    from deepspeed.ops.adam import DeepSpeedCPUAdam

    groups = [
        {key: group[key] for key in ("params", "lr", "betas", "eps", "weight_decay")}
        for group in optimizer.param_groups
    ]
    for group, before in zip(groups, optimizer.param_groups, strict=True):
        group["lr"] = before.get("initial_lr", before["lr"])
    moved = DeepSpeedCPUAdam(groups, adamw_mode=True)
    if schedule is not None:
        assert isinstance(schedule.scheduler, LambdaLR), "the phase has one schedule"
        schedule.scheduler = LambdaLR(moved, schedule.scheduler.lr_lambdas)
    return moved
