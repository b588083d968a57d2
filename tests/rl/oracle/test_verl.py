"""The mathematics of sk2d.rl against verl's, on random tensors: `make verl-oracle`.

Left out are the places where the two differ on purpose: verl gives rounding noise (divided by
1e-6) for a group of equal rewards that floats cannot hold exactly, and leaves values at masked
positions.
"""

from __future__ import annotations

import importlib
import importlib.util

import pytest
import torch

from sk2d.rl.advantages import gae, group_advantages
from sk2d.rl.objectives import (
    aggregate,
    denominator,
    entropy_from_logits,
    kl,
    masked_whiten,
    policy_loss,
    value_loss,
)

if importlib.util.find_spec("verl") is None:
    pytest.skip("verl is not here: make verl-oracle compares with it", allow_module_level=True)

verl = importlib.import_module("verl.trainer.ppo.core_algos")
verl_tensors = importlib.import_module("verl.utils.torch_functional")
configs = importlib.import_module("verl.workers.config")

MODES = ["token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"]
ROWS, WIDTH, LONGEST = 12, 17, 32

seeds = pytest.mark.parametrize("seed", range(4))
dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
modes = pytest.mark.parametrize("mode", MODES)


class Draws:
    """Random tensors of one seed and dtype."""

    def __init__(self, seed, dtype):
        self.generator, self.dtype = torch.Generator().manual_seed(seed), dtype

    def normal(self, *shape):
        return torch.randn(*shape or (ROWS, WIDTH), generator=self.generator, dtype=self.dtype)

    def whole(self, below, *shape):
        return torch.randint(0, below, shape, generator=self.generator)

    def leaf(self):
        return self.normal().requires_grad_()

    def mask(self):
        """Answers of all lengths with holes; two rows are masked whole."""
        mask = torch.arange(WIDTH)[None] < self.whole(WIDTH, ROWS, 1) + 1
        mask &= self.normal() > -1
        mask[:, 0] = True
        mask[self.whole(ROWS // 2, 1)] = False
        mask[ROWS // 2 + self.whole(ROWS // 2, 1)] = False
        return mask.to(self.dtype)


def same(ours, theirs):
    if not isinstance(theirs, torch.Tensor):
        theirs = torch.tensor(theirs, dtype=ours.dtype)
    torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=1e-6)


def same_gradients(leaf, ours, theirs):
    """Compare two losses and their gradients with respect to one leaf."""
    same(ours.detach(), theirs.detach())
    same(*(torch.autograd.grad(loss, leaf)[0] for loss in (ours, theirs)))


def denominators(mask, mode):
    """Give verl the counts that are the step's own."""
    count = int(denominator(mask, mode))
    sizes = {"batch_num_tokens": count} if mode == "token-mean" else {"global_batch_size": count}
    return sizes | {"loss_scale_factor": LONGEST}


@seeds
@dtypes
@pytest.mark.parametrize("groups", [1, 3, 8, 60])
@pytest.mark.parametrize(
    ("variant", "function", "options"),
    [
        ("grpo", "compute_grpo_outcome_advantage", {}),
        ("dapo", "compute_grpo_outcome_advantage", {}),
        ("dr_grpo", "compute_grpo_outcome_advantage", {"norm_adv_by_std_in_grpo": False}),
        ("rloo", "compute_rloo_outcome_advantage", {}),
    ],
)
def test_group_advantages(seed, dtype, groups, variant, function, options):
    """Groups of all sizes from one on, and one of equal rewards that floats hold exactly."""
    draws = Draws(seed, dtype)
    rewards, ids = draws.normal(48), draws.whole(groups, 48)
    rewards[:6], ids[:6] = 0.5, groups
    mask = torch.ones(48, 2, dtype=dtype)
    tokens = torch.stack([torch.zeros_like(rewards), rewards], dim=1)
    theirs, _ = getattr(verl, function)(tokens, mask, ids.numpy(), **options)
    same(group_advantages(rewards, ids, variant=variant), theirs[:, 0])


@seeds
@dtypes
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (1.0, 0.95), (0.9, 0.0), (0.5, 0.7)])
def test_gae(seed, dtype, gamma, lam):
    draws = Draws(seed, dtype)
    rewards, values, mask = draws.normal(), draws.normal(), draws.mask()
    theirs = verl.compute_gae_advantage_return(rewards, values, mask, gamma, lam)
    for our, their in zip(gae(rewards, values, mask, gamma=gamma, lam=lam), theirs, strict=True):
        same(our, their * mask)


@seeds
@dtypes
@pytest.mark.parametrize("kind", ["kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3"])
def test_kl(seed, dtype, kind):
    """Wide enough that the limits of low_var_kl are met."""
    draws = Draws(seed, dtype)
    new, ref = draws.leaf(), 4 * draws.normal()
    ours, theirs = kl(new, ref, kind), verl.kl_penalty(new, ref, kind)
    same(ours.detach(), theirs.detach())
    same_gradients(new, ours.mean(), theirs.mean())


@seeds
@dtypes
@modes
@pytest.mark.parametrize(("low", "high"), [(0.2, 0.2), (0.2, 0.28), (0.1, 0.5)])
@pytest.mark.parametrize("dual", [3.0, 1.5])
def test_policy_loss(seed, dtype, mode, low, high, dual):
    """Ratios that meet all three clips and the limit of 20 on their logarithm."""
    draws = Draws(seed, dtype)
    new, old, advantages, mask = draws.leaf(), draws.normal(), draws.normal(), draws.mask()
    advantages[:, ::5] = 0
    old[::4, 1:3] += 40 * advantages[::4, 1:3].sign()
    config = actor(low, high, dual, {"loss_scale_factor": LONGEST})
    theirs, numbers = verl.get_policy_loss_fn("vanilla")(
        old, new, advantages, mask, loss_agg_mode=mode, config=config
    )
    ours = policy_loss(
        *(new, old, advantages, mask),
        clip_low=low,
        clip_high=high,
        dual_clip=dual,
        aggregation=mode,
        max_length=LONGEST,
    )
    same_gradients(new, ours.loss, theirs)
    assert float(ours.clipped) > 0
    assert float(ours.clipped_low) > 0
    same(ours.clipped, numbers["actor/pg_clipfrac"])
    same(ours.clipped_low, numbers["actor/pg_clipfrac_lower"])
    same(ours.approx_kl, numbers["actor/ppo_kl"])


def actor(low, high, dual, info):
    """Give verl's config of an actor, of which its loss reads the clips and the denominators."""
    config = configs.ActorConfig(
        strategy="fsdp",
        rollout_n=1,
        ppo_micro_batch_size_per_gpu=1,
        optim=configs.OptimizerConfig(lr=1e-6),
        clip_ratio_low=low,
        clip_ratio_high=high,
        clip_ratio_c=dual,
    )
    config.global_batch_info.update(info)
    return config


@seeds
@dtypes
@modes
def test_aggregation_of_a_batch_and_of_its_parts(seed, dtype, mode):
    """Two rows are masked whole, which verl leaves out, too, as long as it counts by itself."""
    draws = Draws(seed, dtype)
    values, mask = draws.leaf(), draws.mask()
    whole = verl.agg_loss(values, mask, mode, loss_scale_factor=LONGEST)
    same_gradients(values, aggregate(values, mask, mode, max_length=LONGEST), whole)
    total, counts = denominator(mask, mode), denominators(mask, mode)
    for part, part_mask in zip(values.split(5), mask.split(5), strict=True):
        ours = aggregate(part, part_mask, mode, max_length=LONGEST, total=total)
        same_gradients(values, ours, verl.agg_loss(part, part_mask, mode, **counts))


@seeds
@dtypes
@modes
@pytest.mark.parametrize("clip", [0.5, 0.1])
def test_value_loss(seed, dtype, mode, clip):
    draws = Draws(seed, dtype)
    values, old, returns, mask = draws.leaf(), draws.normal(), draws.normal(), draws.mask()
    theirs, share = verl.compute_value_loss(
        values, returns, old, mask, clip, mode, loss_scale_factor=LONGEST
    )
    ours = value_loss(values, old, returns, mask, clip=clip, aggregation=mode, max_length=LONGEST)
    same_gradients(values, ours.loss, theirs)
    assert float(ours.clipped) > 0
    same(ours.clipped, float(share))


@seeds
@dtypes
def test_whitening_and_entropy(seed, dtype):
    draws = Draws(seed, dtype)
    values, mask = 3 + 2 * draws.normal(), draws.mask()
    same(masked_whiten(values, mask), verl_tensors.masked_whiten(values, mask) * mask)
    # In float32 verl's own formula loses more than 1e-6 on wider logits.
    logits = draws.normal(3, 5, 40).requires_grad_()
    ours, theirs = entropy_from_logits(logits), verl_tensors.entropy_from_logits(logits)
    same(ours.detach(), theirs.detach())
    same_gradients(logits, ours.sum(), theirs.sum())
