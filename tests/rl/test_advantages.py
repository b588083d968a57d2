"""Group advantages and GAE by hand, and what must hold for any rewards."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sk2d.rl.advantages import gae, group_advantages, zero_variance_groups

VARIANTS = ["grpo", "dr_grpo", "dapo", "rloo"]
VALUES = [0.0, 0.1, 0.3, 0.7, 1.0, -2.5]
ANSWERS = st.lists(
    st.tuples(st.sampled_from(VALUES), st.integers(0, 3), st.booleans()), min_size=1, max_size=12
)


def tensors(answers, dtype=torch.float32):
    """Give rewards, groups and whether they are valid."""
    rewards, groups, valid = zip(*answers, strict=True)
    return torch.tensor(rewards, dtype=dtype), torch.tensor(groups), torch.tensor(valid)


@pytest.mark.parametrize(
    ("variant", "first", "second"),
    [
        ("grpo", 1.5 / (math.sqrt(5 / 3) + 1e-6), 0.5 / (math.sqrt(5 / 3) + 1e-6)),
        ("dapo", 1.5 / (math.sqrt(5 / 3) + 1e-6), 0.5 / (math.sqrt(5 / 3) + 1e-6)),
        ("dr_grpo", 1.5, 0.5),
        ("rloo", 2.0, 2 / 3),
    ],
)
def test_values_by_hand(variant, first, second):
    """Rewards 0 to 3, with another group between them."""
    rewards = torch.tensor([3.0, 10.0, 0.0, 1.0, 2.0, 10.0])
    groups = torch.tensor([7, 2, 7, 7, 7, 2])
    advantages = group_advantages(rewards, groups, variant=variant)
    expected = torch.tensor([first, 0.0, -first, -second, second, 0.0])
    torch.testing.assert_close(advantages, expected)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("reward", [1.0, 0.0, 0.1])
def test_e5_equal_rewards_teach_nothing(variant, reward):
    """All equal, the first time all 1, then all 0: exact zeros, and the group is named."""
    rewards, groups = torch.full((7,), reward), torch.zeros(7, dtype=torch.long)
    assert group_advantages(rewards, groups, variant=variant).tolist() == [0.0] * 7
    assert zero_variance_groups(rewards, groups).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_e6_statistics_are_those_of_the_group(variant):
    rewards = torch.tensor([1.0, 1, 0, 0, 5, 5, 5, 5])
    groups = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1])
    advantages = group_advantages(rewards, groups, variant=variant)
    assert advantages[4:].tolist() == [0.0] * 4
    assert float(advantages[:4].sum()) == 0.0
    assert (advantages[:2] > 0).all()
    assert zero_variance_groups(rewards, groups).tolist() == [False] * 4 + [True] * 4


def test_e17_the_deviation_is_an_option():
    """With it a group of small differences weighs as much as one of large ones; without it not."""
    rewards = torch.tensor([0.0, 1.0, 0.0, 0.1])
    groups = torch.tensor([0, 0, 1, 1])
    with_std = group_advantages(rewards, groups, variant="grpo")
    without = group_advantages(rewards, groups, variant="dr_grpo")
    torch.testing.assert_close(with_std[1], with_std[3], rtol=1e-4, atol=0)
    torch.testing.assert_close(without[1], without[3] * 10)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_cannot_be_judged_leaves_the_statistics(variant):
    rewards = torch.tensor([1.0, math.nan, 0.0, 0.5, math.inf])
    valid = torch.tensor([True, False, True, True, False])
    groups = torch.zeros(5, dtype=torch.long)
    advantages = group_advantages(rewards, groups, variant=variant, valid_N=valid)
    alone = group_advantages(rewards[valid], groups[valid], variant=variant)
    assert advantages[~valid].tolist() == [0.0, 0.0]
    torch.testing.assert_close(advantages[valid], alone)


@pytest.mark.parametrize(("variant", "advantage"), [("grpo", 3 / (1 + 1e-6)), ("rloo", 3.0)])
def test_an_only_answer_gets_its_reward_as_in_verl(variant, advantage):
    rewards, groups = torch.tensor([3.0, 5.0, 5.0]), torch.tensor([4, 0, 0])
    advantages = group_advantages(rewards, groups, variant=variant)
    assert advantages.tolist() == pytest.approx([advantage, 0.0, 0.0])
    assert zero_variance_groups(rewards, groups).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_answer_whose_others_could_not_be_judged_gets_nothing(variant):
    rewards, groups = torch.tensor([3.0, 0.0, 0.0]), torch.zeros(3, dtype=torch.long)
    valid = torch.tensor([True, False, False])
    advantages = group_advantages(rewards, groups, variant=variant, valid_N=valid)
    assert advantages.tolist() == [0.0] * 3
    assert zero_variance_groups(rewards, groups, valid).all()


@pytest.mark.parametrize("variant", VARIANTS)
@given(answers=ANSWERS)
def test_any_group_sums_to_zero_and_equal_ones_are_exact(variant, answers):
    rewards, groups, valid = tensors(answers)
    advantages = group_advantages(rewards, groups, variant=variant, valid_N=valid)
    flat = zero_variance_groups(rewards, groups, valid)
    for group in set(groups.tolist()):
        members = groups == group
        kept = rewards[members & valid]
        assert flat[members].all() == flat[members].any() == (len(set(kept.tolist())) < 2)
        if members.sum() > 1:
            assert abs(float(advantages[members].sum())) < 1e-4
        if members.sum() > 1 and flat[members].all():
            assert advantages[members].tolist() == [0.0] * int(members.sum())
    assert (advantages[~valid] == 0).all()


@pytest.mark.parametrize("variant", VARIANTS)
@given(answers=ANSWERS, seed=st.integers(0, 9))
def test_neither_order_nor_names_of_groups_matter(variant, answers, seed):
    rewards, groups, valid = tensors(answers, torch.float64)
    order = torch.randperm(len(rewards), generator=torch.Generator().manual_seed(seed))
    advantages = group_advantages(rewards, groups, variant=variant, valid_N=valid)
    other = group_advantages(
        rewards[order], 100 - 7 * groups[order], variant=variant, valid_N=valid[order]
    )
    torch.testing.assert_close(other, advantages[order], rtol=0, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.long])
def test_half_precision_is_computed_in_float32(variant, dtype):
    """Sums of squares of 30000 have no room in float16."""
    rewards = torch.tensor([30000, -30000, 30000, 0]).to(dtype)
    groups = torch.zeros(4, dtype=torch.long)
    advantages = group_advantages(rewards, groups, variant=variant)
    assert advantages.dtype == torch.float32
    torch.testing.assert_close(
        advantages, group_advantages(rewards.float(), groups, variant=variant)
    )
    assert advantages.isfinite().all()
    assert group_advantages(rewards.double(), groups, variant=variant).dtype == torch.float64


def test_no_answers_give_no_advantages():
    nothing = torch.zeros(0)
    assert group_advantages(nothing, nothing.long(), variant="grpo").shape == (0,)
    assert zero_variance_groups(nothing, nothing.long()).shape == (0,)


def test_wrong_arguments_are_errors():
    rewards, groups = torch.tensor([1.0, 2.0]), torch.tensor([0, 0])
    with pytest.raises(ValueError, match="variant 'ppo', not one of grpo, dr_grpo"):
        group_advantages(rewards, groups, variant="ppo")
    with pytest.raises(ValueError, match=r"\(2,\) rewards, \(1,\) groups"):
        group_advantages(rewards, groups[:1], variant="grpo")
    with pytest.raises(ValueError, match="not finite"):
        group_advantages(torch.tensor([1.0, math.nan]), groups, variant="grpo")


def test_gae_by_hand():
    """A reward of 1 at the end, values 0.5, gamma 0.9, lam 0.8."""
    rewards = torch.tensor([[0.0, 0.0, 1.0]])
    values, mask = torch.full((1, 3), 0.5), torch.ones(1, 3)
    advantages, returns = gae(rewards, values, mask, gamma=0.9, lam=0.8, whiten=False)
    third = 1 - 0.5
    second = 0.9 * 0.5 - 0.5 + 0.72 * third
    first = 0.9 * 0.5 - 0.5 + 0.72 * second
    torch.testing.assert_close(advantages, torch.tensor([[first, second, third]]))
    torch.testing.assert_close(returns, advantages + 0.5)


@pytest.mark.parametrize("whiten", [True, False])
def test_gae_steps_over_holes_and_does_not_look_into_them(whiten):
    generator = torch.Generator().manual_seed(1)
    rewards, values = torch.randn(2, 2, 4, generator=generator)
    wide = torch.full((2, 2, 7), math.nan)
    places = [0, 2, 3, 5]
    wide[0][:, places], wide[1][:, places] = rewards, values
    mask = torch.zeros(2, 7, dtype=torch.bool)
    mask[:, places] = True
    ours = gae(wide[0], wide[1], mask, gamma=0.9, lam=0.7, whiten=whiten)
    dense = gae(rewards, values, torch.ones(2, 4), gamma=0.9, lam=0.7, whiten=whiten)
    for result, expected in zip(ours, dense, strict=True):
        torch.testing.assert_close(result[:, places], expected)
        assert (result[~mask] == 0).all()


def test_gae_of_lam_1_is_what_comes_minus_what_was_expected():
    generator = torch.Generator().manual_seed(2)
    rewards, values = torch.randn(2, 3, 5, generator=generator, dtype=torch.float64)
    advantages, returns = gae(rewards, values, torch.ones(3, 5), gamma=1.0, lam=1.0, whiten=False)
    to_come = rewards.flip(1).cumsum(1).flip(1)
    torch.testing.assert_close(returns, to_come)
    torch.testing.assert_close(advantages, to_come - values)


def test_gae_has_no_gradient_and_whitens_the_advantages_alone():
    rewards = torch.tensor([[0.0, 3.0, 1.0]])
    values = torch.tensor([[1.0, 2.0, 5.0]], requires_grad=True)
    plain = gae(rewards, values, torch.ones(1, 3), gamma=1.0, lam=0.5, whiten=False)
    white = gae(rewards, values, torch.ones(1, 3), gamma=1.0, lam=0.5)
    assert not white[0].requires_grad
    assert float(white[0].mean()) == pytest.approx(0, abs=1e-6)
    assert float(white[0].std()) == pytest.approx(1, abs=1e-6)
    torch.testing.assert_close(white[1], plain[1])


def test_gae_in_half_precision_and_of_nothing():
    rewards = torch.full((1, 4), 30000.0, dtype=torch.float16)
    for result in gae(rewards, -rewards, torch.ones(1, 4), gamma=1.0, lam=1.0):
        assert result.dtype == torch.float32
        assert result.isfinite().all()
    for result in gae(torch.zeros(2, 0), torch.zeros(2, 0), torch.zeros(2, 0), gamma=1.0, lam=1.0):
        assert result.shape == (2, 0)
