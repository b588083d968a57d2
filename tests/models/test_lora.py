"""LoRA: what is trained, in which dtype, and that gradients reach it."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import nn

from sk2d.errors import ConfigError, ModelError
from sk2d.models.load import load_model
from sk2d.models.lora import (
    LoraSettings,
    add_lora,
    enable_gradient_checkpointing,
    linear_layer_names,
)
from sk2d.models.loss import supervised_loss


def trainable_state(model: nn.Module) -> dict[str, torch.Tensor]:
    return {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_b1_adapters_are_float32_on_a_half_base(tiny, dtype):
    model = add_lora(load_model(str(tiny), dtype=dtype), LoraSettings(rank=4))
    trained = [p for p in model.parameters() if p.requires_grad]
    frozen = [p for p in model.parameters() if not p.requires_grad]
    assert {p.dtype for p in trained} == {torch.float32}
    assert {p.dtype for p in frozen} == {dtype}


def test_b1_two_steps_with_a_gradient_scaler(tiny, batch, documents):
    """`Attempting to unscale FP16 gradients` is what a float16 adapter would end in."""
    model = add_lora(load_model(str(tiny), dtype=torch.float16), LoraSettings(rank=4)).train()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
    for _ in range(2):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = supervised_loss(model, batch(documents)).loss
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(p).all() for p in model.parameters())


@pytest.mark.parametrize("checkpointing_first", [True, False])
def test_b11_gradient_checkpointing_with_frozen_embeddings(
    tiny, batch, documents, checkpointing_first
):
    model = load_model(str(tiny))
    if checkpointing_first:
        enable_gradient_checkpointing(model)
    model = add_lora(model, LoraSettings(rank=4))
    if not checkpointing_first:
        enable_gradient_checkpointing(model)
    model.train()
    assert not model.get_base_model().config.use_cache
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        supervised_loss(model, batch(documents)).loss.backward()
    factors = [p for name, p in model.named_parameters() if "lora_B" in name]
    assert factors
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in factors)


def test_checkpointing_changes_no_gradient(tiny, batch, documents):
    gradients = []
    for recompute in (False, True):
        torch.manual_seed(0)
        model = add_lora(load_model(str(tiny)), LoraSettings(rank=4)).train()
        if recompute:
            enable_gradient_checkpointing(model)
            assert model.get_base_model().is_activation_checkpointing
        supervised_loss(model, batch(documents)).loss.backward()
        gradients.append([p.grad for p in model.parameters() if p.requires_grad])
    for plain, recomputed in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, recomputed, rtol=1e-5, atol=1e-6)


def test_lora_changes_nothing_at_first_and_trains_only_itself(tiny, batch, documents):
    model = load_model(str(tiny))
    before = supervised_loss(model, batch(documents)).loss.item()
    model = add_lora(model, LoraSettings(rank=4)).eval()
    assert supervised_loss(model, batch(documents)).loss.item() == pytest.approx(before, abs=1e-5)
    state = trainable_state(model)
    assert state
    assert all("lora_" in name for name in state)
    assert not any(tensor.requires_grad for tensor in state.values())


def test_alpha_is_twice_the_rank_by_default():
    assert (LoraSettings().rank, LoraSettings().alpha) == (16, 32)


def test_all_linear_leaves_the_output_layer_out(model_of):
    model = add_lora(model_of("llama"), LoraSettings(rank=2))
    adapted = {name.split(".lora_A")[0].rpartition(".")[2] for name in trainable_state(model)}
    assert "lm_head" not in str(adapted)
    assert set(linear_layer_names(model_of("llama"))) == {
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    }


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (["q_proj", "qproj"], "no qproj.*Did you mean q_proj.*down_proj"),
        (["attention"], "no attention.*linear layers are down_proj, gate_proj"),
        (["lm_head"], "lm_head is the output layer"),
        ("embed_tokens", "no embed_tokens"),
        ([], "no layer is named"),
    ],
)
def test_wrong_targets_are_named_with_the_right_ones(model_of, targets, message):
    with pytest.raises(ModelError, match=message) as error:
        add_lora(model_of("llama"), LoraSettings(targets=targets))
    assert error.value.where == "model.lora.targets"


def test_one_target_may_be_a_plain_name(model_of):
    model = add_lora(model_of("llama"), LoraSettings(rank=2, targets="q_proj"))
    assert len(trainable_state(model)) == 2 * 2  # two factors in each of two blocks


@pytest.mark.parametrize(
    ("settings", "key"),
    [({"rank": 0}, "rank"), ({"alpha": 0}, "alpha"), ({"dropout": 1.0}, "dropout")],
)
def test_impossible_settings_name_their_key(settings, key):
    with pytest.raises(ConfigError) as error:
        LoraSettings(**settings)
    assert error.value.where == f"model.lora.{key}"


def test_gpt2_layers_can_be_adapted_too(model_of, batch, documents):
    model = add_lora(model_of("gpt2"), LoraSettings(rank=2, targets=["c_attn"]))
    supervised_loss(model, batch(documents)).loss.backward()
    assert any(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())
