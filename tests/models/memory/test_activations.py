from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from sk2d.models.architecture import TINY, from_config
from sk2d.models.attention import causal_lm_of
from sk2d.models.lora import LoraSettings, add_lora, enable_gradient_checkpointing
from sk2d.models.memory import Job, Lora
from sk2d.models.memory.activations import block_bytes, kept_bytes, score_bytes

FEW, MORE, TOKENS = 2, 4, 96
BF16 = torch.bfloat16


def job(precision: str, lora: bool, **changes: Any) -> Job:
    figures = from_config("tiny", TINY)
    assert figures is not None
    adapters = Lora() if lora else None
    return Job(figures, precision, adapters, length=TOKENS, device="cpu", **changes)


def kept_by(layers: int, precision: str, lora: bool, checkpointing: bool = False) -> int:
    """Count the bytes that autograd keeps, weights not counted."""
    rest = {key: value for key, value in TINY.items() if key != "model_type"}
    config = AutoConfig.for_model("llama", **rest | {"num_hidden_layers": layers})
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    if lora:
        model = model.to(torch.float32 if precision == "32-true" else BF16)
        model = add_lora(model, LoraSettings())
        for weight in model.parameters():
            if weight.requires_grad:
                weight.data = weight.data.float()
    if checkpointing:
        enable_gradient_checkpointing(model)
    model.train()
    own = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own and tensor.shape[0] in (1, TOKENS):
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    mixed = torch.autocast("cpu", BF16, enabled=precision == "bf16-mixed", cache_enabled=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor), mixed:
        ids = torch.arange(TOKENS)[None]
        out = causal_lm_of(model).base_model(input_ids=ids, use_cache=False)[0]
    assert out.requires_grad
    return sum(kept.values())


@pytest.mark.parametrize("lora", [True, False])
@pytest.mark.parametrize("precision", ["32-true", "bf16-mixed"])
def test_a_block_keeps_what_autograd_keeps_of_it(precision: str, lora: bool) -> None:
    counted = kept_by(MORE, precision, lora) - kept_by(FEW, precision, lora)
    said = (MORE - FEW) * TOKENS * block_bytes(job(precision, lora))
    assert said == pytest.approx(counted, rel=0.05)


def test_with_recomputation_only_the_input_of_a_block_is_kept() -> None:
    counted = kept_by(MORE, "32-true", True, True) - kept_by(FEW, "32-true", True, True)
    with_it = job("32-true", True, gradient_checkpointing=True)
    per_block = with_it.architecture.hidden * 4 * TOKENS
    assert counted == (MORE - FEW) * per_block
    assert kept_bytes(with_it) < kept_bytes(job("32-true", True)) / 5


def test_scores_are_held_by_the_plain_attention_only() -> None:
    plain = job("32-true", True, attention="math")
    assert score_bytes(job("32-true", True)) == 0
    one = plain.architecture.heads * TOKENS**2 * 4
    assert score_bytes(plain) == one * (2 * plain.architecture.layers + 1)
