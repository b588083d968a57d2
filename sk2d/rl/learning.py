"""The update of a step: what was said of its tokens before, the loss of each pass, the optimiser.

Shape letters: B answers of a step, T tokens of the longest, N tokens of a pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from sk2d.phases.half_precision import counted
from sk2d.rl.answer_tokens import AnswerTokens, hidden_states
from sk2d.rl.objective import Sums, TokenObjective
from sk2d.rl.objectives import token_weights
from sk2d.rl.passes import Tables, reference_of
from sk2d.rl.step import Step, taken
from sk2d.rl.token_scores import scored_loss

if TYPE_CHECKING:
    from sk2d.rl.policy import PolicyModule


def tables_of(module: PolicyModule, step: Step) -> Tables:
    """Ask policy, reference and value head about the answers, where that is needed.

    A single update needs no earlier log-probabilities: the policy is still the one that answered.

    Args:
        module: The policy.
        step: The answers.

    Returns:
        What they say of the tokens.
    """
    shape, head = step.tokens_BT.shape, module.value_head
    prompts = step.only(module.learned_from(step))
    old_BT = ref_BT = values_BT = None
    if module.update.updates > 1 or head is not None:
        old_BT, values_BT = module.passes.log_p(shape, prompts, head)
    if module.update.kl > 0:
        with reference_of(module.loaded, module.reference):
            passes = dataclasses.replace(module.passes, model=module.reference or module.loaded)
            ref_BT, _ = passes.log_p(shape, prompts)
    return Tables(old_BT, ref_BT, values_BT)


class _Known(NamedTuple):
    """All that an update knows of the tokens of a step."""

    advantages_BT: Tensor
    weights_BT: Tensor
    tables: Tables


def learn(module: PolicyModule, step: Step, tables: Tables, advantages_BT: Tensor) -> Sums:
    """Update a policy, as often as it is set to.

    Args:
        module: The policy, in its `training_step`.
        step: The answers.
        tables: What was said of their tokens.
        advantages_BT: How much better than expected they were; (B, 1) for one of each answer.

    Returns:
        What is logged.
    """
    sums = Sums()
    parts = list(_minibatches(module, step))
    for number, mine_B in enumerate(parts):
        counted_BT = step.counted_BT & mine_B[:, None]
        weights_BT = token_weights(counted_BT, module.aggregation, max_length=module.max_new_tokens)
        known = _Known(advantages_BT, weights_BT, tables)
        moves = _add_gradients(module, step, mine_B, known, sums)
        _step_optimizer(module, moves=moves, counts=number == len(parts) - 1)
    return sums


def _minibatches(module: PolicyModule, step: Step) -> Iterator[Tensor]:
    """Share the prompts out among the updates of each pass, in an order that the step decides."""
    generator = torch.Generator().manual_seed(module.step_seed() + 1)
    for _ in range(module.update.epochs):
        order = torch.randperm(len(step.prompts), generator=generator)
        for part in order.chunk(module.update.minibatches):
            yield torch.isin(step.groups_B, part)


def _add_gradients(
    module: PolicyModule, step: Step, mine_B: Tensor, known: _Known, sums: Sums
) -> bool:
    """Run some of the answers forward and backward; tells whether there were any to learn from."""
    optimizer: Any = module.optimizers()
    optimizer.zero_grad()
    prompts = step.only(mine_B & module.learned_from(step))
    for tokens in module.passes.over(prompts):
        objective = _objective(module, tokens, known, sums)
        module.manual_backward(_loss(module, tokens, objective, known.tables))
    return bool(prompts)


def _objective(
    module: PolicyModule, tokens: AnswerTokens, known: _Known, sums: Sums
) -> TokenObjective:
    tables = known.tables
    return TokenObjective(
        settings=module.update,
        clip_high=module.clip_high,
        advantages_N=taken(known.advantages_BT, tokens),
        weights_N=taken(known.weights_BT, tokens),
        old_N=None if tables.old_BT is None else taken(tables.old_BT, tokens),
        ref_N=None if tables.ref_BT is None else taken(tables.ref_BT, tokens),
        sums=sums,
    )


def _loss(
    module: PolicyModule, tokens: AnswerTokens, objective: TokenObjective, tables: Tables
) -> Tensor:
    """Give the loss of a pass, and note what is logged of it."""
    hidden_NH = hidden_states(module.loaded, tokens)
    loss, scores = scored_loss(
        module.loaded,
        hidden_NH,
        tokens.targets_N,
        objective,
        temperature=module.rollouts.temperature,
        chunk=module.loss_chunk,
    )
    sums = objective.sums
    sums.loss += float(loss.detach())
    sums.tokens += len(tokens.targets_N)
    sums.entropy += float(scores.entropy_N.sum())
    return loss + module.value_part(hidden_NH, tokens, objective, tables)


def _step_optimizer(module: PolicyModule, *, moves: bool, counts: bool) -> None:
    """Step optimiser and schedule; the trainer counts the last update of a step alone."""
    optimizer: Any = module.optimizers()
    if moves:
        with counted(module, module.skips):
            if counts:
                optimizer.step()
            else:
                module.trainer.strategy.optimizer_step(optimizer.optimizer, _nothing)
    elif counts:  # a step from which nothing is learned counts, but it moves no schedule
        optimizer._on_before_step()
        optimizer._on_after_step()
    # Autocast would go on with its casts of the weights as they were before.
    torch.clear_autocast_cache()
    if counts and moves and not module.skips.last:
        scheduler: Any = module.lr_schedulers()
        scheduler.step()


def _nothing() -> None:
    """The closure of an update whose gradients are there already."""
