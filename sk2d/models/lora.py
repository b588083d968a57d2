"""LoRA: trainable low-rank adapters on a frozen model, and what else training needs of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn
from transformers import PreTrainedModel
from transformers.pytorch_utils import Conv1D

from sk2d.errors import ConfigError, ModelError, did_you_mean
from sk2d.models.adapters import wrap
from sk2d.models.attention import causal_lm_of
from sk2d.models.peft_library import LoraConfig, PeftModel

ALL_LINEAR = "all-linear"


@dataclass(frozen=True)
class LoraSettings:
    """Size and place of the adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation").

    Args:
        rank: Rank r of the two factors.
        alpha: The product of the factors is scaled by alpha / rank.
        dropout: Share of an adapter's input that is dropped in training.
        targets: Names of linear layers, such as [q_proj, v_proj]; all-linear is every linear
            layer but the output layer.
    """

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.0
    targets: str | list[str] = ALL_LINEAR

    def __post_init__(self) -> None:
        if self.rank < 1:
            raise ConfigError(f"a rank of {self.rank}", where="model.lora.rank", remedy="Use 1 up")
        if self.alpha < 1:
            raise ConfigError(
                f"an alpha of {self.alpha} would switch the adapters off",
                where="model.lora.alpha",
                remedy="Use 1 or more, often twice the rank",
            )
        if not 0.0 <= self.dropout < 1.0:
            raise ConfigError(
                f"a dropout of {self.dropout}",
                where="model.lora.dropout",
                remedy="Use a share from 0 to below 1",
            )


def linear_layer_names(model: PreTrainedModel) -> list[str]:
    """Give the short names of a model's linear layers, without the output layer.

    Args:
        model: A causal LM without adapters.

    Returns:
        Sorted names such as q_proj; each may stand for one layer in every block.
    """
    output_layer = model.get_output_embeddings()
    return sorted(
        {
            name.rpartition(".")[2]
            for name, module in model.named_modules()
            if isinstance(module, (nn.Linear, Conv1D)) and module is not output_layer
        }
    )


def _check_targets(model: PreTrainedModel, targets: Sequence[str]) -> list[str]:
    """Give the targets back when every one is a linear layer of the model."""
    known = linear_layer_names(model)
    output_layer = model.get_output_embeddings()
    output_names = {n.rpartition(".")[2] for n, m in model.named_modules() if m is output_layer}
    where, layers = "model.lora.targets", f"the linear layers are {', '.join(known)}"
    for target in targets:
        if target in output_names:
            raise ModelError(
                f"{target} is the output layer, which the chunked loss uses as it is",
                where=where,
                remedy=f"Leave it out; {layers}",
            )
        if target not in known:
            hint = did_you_mean(target, known) or ""
            raise ModelError(f"the model has no {target}", where=where, remedy=f"{hint} {layers}")
    if not targets:
        raise ModelError("no layer is named", where=where, remedy=f"Use {ALL_LINEAR}; {layers}")
    return list(targets)


def add_lora(model: PreTrainedModel, settings: LoraSettings) -> PeftModel:
    """Freeze a model and put trainable adapters on its linear layers.

    A target that is no linear layer of the model, or its output layer, is a `ModelError`.

    The adapters are float32 whatever the dtype of the model: a gradient scaler refuses float16
    gradients, and small updates vanish in half precision.

    Args:
        model: The model to adapt; it is changed in place.
        settings: Size and place of the adapters.

    Returns:
        The PEFT model around it. Adapters start as a seeded (global RNG) zero change.
    """
    targets = [settings.targets] if isinstance(settings.targets, str) else settings.targets
    if targets != [ALL_LINEAR]:
        targets = _check_targets(model, targets)
    config = LoraConfig(
        task_type="CAUSAL_LM",
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=ALL_LINEAR if targets == [ALL_LINEAR] else targets,
    )
    peft_model = wrap(model, config)
    assert all(p.dtype == torch.float32 for p in peft_model.parameters() if p.requires_grad)
    return peft_model


def enable_gradient_checkpointing(model: nn.Module) -> None:
    """Recompute activations in the backward pass instead of holding them.

    Args:
        model: A causal LM with or without adapters, changed in place.

    Raises:
        ModelError: When the model's code cannot do it.
    """
    causal_lm = causal_lm_of(model)
    if not causal_lm.supports_gradient_checkpointing:
        raise ModelError(
            f"{type(causal_lm).__name__} cannot recompute its activations",
            where="model.gradient_checkpointing",
            remedy="Set it to false",
        )
    # The newer name of the two; the older one warns where the newer exists.
    enable = getattr(causal_lm, "activation_checkpointing_enable", None)
    (enable or causal_lm.gradient_checkpointing_enable)({"use_reentrant": False})
    if isinstance(model, PeftModel):
        # With frozen embeddings no input of a block needs a gradient, and none would reach LoRA.
        causal_lm.enable_input_require_grads()
    causal_lm.config.use_cache = False
