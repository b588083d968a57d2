"""How much better than expected an answer was: by its group's rewards, or by a value head.

Pure functions of tensors, checked against `verl.trainer.ppo.core_algos` (`make verl-oracle`).
Half precision is computed in float32, float64 in itself.

Shape letters: N answers of one step, B batch, T positions.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor

from sk2d.rl.objectives import at_least_float32, masked_whiten

Variant = Literal["grpo", "dr_grpo", "dapo", "rloo"]


class _Groups(NamedTuple):
    """Rewards with the groups that they are compared in; `peers_NN[i, j]`: j counts for i."""

    rewards_N: Tensor
    valid_N: Tensor
    peers_NN: Tensor
    alone_N: Tensor

    def sum_N(self, values_N: Tensor) -> Tensor:
        """Sum over each answer's valid peers, itself among them; all peers get the same bits."""
        return torch.where(self.peers_NN, values_N, 0).sum(dim=1)

    def differ_N(self) -> Tensor:
        """Tell in whose group two valid rewards differ."""
        pairs_NN = self.rewards_N[:, None] != self.rewards_N
        return (self.peers_NN & (self.peers_NN & pairs_NN).any(dim=1)).any(dim=1)


def _grouped(rewards_N: Tensor, groups_N: Tensor, valid_N: Tensor | None) -> _Groups:
    """Compare all with all: one step has some thousand answers, and a fixed order of summing."""
    if rewards_N.ndim != 1 or rewards_N.shape != groups_N.shape:
        raise ValueError(f"{tuple(rewards_N.shape)} rewards, {tuple(groups_N.shape)} groups")
    valid_N = torch.ones_like(groups_N, dtype=torch.bool) if valid_N is None else valid_N.bool()
    rewards_N = at_least_float32(rewards_N).masked_fill(~valid_N, 0)
    if not rewards_N.isfinite().all():
        raise ValueError("a valid reward is not finite")
    same_NN = groups_N[:, None] == groups_N
    return _Groups(rewards_N, valid_N, same_NN & valid_N, same_NN.sum(dim=1) == 1)


def _scale_N(groups: _Groups, centred_N: Tensor, variant: Variant, epsilon: float) -> Tensor:
    """Give the factor of `reward - mean` for each answer."""
    count_N = groups.sum_N(torch.ones_like(centred_N))
    others_N = (count_N - 1).clamp(min=1)
    if variant == "dr_grpo":
        return torch.ones_like(centred_N)
    if variant == "rloo":
        return count_N / others_N
    return 1 / ((groups.sum_N(centred_N.square()) / others_N).sqrt() + epsilon)


def _advantage_alone_N(rewards_N: Tensor, variant: Variant, epsilon: float) -> Tensor:
    """Give what verl gives an answer without company: mean 0 and deviation 1 are assumed."""
    return rewards_N / (1 + epsilon) if variant in ("grpo", "dapo") else rewards_N


def group_advantages(
    rewards_N: Tensor,
    groups_N: Tensor,
    *,
    variant: Variant,
    valid_N: Tensor | None = None,
    epsilon: float = 1e-6,
) -> Tensor:
    """Compare each answer's reward with those of the other answers to its prompt.

    - `grpo` (Shao et al. 2024, DeepSeekMath, section 4.1.2) and `dapo` (Yu et al. 2025,
      equation 9): `(r - mean) / (std + epsilon)`, the deviation with n - 1 in its denominator.
    - `dr_grpo` (Liu et al. 2025, section 3.2): `r - mean`.
    - `rloo` (Ahmadian et al. 2024, arXiv 2402.14740): `r - mean of the others`.

    A group whose valid rewards are all equal gives exact zeros. An answer that is its prompt's only
    one gets its own reward, as in verl (divided by `1 + epsilon` where there is a deviation); when
    it is only the others that could not be judged, there is nothing to compare with, and it gets 0.

    Args:
        rewards_N: The rewards of one step's answers.
        groups_N: Which prompt each answer belongs to: whole numbers in any order.
        variant: The formula.
        valid_N: Which answers could be judged, or None for all; the rewards of others are not
            looked at, and they get 0.
        epsilon: Added to the deviation.

    Returns:
        advantages_N, in float32 (in float64 when the rewards are).

    Raises:
        ValueError: The variant is unknown, shapes differ, or a valid reward is not finite.
    """
    if variant not in get_args(Variant):
        raise ValueError(f"variant {variant!r}, not one of {', '.join(get_args(Variant))}")
    groups = _grouped(rewards_N, groups_N, valid_N)
    count_N = groups.sum_N(torch.ones_like(groups.rewards_N))
    centred_N = groups.rewards_N - groups.sum_N(groups.rewards_N) / count_N.clamp(min=1)
    centred_N = centred_N.masked_fill(~(groups.valid_N & groups.differ_N()), 0)
    advantages_N = centred_N * _scale_N(groups, centred_N, variant, epsilon)
    alone_N = _advantage_alone_N(groups.rewards_N, variant, epsilon)
    return torch.where(groups.alone_N, alone_N, advantages_N)


def zero_variance_groups(
    rewards_N: Tensor, groups_N: Tensor, valid_N: Tensor | None = None
) -> Tensor:
    """Find the answers from whose group nothing can be learned.

    Args:
        rewards_N: The rewards of one step's answers.
        groups_N: Which prompt each answer belongs to.
        valid_N: Which answers could be judged, or None for all.

    Returns:
        A bool for each answer: the valid rewards of its group are all equal, or fewer than two.

    Raises:
        ValueError: Shapes differ, or a valid reward is not finite.
    """  # noqa: DOC502
    return ~_grouped(rewards_N, groups_N, valid_N).differ_N()


def gae(
    token_rewards_BT: Tensor,
    values_BT: Tensor,
    mask_BT: Tensor,
    *,
    gamma: float,
    lam: float,
    whiten: bool = True,
) -> tuple[Tensor, Tensor]:
    """Estimate advantages with a value head (Schulman et al. 2016, GAE, equation 16).

    Backwards in time: `A_t = r_t + gamma V_(t+1) - V_t + gamma lam A_(t+1)`; masked positions are
    stepped over, so that an answer may have holes.

    Args:
        token_rewards_BT: The reward that each token got.
        values_BT: What the value head expected before it.
        mask_BT: True at the answer's tokens; what stands elsewhere is not looked at.
        gamma: The discount of a step.
        lam: The weight of longer estimates: 0 is one step, 1 the whole answer.
        whiten: Bring the advantages (not the returns) to mean 0 and deviation 1.

    Returns:
        advantages_BT and returns_BT (the value head's targets), without gradient; both are 0 at
        masked positions, where verl leaves what is of no use.
    """
    mask_BT = mask_BT.bool()
    rewards_BT = at_least_float32(token_rewards_BT.detach()).masked_fill(~mask_BT, 0)
    values_BT = at_least_float32(values_BT.detach()).masked_fill(~mask_BT, 0)
    next_value_B = next_advantage_B = values_BT.new_zeros(len(values_BT))
    advantages_BT = torch.zeros_like(values_BT)
    for t in reversed(range(mask_BT.shape[1])):
        delta_B = rewards_BT[:, t] + gamma * next_value_B - values_BT[:, t]
        advantage_B = delta_B + gamma * lam * next_advantage_B
        next_value_B = torch.where(mask_BT[:, t], values_BT[:, t], next_value_B)
        next_advantage_B = torch.where(mask_BT[:, t], advantage_B, next_advantage_B)
        advantages_BT[:, t] = advantage_B.masked_fill(~mask_BT[:, t], 0)
    returns_BT = advantages_BT + values_BT
    return (masked_whiten(advantages_BT, mask_BT) if whiten else advantages_BT), returns_BT
