"""A prompt that is run once for all its answers gives what copies of it give."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
)

from sk2d.models.attention import supports_packing
from sk2d.models.load import load_full, load_model
from sk2d.rl.answer_tokens import AnsweredPrompt, hidden_states, micro_batches, packed, padded
from sk2d.rl.token_scores import scored_loss, token_scores

PROMPTS = [
    AnsweredPrompt([5, 6, 7, 8], [[9, 10, 2], [2], [11, 12, 13, 14, 2]], [0, 1, 2]),
    AnsweredPrompt([5, 9], [[20, 21], [22, 2]], [3, 4]),
]


@pytest.fixture(scope="module")
def model(rl_base: str) -> PreTrainedModel:
    return load_model(rl_base).eval()


def by_hand(model: PreTrainedModel) -> list[torch.Tensor]:
    """Give the log-probabilities of each answer's tokens, one plain forward pass per answer."""
    found = []
    for prompt in PROMPTS:
        for answer in prompt.answers:
            ids = torch.tensor([[*prompt.prompt, *answer]])
            log_p = model(input_ids=ids).logits[0, :-1].log_softmax(-1)
            found.append(log_p[len(prompt.prompt) - 1 :].gather(1, torch.tensor(answer)[:, None]))
    return [each.squeeze(1) for each in found]


@torch.no_grad()
def test_packed_and_padded_passes_equal_plain_ones(model: PreTrainedModel) -> None:
    assert supports_packing(model)
    wanted = torch.cat(by_hand(model))
    for tokens in (packed(PROMPTS), padded(PROMPTS, 0)):
        scores = token_scores(model, hidden_states(model, tokens), tokens.targets_N, chunk=3)
        torch.testing.assert_close(scores.log_p_N, wanted, atol=1e-5, rtol=1e-5)
        assert tokens.rows_N.tolist() == [0] * 3 + [1] + [2] * 5 + [3] * 2 + [4] * 2
        assert tokens.columns_N.tolist() == [0, 1, 2, 0, 0, 1, 2, 3, 4, 0, 1, 0, 1]
        assert tokens.targets_N.tolist()[:4] == [9, 10, 2, 2]


def test_a_prompt_stands_once_in_a_packed_pass() -> None:
    tokens = packed(PROMPTS)
    assert tokens.inputs["input_ids"].shape == (1, 4 + 2 + 0 + 4 + 2 + 1 + 1)
    assert tokens.inputs["sk2d_prefixes"][0] == (0, 0)
    assert tokens.inputs["sk2d_prefixes"][1] == (0, 4)


@torch.no_grad()
def test_a_sliding_window_cuts_prompt_and_answer_alike(tmp_path: Path) -> None:
    config = MistralConfig(
        vocab_size=40,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        sliding_window=3,
        max_position_embeddings=64,
    )
    torch.manual_seed(0)
    MistralForCausalLM(config).save_pretrained(tmp_path)
    model = load_full(tmp_path).eval()
    tokens = packed(PROMPTS)
    scores = token_scores(model, hidden_states(model, tokens), tokens.targets_N)
    torch.testing.assert_close(scores.log_p_N, torch.cat(by_hand(model)), atol=1e-5, rtol=1e-5)
    for layer in model.model.layers:
        layer.self_attn.sliding_window = None
        layer.self_attn.config.sliding_window = None
    wide = token_scores(model, hidden_states(model, tokens), tokens.targets_N)
    assert (wide.log_p_N - scores.log_p_N).abs().max() > 1e-4, "the window does cut"


def test_gradients_equal_those_of_full_logits(rl_base: str) -> None:
    ours, theirs = load_model(rl_base).train(), load_model(rl_base).train()
    for each in (ours, theirs):
        each.requires_grad_(True)
    slopes = torch.linspace(-1, 1, 13)
    tokens = packed(PROMPTS)
    ours_loss, scores = scored_loss(
        ours,
        hidden_states(ours, tokens),
        tokens.targets_N,
        lambda rows, log_p_C: (log_p_C.exp() * slopes[rows]).sum(),
        temperature=0.7,
        chunk=4,
    )
    ours_loss.backward()
    hidden_NH = hidden_states(theirs, tokens)
    logits_NV = theirs.get_output_embeddings()(hidden_NH) / 0.7
    log_p_N = logits_NV.log_softmax(-1).gather(1, tokens.targets_N[:, None]).squeeze(1)
    loss = (log_p_N.exp() * slopes).sum()
    loss.backward()
    torch.testing.assert_close(ours_loss, loss.detach())
    torch.testing.assert_close(scores.log_p_N, log_p_N.detach())
    p_NV = logits_NV.softmax(-1)
    torch.testing.assert_close(scores.entropy_N, -(p_NV * p_NV.log()).sum(-1).detach())
    for (name, one), (_, two) in zip(
        ours.named_parameters(), theirs.named_parameters(), strict=True
    ):
        torch.testing.assert_close(one.grad, two.grad, atol=1e-5, rtol=1e-4, msg=name)


def test_half_precision_keeps_small_slopes(rl_base: str) -> None:
    model = load_model(rl_base, torch.bfloat16).train()
    tokens = packed(PROMPTS)
    hidden_NH = hidden_states(model, tokens).detach().float().requires_grad_()
    grads = []
    for dtype in (torch.float32, torch.float16):
        model.get_output_embeddings().to(dtype)
        hidden_NH.grad = None
        small, _ = scored_loss(
            model, hidden_NH.to(dtype), tokens.targets_N, lambda rows, log_p_C: 1e-7 * log_p_C.sum()
        )
        (small * 65536).backward()  # as a gradient scaler does
        assert hidden_NH.grad is not None
        grads.append(hidden_NH.grad / 65536)
    torch.testing.assert_close(grads[1], grads[0], atol=2e-9, rtol=0.05)


def test_a_model_without_packed_attention_gets_padded_passes(tmp_path: Path) -> None:
    GPT2LMHeadModel(
        GPT2Config(vocab_size=40, n_positions=64, n_embd=16, n_layer=1, n_head=2)
    ).save_pretrained(tmp_path)
    model = AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    tokens = padded(PROMPTS, 0)
    with torch.no_grad():
        scores = token_scores(model, hidden_states(model, tokens), tokens.targets_N)
        torch.testing.assert_close(scores.log_p_N, torch.cat(by_hand(model)), atol=1e-5, rtol=1e-5)


def test_micro_batches_cut_between_prompts() -> None:
    assert [len(part) for part in micro_batches(PROMPTS * 2, 3)] == [3, 1]
