"""Whole weights out of an engine that has shared them out among the processes."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn

from sk2d.models.attention import causal_lm_of


def is_sharded(weight: Tensor) -> bool:
    """Tell whether a weight is cut up among the processes (ZeRO stage 3).

    Args:
        weight: A parameter.

    Returns:
        Whether its own tensor is empty until it is gathered.
    """
    return hasattr(weight, "ds_id")


def dimensions(weight: Tensor) -> int:
    """Count the dimensions of a weight as a whole.

    Args:
        weight: A parameter, cut up or not.

    Returns:
        2 for a matrix.
    """
    return len(getattr(weight, "ds_shape", weight.shape))


def whole_float32(module: nn.Module) -> dict[str, Tensor]:
    """Give the trained weights as the optimiser holds them; to be called in every process.

    In half precision the engine computes with rounded copies, and trains float32 ones.

    Args:
        module: A module in an engine.

    Returns:
        Name -> float32 tensor on the CPU, of the weights that are trained.
    """
    trained = {name: weight for name, weight in module.named_parameters() if weight.requires_grad}
    return {name: _whole(weight).detach().float().cpu() for name, weight in trained.items()}


def _whole(weight: Tensor) -> Tensor:
    from deepspeed.utils import safe_get_full_fp32_param

    if weight.dtype == torch.float32 and not is_sharded(weight):
        return weight
    whole = safe_get_full_fp32_param(weight)
    assert whole is not None, "the engine has a float32 copy of every trained weight"
    return whole


def cut_up(module: nn.Module, config: dict[str, Any], half: torch.dtype | None) -> None:
    """Share the weights of a module out among the processes, one after the other.

    Args:
        module: A module with whole weights on the CPU; changed in place.
        config: The DeepSpeed config.
        half: Dtype that the engine computes with; None is the weights' own.
    """
    import deepspeed

    for weight in module.parameters():
        if half is not None and not is_sharded(weight):
            weight.data = weight.data.to(half)
    deepspeed.zero.Init(module=module, config_dict_or_path=config)


def output_weight(module: nn.Module) -> Tensor:
    """Find the weight of the output layer, which the chunked loss uses without its layer.

    Args:
        module: A phase's module.

    Returns:
        The weight.
    """
    causal_lm = causal_lm_of(cast("Any", module).loaded)
    return cast("Tensor", causal_lm.get_output_embeddings().weight)


def use_outside_its_layer(module: nn.Module, weight: Tensor) -> None:
    """Let a weight that is cut up be whole while a module runs that it is no part of.

    Args:
        module: The module.
        weight: A weight of another module.
    """
    import deepspeed

    deepspeed.zero.register_external_parameter(module, weight)
