"""The chunked loss against the plain one: values, gradients, memory, half precision."""

from __future__ import annotations

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from sk2d.errors import ModelError
from sk2d.models.loss import (
    check_against_model_loss,
    chunked_cross_entropy,
    next_token_labels,
    supervised_loss,
)


class LargestTensor(TorchDispatchMode):
    """Remembers the number of elements of the largest tensor that any operation gives."""

    numel = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run the operation and look at what it gives."""
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(tensor, torch.Tensor):
                self.numel = max(self.numel, tensor.numel())
        return result


def case(tokens=37, hidden=16, vocabulary=101, *, dtype=torch.float32, bias=True):
    """Give seeded hidden states, weight, bias (all leaves) and labels."""
    generator = torch.Generator().manual_seed(3)

    def leaf(*shape):
        return torch.randn(*shape, generator=generator).to(dtype).requires_grad_()

    labels = torch.randint(0, vocabulary, (tokens,), generator=generator)
    return (
        leaf(tokens, hidden),
        leaf(vocabulary, hidden),
        leaf(vocabulary) if bias else None,
        labels,
    )


@pytest.mark.parametrize("chunk", [1, 8, 37, 512])
@pytest.mark.parametrize("bias", [True, False])
def test_values_and_gradients_equal_full_logits(chunk, bias):
    hidden, weight, bias_V, labels = case(bias=bias)
    loss, correct = chunked_cross_entropy(
        hidden, weight, bias_V, labels, chunk=chunk, count_correct=True
    )
    (loss * 0.25).backward()
    leaves = [leaf for leaf in (hidden, weight, bias_V) if leaf is not None]
    ours = [leaf.grad.clone() for leaf in leaves]
    for leaf in leaves:
        leaf.grad = None

    logits = torch.nn.functional.linear(hidden, weight, bias_V)
    full = torch.nn.functional.cross_entropy(logits, labels, reduction="sum")
    (full * 0.25).backward()
    assert loss.dtype == torch.float32
    assert float(loss) == pytest.approx(float(full), rel=1e-6)
    assert int(correct) == int((logits.argmax(-1) == labels).sum())
    for gradient, leaf in zip(ours, leaves, strict=True):
        torch.testing.assert_close(gradient, leaf.grad, rtol=1e-4, atol=1e-5)


def test_gradient_of_a_tied_weight(model_of, batch, documents):
    """With tied embeddings the weight gets gradients from both its uses."""
    model = model_of("qwen2")
    assert model.lm_head.weight is model.model.embed_tokens.weight
    supervised_loss(model, batch(documents), chunk=4).loss.backward()
    ours = model.lm_head.weight.grad.clone()
    model.zero_grad()
    for document in documents:
        row = batch([document], packed=False)
        own = model(input_ids=row["input_ids_BT"], labels=row["labels_BT"], use_cache=False).loss
        (own * (len(document) - 2)).backward()
    torch.testing.assert_close(ours, model.lm_head.weight.grad, rtol=1e-4, atol=1e-4)


def test_a_frozen_weight_gets_no_gradient_buffer():
    hidden, weight, bias_V, labels = case(tokens=12, hidden=64, vocabulary=1000)
    weight.requires_grad_(False)
    bias_V.requires_grad_(False)
    loss, _ = chunked_cross_entropy(hidden, weight, bias_V, labels, chunk=2)
    assert [gradient is None for gradient in loss.grad_fn.made.gradients] == [False, True, True]
    loss.backward()
    assert weight.grad is None
    assert hidden.grad is not None


@pytest.mark.parametrize("grad", [True, False])
def test_no_tensor_of_all_logits_is_made(grad):
    tokens, vocabulary, chunk = 64, 500, 8
    hidden, weight, bias_V, labels = case(tokens, 16, vocabulary)
    with torch.set_grad_enabled(grad), LargestTensor() as largest:
        loss, _ = chunked_cross_entropy(hidden, weight, bias_V, labels, chunk=chunk)
        if grad:
            loss.backward()
    assert largest.numel == max(chunk * vocabulary, weight.numel()) < tokens * vocabulary


def test_without_gradients_nothing_is_kept(model_of, batch, documents):
    with torch.no_grad():
        result = supervised_loss(model_of("llama"), batch(documents), count_correct=True)
    assert not result.loss.requires_grad
    assert 0 <= result.correct <= result.tokens == sum(len(d) - 2 for d in documents)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast_is_finite_and_near(dtype):
    hidden, weight, bias_V, labels = case()
    exact, _ = chunked_cross_entropy(hidden, weight, bias_V, labels, chunk=8)
    exact.backward()
    right, hidden.grad, weight.grad = (hidden.grad, weight.grad), None, None
    with torch.autocast("cpu", dtype=dtype):
        loss, _ = chunked_cross_entropy(hidden, weight, bias_V, labels, chunk=8)
    (loss * 1024.0).backward()
    assert loss.dtype == torch.float32
    assert float(loss) == pytest.approx(float(exact), rel=2e-2)
    for gradient, expected in zip((hidden.grad, weight.grad), right, strict=True):
        assert gradient.dtype == torch.float32
        assert torch.isfinite(gradient).all()
        assert (gradient / 1024 - expected).norm() < 2e-2 * expected.norm()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_weights_give_half_gradients(dtype):
    hidden, weight, bias_V, labels = case(dtype=dtype)
    chunked_cross_entropy(hidden, weight, bias_V, labels)[0].backward()
    assert hidden.grad.dtype == weight.grad.dtype == dtype
    assert torch.isfinite(hidden.grad).all()


def test_a_very_wrong_token_has_a_finite_loss():
    """Logits 300 apart: the probability underflows, the loss must not be infinite."""
    hidden = torch.tensor([[300.0, 0.0]], requires_grad=True)
    loss, _ = chunked_cross_entropy(hidden, torch.eye(2), None, torch.tensor([1]))
    loss.backward()
    assert float(loss) == pytest.approx(300.0)
    torch.testing.assert_close(hidden.grad, torch.tensor([[1.0, -1.0]]))


def test_a_batch_without_labels_gives_zero_with_a_gradient(model_of, batch, documents):
    empty = batch(documents)
    empty["labels_BT"] = torch.full_like(empty["labels_BT"], -100)
    model = model_of("llama")
    result = supervised_loss(model, empty, count_correct=True)
    result.loss.backward()
    assert (float(result.loss.detach()), result.tokens, result.correct) == (0.0, 0, 0)
    assert all(float(p.grad.abs().max()) == 0.0 for p in model.parameters() if p.grad is not None)
    assert model.model.layers[0].self_attn.q_proj.weight.grad is not None


def test_labels_do_not_cross_documents(batch, documents):
    """A first token that is supervised by mistake is not predicted from the document before."""
    wrong = batch(documents, prompt=0)
    shifted = next_token_labels(wrong)[0]
    ends = [len(documents[0]) - 1, len(documents[0]) + len(documents[1]) - 1, -1]
    assert shifted[ends].tolist() == [-100] * 3
    assert (shifted != -100).sum() == sum(len(d) - 1 for d in documents)


def test_padded_labels_end_with_the_row(batch, documents):
    padded = batch(documents, packed=False)
    shifted = next_token_labels(padded)
    assert (shifted != -100).sum(dim=1).tolist() == [len(d) - 2 for d in documents]
    assert shifted[0, 1] == documents[0][2]


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_check_passes_for_plain_models(family, packed, model_of, batch, documents):
    model = model_of(family).train()
    check_against_model_loss(model, batch(documents, packed=packed))
    assert model.training


def test_check_names_the_cap_on_logits(model_of, batch, documents):
    model = model_of("gemma2", attention="eager", final_logit_softcapping=2.0)
    with pytest.raises(ModelError, match="final_logit_softcapping=2.0.*Choose a base") as error:
        check_against_model_loss(model, batch(documents, packed=False))
    assert "\n" not in str(error.value)


def test_check_stops_on_nan(model_of, batch, documents):
    model = model_of("llama")
    with torch.no_grad():
        model.lm_head.weight[3] = float("nan")
    with pytest.raises(ModelError, match="nan"):
        check_against_model_loss(model, batch(documents))
