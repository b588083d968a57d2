"""What reinforcement learning minimises: policy loss, distance to a reference, value loss.

Pure functions of tensors, checked against `verl.trainer.ppo.core_algos` (`make verl-oracle`).
Half precision is computed in float32, float64 in itself. What stands at masked positions is taken
away before anything is computed from it, so it may be infinite or NaN.

Shape letters: B batch, T positions, V vocabulary.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor

Aggregation = Literal[
    "token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"
]
KlKind = Literal["kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3"]

# verl's limits: the log-ratio before exp, and the low variance estimate after it.
_LOG_RATIO_LIMIT = 20.0
_LOW_VAR_KL_LIMIT = 10.0


class PolicyLoss(NamedTuple):
    """The policy loss of a batch, and numbers to log.

    Attributes:
        loss: The scalar to minimise.
        clipped: Share of the valid tokens here whose ratio the clip held (no gradient).
        clipped_low: Share of those whose loss the dual clip held (no gradient).
        approx_kl: Mean of `old - new` log-probability: how far the policy has moved (no gradient).
    """

    loss: Tensor
    clipped: Tensor
    clipped_low: Tensor
    approx_kl: Tensor


class ValueLoss(NamedTuple):
    """The value head's loss of a batch, and a number to log.

    Attributes:
        loss: The scalar to minimise.
        clipped: Share of the valid tokens here where the clipped value counted (no gradient).
    """

    loss: Tensor
    clipped: Tensor


def at_least_float32(values: Tensor) -> Tensor:
    """Bring half precision and whole numbers to float32, and leave float64 as it is.

    Args:
        values: Any tensor of numbers.

    Returns:
        The same values, in float32 or float64.
    """
    return values.to(torch.promote_types(values.dtype, torch.float32))


def _kept(values_BT: Tensor, mask_BT: Tensor) -> Tensor:
    """Put 0 at masked positions, which then get no gradient either; a (B, 1) tensor is widened."""
    return torch.where(mask_BT.bool(), at_least_float32(values_BT), 0)


def _share(hits_BT: Tensor, mask_BT: Tensor) -> Tensor:
    return aggregate(hits_BT.detach().float(), mask_BT, "token-mean")


def denominator(mask_BT: Tensor, mode: Aggregation) -> Tensor:
    """Count what `aggregate` divides by; the counts of a step's micro-batches add up.

    Args:
        mask_BT: True at the tokens that count.
        mode: How the tokens are put together.

    Returns:
        A whole number (scalar): tokens for `token-mean`, else rows that have any.

    Raises:
        ValueError: The mode is unknown.
    """
    if mode not in get_args(Aggregation):
        raise ValueError(f"aggregation {mode!r}, not one of {', '.join(get_args(Aggregation))}")
    mask_BT = mask_BT.bool()
    return mask_BT.sum() if mode == "token-mean" else mask_BT.any(dim=1).sum()


def _row_divisor(mask_BT: Tensor, mode: Aggregation, max_length: int | None) -> Tensor | int:
    """Give what the sum of a row is divided by."""
    if mode == "seq-mean-token-mean":
        return mask_BT.bool().sum(dim=1).clamp(min=1)
    if mode != "seq-mean-token-sum-norm":
        return 1
    if max_length is None or max_length < 1:
        raise ValueError(f"{mode} needs a max_length, and got {max_length}")
    return max_length


def token_weights(mask_BT: Tensor, mode: Aggregation, *, max_length: int | None = None) -> Tensor:
    """Give the weight that `aggregate` gives to each token.

    Args:
        mask_BT: True at the tokens that count.
        mode: How the tokens are put together.
        max_length: See `aggregate`.

    Returns:
        weights_BT in float32, 0 at masked positions; values times weights add up to `aggregate`.

    Raises:
        ValueError: `aggregate` refuses.
    """  # noqa: DOC502
    ones_BT = mask_BT.float().requires_grad_()
    with torch.enable_grad():
        summed = aggregate(ones_BT, mask_BT, mode, max_length=max_length)
        (weights_BT,) = torch.autograd.grad(summed, ones_BT)
    return weights_BT


def aggregate(
    values_BT: Tensor,
    mask_BT: Tensor,
    mode: Aggregation,
    *,
    max_length: int | None = None,
    total: Tensor | int | None = None,
) -> Tensor:
    """Put the losses of tokens together to one number.

    The weight of a token of a row with n tokens, among `rows` rows that have any:

    - `token-mean` (Yu et al. 2025, DAPO, equation 8): 1 / all tokens.
    - `seq-mean-token-mean` (Shao et al. 2024, GRPO, equation 3): 1 / (rows n), so tokens of short
      answers weigh more.
    - `seq-mean-token-sum`: 1 / rows.
    - `seq-mean-token-sum-norm` (Liu et al. 2025, Dr. GRPO, section 3.2): 1 / (rows max_length).

    Rows that are masked whole are in neither numerator nor denominator. Three things are not as in
    verl: nothing at all gives 0 (verl: 0/0); `max_length` must be said (verl takes the width of the
    batch, which depends on padding); and verl's trainer, which passes its own batch size, counts
    rows that are masked whole.

    Args:
        values_BT: The tokens' losses.
        mask_BT: True at the tokens that count.
        mode: How the tokens are put together.
        max_length: The constant that `seq-mean-token-sum-norm` divides by: the longest answer that
            is allowed.
        total: The `denominator` of the whole step when this is one of its micro-batches: the
            results then add up to what the whole step gives.

    Returns:
        A scalar with a gradient (0 where nothing counts).

    Raises:
        ValueError: The mode is unknown, or it needs a `max_length` that is missing.
    """  # noqa: DOC502
    own = denominator(mask_BT, mode)
    count = own if total is None else torch.as_tensor(total)
    sums_B = _kept(values_BT, mask_BT).sum(dim=1) / _row_divisor(mask_BT, mode, max_length)
    return sums_B.sum() / count.to(sums_B).clamp(min=1)


def token_log_ratio(
    new_BT: Tensor, old_BT: Tensor, mask_BT: Tensor, limit: float = _LOG_RATIO_LIMIT
) -> Tensor:
    """Compare the log-probabilities of two policies, safe to take `exp` of.

    Args:
        new_BT: Log-probabilities of the policy that is trained.
        old_BT: Those of the policy that gave the answers.
        mask_BT: True at the tokens that count.
        limit: Largest size of a log-ratio; beyond it there is no gradient.

    Returns:
        `new - old` within `limit`, 0 at masked positions.
    """
    return (_kept(new_BT, mask_BT) - _kept(old_BT, mask_BT)).clamp(-limit, limit)


def _dual_clipped(losses_BT: Tensor, advantages_BT: Tensor, limit: float) -> Tensor:
    """Bound the loss of tokens with a negative advantage, whose ratio the first clip lets grow."""
    bounded_BT = torch.minimum(losses_BT, -advantages_BT * limit)
    return torch.where(advantages_BT < 0, bounded_BT, losses_BT)


def policy_loss(
    new_BT: Tensor,
    old_BT: Tensor,
    advantages_BT: Tensor,
    mask_BT: Tensor,
    *,
    clip_low: float = 0.2,
    clip_high: float = 0.2,
    dual_clip: float | None = 3.0,
    aggregation: Aggregation = "token-mean",
    max_length: int | None = None,
    total: Tensor | int | None = None,
) -> PolicyLoss:
    """Compute PPO's clipped objective (Schulman et al. 2017, equation 7), to be minimised.

    `-min(ratio A, clip(ratio, 1 - clip_low, 1 + clip_high) A)`; a `clip_high` above `clip_low` is
    DAPO's clip-higher (Yu et al. 2025, equation 10). Where A < 0 the loss is held below
    `-dual_clip A` (Ye et al. 2020, arXiv 1912.09729); verl's `vanilla` loss does that always, at 3.

    Args:
        new_BT: Log-probabilities of the policy that is trained.
        old_BT: Those of the policy that gave the answers.
        advantages_BT: Advantages of the tokens; (B, 1) for one of each answer.
        mask_BT: True at the tokens that count.
        clip_low: How far below 1 a ratio may fall.
        clip_high: How far above 1 it may rise.
        dual_clip: The bound for negative advantages, above 1; None for none.
        aggregation: How the tokens are put together, see `aggregate`.
        max_length: See `aggregate`.
        total: See `aggregate`.

    Returns:
        The loss and its numbers; shares and mean are over the tokens given here, whatever `total`.

    Raises:
        ValueError: The dual clip is not above 1, or `aggregate` refuses.
    """
    if dual_clip is not None and dual_clip <= 1:
        raise ValueError(f"a dual clip of {dual_clip} is not above 1")
    log_ratio_BT = token_log_ratio(new_BT, old_BT, mask_BT)
    ratio_BT = log_ratio_BT.exp()
    advantages_BT = _kept(advantages_BT, mask_BT)
    free_BT = -advantages_BT * ratio_BT
    held_BT = -advantages_BT * ratio_BT.clamp(1 - clip_low, 1 + clip_high)
    once_BT = torch.maximum(free_BT, held_BT)
    twice_BT = once_BT if dual_clip is None else _dual_clipped(once_BT, advantages_BT, dual_clip)
    return PolicyLoss(
        aggregate(twice_BT, mask_BT, aggregation, max_length=max_length, total=total),
        _share(held_BT > free_BT, mask_BT),
        _share(twice_BT < once_BT, mask_BT),
        aggregate(-log_ratio_BT.detach(), mask_BT, "token-mean"),
    )


def kl(new_BT: Tensor, ref_BT: Tensor, kind: KlKind, mask_BT: Tensor | None = None) -> Tensor:
    """Estimate the divergence from the reference at each sampled token (Schulman 2020).

    With `d = new - ref`: `kl` (`k1`) is d, `abs` its size, `mse` (`k2`) half its square, and
    `low_var_kl` (`k3`) is `exp(-d) + d - 1`, with d held within 20 and the result within 10, as in
    verl. Beyond these limits, so from d = -2.6 on, `low_var_kl` has no gradient.

    Args:
        new_BT: Log-probabilities of the policy that is trained.
        ref_BT: Those of the reference.
        kind: The estimator.
        mask_BT: True at the tokens that count, or None for all. Needed where log-probabilities
            may be infinite: a gradient could be NaN there, whatever is masked later.

    Returns:
        The estimates, 0 at masked positions.

    Raises:
        ValueError: The kind is unknown.
    """
    mask_BT = torch.ones_like(new_BT, dtype=torch.bool) if mask_BT is None else mask_BT
    difference_BT = _kept(new_BT, mask_BT) - _kept(ref_BT, mask_BT)
    if kind in ("kl", "k1"):
        return difference_BT
    if kind == "abs":
        return difference_BT.abs()
    if kind in ("mse", "k2"):
        return 0.5 * difference_BT.square()
    if kind in ("low_var_kl", "k3"):
        held_BT = (-difference_BT).clamp(-_LOG_RATIO_LIMIT, _LOG_RATIO_LIMIT)
        return (held_BT.exp() - held_BT - 1).clamp(-_LOW_VAR_KL_LIMIT, _LOW_VAR_KL_LIMIT)
    raise ValueError(f"kind {kind!r}, not one of {', '.join(get_args(KlKind))}")


def value_loss(
    values_BT: Tensor,
    old_values_BT: Tensor,
    returns_BT: Tensor,
    mask_BT: Tensor,
    *,
    clip: float | None = 0.5,
    aggregation: Aggregation = "token-mean",
    max_length: int | None = None,
    total: Tensor | int | None = None,
) -> ValueLoss:
    """Compute half the squared error of the value head, clipped as in PPO's first code.

    The worse of two errors counts: of the value, and of the value held within `clip` of the old
    one (Engstrom et al. 2020, section 3).

    Args:
        values_BT: What the value head says now.
        old_values_BT: What it said when the answers were given.
        returns_BT: What it should say, from `gae`.
        mask_BT: True at the tokens that count.
        clip: How far a value may move, or None to leave it free.
        aggregation: How the tokens are put together, see `aggregate`.
        max_length: See `aggregate`.
        total: See `aggregate`.

    Returns:
        The loss, and the share of tokens where the clipped value counted.

    Raises:
        ValueError: `aggregate` refuses.
    """  # noqa: DOC502
    values_BT, old_BT = _kept(values_BT, mask_BT), _kept(old_values_BT, mask_BT)
    returns_BT = _kept(returns_BT, mask_BT)
    free_BT = held_BT = (values_BT - returns_BT).square()
    if clip is not None:
        held_BT = (values_BT.clamp(old_BT - clip, old_BT + clip) - returns_BT).square()
    worse_BT = torch.maximum(free_BT, held_BT)
    loss = 0.5 * aggregate(worse_BT, mask_BT, aggregation, max_length=max_length, total=total)
    return ValueLoss(loss, _share(held_BT > free_BT, mask_BT))


def masked_whiten(values_BT: Tensor, mask_BT: Tensor, epsilon: float = 1e-8) -> Tensor:
    """Bring the valid values to mean 0 and (unbiased) variance 1.

    Args:
        values_BT: Any values.
        mask_BT: True at the valid ones.
        epsilon: Added to the variance.

    Returns:
        The whitened values, 0 at masked positions. A single valid value gives 0, where verl raises.
    """
    values_BT, count = _kept(values_BT, mask_BT), mask_BT.bool().sum()
    centred_BT = _kept(values_BT - values_BT.sum() / count.clamp(min=1), mask_BT)
    variance = centred_BT.square().sum() / (count - 1).clamp(min=1)
    return centred_BT * torch.rsqrt(variance + epsilon)


def entropy_from_logits(logits_BTV: Tensor) -> Tensor:
    """Compute the entropy of next-token distributions, in nats: `-sum p log p`.

    Args:
        logits_BTV: Logits; -inf for tokens that cannot come. A float32 copy is made, so give a
            chunk of positions at a time where memory matters.

    Returns:
        entropy_BT, in float32 (in float64 when the logits are).
    """
    log_p_BTV = at_least_float32(logits_BTV).log_softmax(dim=-1)
    p_BTV = log_p_BTV.exp()
    return -(p_BTV * log_p_BTV.masked_fill(p_BTV == 0, 0)).sum(dim=-1)
