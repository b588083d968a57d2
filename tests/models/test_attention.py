"""Packed documents must be the same to a model as documents one by one."""

from __future__ import annotations

import pytest
import torch
from transformers import AttentionMaskInterface

from sk2d.models.attention import forward_inputs, packed_attention, supports_packing
from sk2d.models.loss import supervised_loss

PACKABLE = ["llama", "qwen2", "starcoder2", "mistral", "phi3", "gpt_neox", "gpt2"]


def gradients(model):
    """Give all gradients of a model by name, and clear them."""
    found = {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    return found


@pytest.mark.parametrize("family", PACKABLE)
def test_packed_equals_documents_one_by_one(family, model_of, batch, documents):
    model = model_of(family)
    packed = supervised_loss(model, batch(documents))
    packed.loss.backward()
    packed_gradients = gradients(model)
    singles = [supervised_loss(model, batch([document])) for document in documents]
    sum(single.loss for single in singles).backward()
    single_gradients = gradients(model)

    assert packed.tokens == sum(single.tokens for single in singles)
    assert packed.loss.item() == pytest.approx(sum(s.loss.item() for s in singles), rel=1e-6)
    assert packed_gradients.keys() == single_gradients.keys()
    for name, gradient in packed_gradients.items():
        torch.testing.assert_close(gradient, single_gradients[name], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("family", PACKABLE)
def test_packed_equals_plain_sdpa_padded(family, model_of, batch, documents):
    packed = supervised_loss(model_of(family), batch(documents))
    padded = supervised_loss(model_of(family, attention="sdpa"), batch(documents, packed=False))
    assert padded.tokens == packed.tokens
    assert packed.loss.item() == pytest.approx(padded.loss.item(), rel=1e-5)


def test_a_sliding_window_is_honoured_inside_a_document(model_of, batch, documents):
    """Without the window the loss would be another one, so the equality above means something."""
    narrow, wide = model_of("starcoder2"), model_of("starcoder2", sliding_window=None)
    losses = [supervised_loss(m, batch(documents)).loss.item() for m in (narrow, wide)]
    assert abs(losses[0] - losses[1]) > 1e-3


@pytest.mark.parametrize("family", PACKABLE)
def test_changing_one_document_leaves_the_next_alone(family, model_of, batch, documents):
    model, changed = model_of(family), [list(documents[0]), *documents[1:]]
    changed[0] = [(token + 7) % 150 + 2 for token in changed[0]]
    length = len(documents[0])
    with torch.no_grad():
        before = model.base_model(**forward_inputs(batch(documents)))[0]
        after = model.base_model(**forward_inputs(batch(changed)))[0]
    assert not torch.allclose(before[:, :length], after[:, :length])
    torch.testing.assert_close(before[:, length:], after[:, length:], rtol=0, atol=1e-6)


def test_no_square_mask_is_made_for_a_packed_batch(model_of, batch, documents, monkeypatch):
    def refuse(*_):
        raise AssertionError("a mask was made")

    monkeypatch.setattr(AttentionMaskInterface, "__getitem__", refuse)
    supervised_loss(model_of("llama"), batch(documents))
    with pytest.raises(AssertionError, match="a mask was made"):
        supervised_loss(model_of("llama"), batch(documents, packed=False))


def test_without_bounds_it_is_sdpa_with_its_mask(model_of, batch, documents):
    inputs = forward_inputs(batch(documents, packed=False))
    ours = model_of("llama")(**inputs).logits
    theirs = model_of("llama", attention="sdpa")(**inputs).logits
    assert torch.equal(ours, theirs)


def test_works_with_gradient_checkpointing(model_of, batch, documents):
    model = model_of("llama").train()
    supervised_loss(model, batch(documents)).loss.backward()
    plain = gradients(model)
    model.activation_checkpointing_enable()
    supervised_loss(model, batch(documents)).loss.backward()
    for name, gradient in gradients(model).items():
        torch.testing.assert_close(gradient, plain[name], rtol=1e-5, atol=1e-6)


def test_dropout_acts_in_training_only(model_of, batch, documents):
    model = model_of("llama", attention_dropout=0.5)
    calm = [supervised_loss(model, batch(documents)).loss.item() for _ in range(2)]
    model.train()
    wild = [supervised_loss(model, batch(documents)).loss.item() for _ in range(2)]
    assert calm[0] == calm[1]
    assert len({*calm, *wild}) == 3


def test_scaling_is_honoured():
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 1, 2, 6, 8).unbind()
    layer = torch.nn.Identity()
    output, _ = packed_attention(layer, query, key, value, None, 0.0, 0.7, sk2d_cu_seqlens=[0, 6])
    right = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, is_causal=True, scale=0.7
    )
    torch.testing.assert_close(output, right.transpose(1, 2))


@pytest.mark.parametrize("family", PACKABLE)
def test_supports_packing_says_yes(family, model_of):
    model = model_of(family).train()
    assert supports_packing(model)
    assert model.training, "the check must leave the mode alone"


def test_supports_packing_says_no(model_of):
    assert not supports_packing(model_of("gemma2")), "capped attention scores"
    assert not supports_packing(model_of("llama", attention="sdpa")), "loaded with plain sdpa"


def test_supports_packing_says_no_to_a_model_that_leaks(model_of, monkeypatch):
    """A model that does not pass the bounds on would attend across documents."""
    model = model_of("llama")
    layer = type(model.model.layers[0].self_attn)
    forward = layer.forward

    def forgetful(self, *args, sk2d_cu_seqlens=None, **kwargs):
        return forward(self, *args, **kwargs)

    monkeypatch.setattr(layer, "forward", forgetful)
    assert not supports_packing(model)


def test_a_layer_that_hides_its_window_is_refused():
    layer = torch.nn.Identity()
    layer.config = type("Config", (), {"sliding_window": 4})()
    states = torch.randn(1, 2, 6, 8)
    with pytest.raises(ValueError, match="sliding window of 4"):
        packed_attention(layer, states, states, states, None, sk2d_cu_seqlens=(0, 6))
