"""Policy loss, KL, aggregation and value loss by hand; masks, splits and extremes."""

from __future__ import annotations

import math
from typing import get_args

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sk2d.rl.advantages import group_advantages, zero_variance_groups
from sk2d.rl.objectives import (
    Aggregation,
    KlKind,
    aggregate,
    denominator,
    entropy_from_logits,
    kl,
    masked_whiten,
    policy_loss,
    token_log_ratio,
    value_loss,
)

MODES = get_args(Aggregation)
KINDS = get_args(KlKind)


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def mask_of(*lengths, width):
    """Give a mask of rows with that many tokens each."""
    return torch.arange(width)[None] < torch.tensor(lengths)[:, None]


# --- token_log_ratio ---


def test_log_ratio_is_masked_and_held():
    new = torch.tensor([[-1.0, -math.inf, -100.0, 0.0]], requires_grad=True)
    old = torch.tensor([[-1.5, -math.inf, 0.0, -100.0]])
    ratio = token_log_ratio(new, old, torch.tensor([[1, 0, 1, 1]]))
    assert ratio.tolist() == [[0.5, 0.0, -20.0, 20.0]]
    ratio.sum().backward()
    assert new.grad.tolist() == [[1.0, 0.0, 0.0, 0.0]]


# --- aggregate ---


@pytest.mark.parametrize(
    ("mode", "value"),
    [
        ("token-mean", (1 + 2 + 3 + 10) / 4),
        ("seq-mean-token-sum", (6 + 10) / 2),
        ("seq-mean-token-mean", (2 + 10) / 2),
        ("seq-mean-token-sum-norm", (6 + 10) / 2 / 8),
    ],
)
def test_aggregation_by_hand(mode, value):
    """Rows of three tokens, one token and none."""
    values = torch.tensor([[1.0, 2, 3, 99], [10, math.nan, 99, 99], [math.inf, 99, 99, 99]])
    values.requires_grad_()
    mask = mask_of(3, 1, 0, width=4)
    loss = aggregate(values, mask, mode, max_length=8)
    loss.backward()
    assert loss.item() == pytest.approx(value)
    assert (values.grad[~mask] == 0).all()
    assert aggregate(values, mask.long(), mode, max_length=8) == loss


@pytest.mark.parametrize("mode", MODES)
def test_e14_a_truncated_row_is_in_neither_numerator_nor_denominator(mode):
    """The loss stays when a masked row's length doubles, and when the row is not there at all."""

    def loss(width, *lengths):
        values = torch.full((len(lengths), width), 7.0)
        values[:2, :6] = draw(2, 6)
        mask = mask_of(*lengths, width=width)
        mask[2:] = False
        return float(aggregate(values, mask, mode, max_length=32))

    without = pytest.approx(loss(6, 5, 6), rel=1e-6)
    assert loss(8, 5, 6, 8) == without
    assert loss(16, 5, 6, 16) == without
    assert loss(6, 5, 6) != 0


@pytest.mark.parametrize(
    ("mode", "short", "long"),
    [
        ("token-mean", 1 / 55, 1 / 55),
        ("seq-mean-token-sum", 1 / 2, 1 / 2),
        ("seq-mean-token-mean", 1 / (2 * 5), 1 / (2 * 50)),
        ("seq-mean-token-sum-norm", 1 / (2 * 64), 1 / (2 * 64)),
    ],
)
def test_e17_equal_advantage_has_the_documented_weight(mode, short, long):
    """Completions of 5 and 50 tokens with advantage 1, on the policy that gave them."""
    old, mask = -draw(2, 50).abs(), mask_of(5, 50, width=50)
    new = old.clone().requires_grad_()
    policy_loss(new, old, torch.ones(2, 1), mask, aggregation=mode, max_length=64).loss.backward()
    torch.testing.assert_close(-new.grad[0, :5], torch.full((5,), short))
    torch.testing.assert_close(-new.grad[1], torch.full((50,), long))
    assert (new.grad[0, 5:] == 0).all()


@pytest.mark.parametrize("mode", MODES)
@given(
    lengths=st.lists(st.integers(0, 6), min_size=1, max_size=7),
    size=st.integers(1, 4),
    seed=st.integers(0, 9),
)
def test_micro_batches_add_up_to_the_whole(mode, lengths, size, seed):
    values, mask = draw(len(lengths), 6, seed=seed).double(), mask_of(*lengths, width=6)
    total = denominator(mask, mode)
    parts = [
        aggregate(v, m, mode, max_length=9, total=total)
        for v, m in zip(values.split(size), mask.split(size), strict=True)
    ]
    whole = aggregate(values, mask, mode, max_length=9)
    torch.testing.assert_close(sum(parts), whole)
    assert sum(denominator(m, mode) for m in mask.split(size)) == total
    assert float(sum(parts)) == float(
        sum(
            aggregate(v, m, mode, max_length=9, total=int(total))
            for v, m in zip(values.split(size), mask.split(size), strict=True)
        )
    )


@pytest.mark.parametrize("mode", MODES)
def test_nothing_gives_zero_with_a_gradient(mode):
    new = draw(2, 3).requires_grad_()
    nothing = torch.zeros(2, 3, dtype=torch.bool)
    result = policy_loss(new, new.detach(), new, nothing, aggregation=mode, max_length=3)
    result.loss.backward()
    assert [value.item() for value in result] == [0.0] * 4
    assert (new.grad == 0).all()


def test_wrong_arguments_are_errors():
    values, mask = torch.ones(1, 2), torch.ones(1, 2)
    with pytest.raises(ValueError, match="aggregation 'mean', not one of token-mean"):
        aggregate(values, mask, "mean")
    with pytest.raises(ValueError, match="aggregation 'mean', not one of token-mean"):
        aggregate(values, mask, "mean", total=2)
    with pytest.raises(ValueError, match="needs a max_length"):
        aggregate(values, mask, "seq-mean-token-sum-norm")
    with pytest.raises(ValueError, match="dual clip of 1.0 is not above 1"):
        policy_loss(values, values, values, mask, dual_clip=1.0)
    with pytest.raises(ValueError, match="kind 'full', not one of kl"):
        kl(values, values, "full")


# --- policy_loss ---


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "clipped", "clipped_low"),
    [
        (1.0, 2.0, -2.0, 0, 0),
        (1.5, 1.0, -1.3, 1, 0),  # clip_high holds it
        (1.5, -1.0, 1.5, 0, 0),  # a bad token that grew is pushed down in full
        (0.5, 1.0, -0.5, 0, 0),
        (0.5, -1.0, 0.8, 1, 0),  # clip_low holds it
        (9.0, -1.0, 3.0, 0, 1),  # the dual clip holds it
    ],
)
def test_clipping_by_hand(ratio, advantage, loss, clipped, clipped_low):
    old = torch.tensor([[-20.0]])
    new = (old + math.log(ratio)).requires_grad_()
    result = policy_loss(
        new, old, torch.tensor([[advantage]]), torch.ones(1, 1), clip_low=0.2, clip_high=0.3
    )
    assert result.loss.item() == pytest.approx(loss, rel=1e-5)
    assert (float(result.clipped), float(result.clipped_low)) == (clipped, clipped_low)
    assert float(result.approx_kl) == pytest.approx(-math.log(ratio), abs=1e-5)
    result.loss.backward()
    assert (float(new.grad) == 0) == bool(clipped or clipped_low)
    assert [value.requires_grad for value in result] == [True, False, False, False]


def test_without_dual_clip_the_loss_grows_with_the_ratio():
    old, minus = torch.tensor([[-20.0]]), torch.tensor([[-1.0]])
    result = policy_loss(old + math.log(9), old, minus, torch.ones(1, 1), dual_clip=None)
    assert result.loss.item() == pytest.approx(9.0, rel=1e-5)
    assert float(result.clipped_low) == 0.0


@pytest.mark.parametrize("mode", MODES)
@given(seed=st.integers(0, 50))
def test_a_first_step_has_the_gradient_of_reinforce(mode, seed):
    """On the policy that gave the answers, the gradient is minus the weighted advantage."""
    old, advantages = -draw(4, 5, seed=seed).abs(), draw(4, 5, seed=seed + 100)
    mask = draw(4, 5, seed=seed + 200) > 0
    new = old.clone().requires_grad_()
    policy_loss(new, old, advantages, mask, aggregation=mode, max_length=8).loss.backward()
    plain = old.clone().requires_grad_()
    aggregate(-advantages * plain, mask, mode, max_length=8).backward()
    torch.testing.assert_close(new.grad, plain.grad)


@pytest.mark.parametrize("kind", KINDS)
def test_e5_the_kl_of_a_group_without_signal_pulls_unless_it_is_masked(kind):
    """Four answers with reward 1, beta 0.04: gradient 0 when the group is masked, else not."""
    rewards, groups = torch.ones(4), torch.zeros(4, dtype=torch.long)
    advantages = group_advantages(rewards, groups, variant="grpo")[:, None]
    mask, old = torch.ones(4, 3, dtype=torch.bool), -draw(4, 3).abs()

    def gradient(kl_mask):
        new = old.clone().requires_grad_()
        divergence = kl(new, old - 0.5, kind, kl_mask)
        policy = policy_loss(new, old, advantages, mask).loss
        (policy + 0.04 * aggregate(divergence, kl_mask, "token-mean")).backward()
        return float(new.grad.norm())

    assert gradient(mask) > 0
    assert gradient(mask & ~zero_variance_groups(rewards, groups)[:, None]) == 0


# --- kl ---


@pytest.mark.parametrize(
    ("kind", "value"),
    [("kl", -0.5), ("abs", 0.5), ("mse", 0.125), ("low_var_kl", math.exp(0.5) - 1.5)],
)
def test_kl_by_hand(kind, value):
    result = kl(torch.tensor([[-1.5]]), torch.tensor([[-1.0]]), kind)
    assert float(result) == pytest.approx(value, rel=1e-6)
    assert float(kl(torch.tensor([[-1.0]]), torch.tensor([[-1.0]]), kind)) == 0


def test_low_var_kl_is_held():
    new, ref = torch.tensor([[-90.0, -2.0, 0.0]]), torch.tensor([[0.0, 0.0, -90.0]])
    assert kl(new, ref, "low_var_kl").tolist() == [[10.0, pytest.approx(math.exp(2) - 3), 10.0]]


@given(seed=st.integers(0, 99))
def test_low_var_kl_is_not_negative(seed):
    new, ref = -3 * draw(2, 5, seed=seed).abs(), -3 * draw(2, 5, seed=seed + 100).abs()
    assert (kl(new, ref, "low_var_kl") >= -1e-6).all()


def test_other_names_of_the_same_kinds():
    new, ref = draw(2, 3), draw(2, 3, seed=1)
    for name, other in (("k1", "kl"), ("k2", "mse"), ("k3", "low_var_kl")):
        assert torch.equal(kl(new, ref, name), kl(new, ref, other))


# --- value_loss, masked_whiten, entropy ---


@pytest.mark.parametrize(
    ("value", "clip", "loss", "clipped"),
    [
        (0.4, 0.5, 0.5 * 0.6**2, 0),  # moved less than the clip
        (0.9, 0.5, 0.5 * 0.5**2, 1),  # nearer than allowed: the held value's error counts
        (0.9, None, 0.5 * 0.1**2, 0),
        (-0.9, 0.5, 0.5 * 1.9**2, 0),  # moved away: the own error is the worse one
    ],
)
def test_value_loss_by_hand(value, clip, loss, clipped):
    old, returns = torch.tensor([[0.0]]), torch.tensor([[1.0]])
    result = value_loss(torch.tensor([[value]]), old, returns, torch.ones(1, 1), clip=clip)
    assert result.loss.item() == pytest.approx(loss, rel=1e-5)
    assert float(result.clipped) == clipped


def test_whitening_looks_at_valid_values_alone():
    values = torch.tensor([[1.0, 2.0, math.nan], [3.0, math.inf, 4.0]])
    mask = torch.tensor([[1, 1, 0], [1, 0, 1]])
    white = masked_whiten(values, mask)
    kept = values[mask.bool()]
    torch.testing.assert_close(white[mask.bool()], (kept - kept.mean()) / kept.std())
    assert (white[mask == 0] == 0).all()
    assert (masked_whiten(values, torch.tensor([[1, 0, 0], [0, 0, 0]])) == 0).all()
    assert (masked_whiten(values, torch.zeros(2, 3)) == 0).all()


def test_entropy_by_hand():
    flat = torch.zeros(1, 1, 8)
    assert float(entropy_from_logits(flat)) == pytest.approx(math.log(8))
    half = torch.tensor([3.0, 3.0, -math.inf, -math.inf], requires_grad=True)
    entropy = entropy_from_logits(half)
    entropy.backward()
    assert entropy.item() == pytest.approx(math.log(2))
    assert half.grad.isfinite().all()


@given(seed=st.integers(0, 50))
def test_entropy_equals_that_of_torch(seed):
    logits = 5 * draw(2, 3, 7, seed=seed)
    expected = torch.distributions.Categorical(logits=logits).entropy()
    torch.testing.assert_close(entropy_from_logits(logits), expected, rtol=1e-5, atol=1e-6)


# --- extremes ---

EXTREME = [-1e4, -100.0, -1e-4, 0.0, -6e4]


def extremes(dtype):
    """Give all pairs of extreme log-probabilities, with infinite and NaN ones at masked places."""
    pairs = torch.cartesian_prod(torch.tensor(EXTREME), torch.tensor(EXTREME)).to(dtype).T
    masked = torch.tensor([-math.inf, math.inf, math.nan]).to(dtype)
    new, old = torch.cat([pairs, masked.expand(2, 3)], dim=1)[:, None]
    mask = torch.ones(1, len(new[0]), dtype=torch.bool)
    mask[0, -3:] = False
    return new.clone().requires_grad_(), old, mask


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("advantage", [-1e4, 1e4])
@pytest.mark.parametrize("dual_clip", [3.0, None])
@pytest.mark.parametrize("mode", MODES)
def test_policy_loss_of_extremes_is_finite(dtype, advantage, dual_clip, mode):
    """Ratios of e^10000, infinite log-probabilities at masked places."""
    new, old, mask = extremes(dtype)
    advantages = torch.full(new.shape, advantage, dtype=dtype).masked_fill(~mask, math.nan)
    result = policy_loss(
        new, old, advantages, mask, dual_clip=dual_clip, aggregation=mode, max_length=30
    )
    result.loss.backward()
    assert result.loss.dtype == torch.float32
    assert all(value.isfinite() for value in result)
    if dtype != torch.float16 or dual_clip:  # without it a gradient of 1e11 has no room in float16
        assert new.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("kind", KINDS)
def test_kl_of_extremes_is_finite(dtype, kind):
    new, old, mask = extremes(dtype)
    loss = aggregate(kl(new, old, kind, mask), mask, "token-mean")
    loss.backward()
    assert loss.isfinite()
    assert new.grad.isfinite().all()
    assert (new.grad[~mask] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_value_loss_and_entropy_of_extremes_are_finite(dtype):
    values, returns, mask = extremes(dtype)
    result = value_loss(values, -returns, returns, mask)
    result.loss.backward()
    assert result.loss.isfinite()
    assert values.grad.isfinite().all()
    logits = torch.tensor([[6e4, -6e4, -math.inf], [-6e4, -6e4, -6e4]]).to(dtype).requires_grad_()
    entropy = entropy_from_logits(logits)
    entropy.sum().backward()
    torch.testing.assert_close(entropy, torch.tensor([0.0, math.log(3)]))
    assert logits.grad.isfinite().all()
