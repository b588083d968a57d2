"""The figures of a step: reward and its parts, what the policy does, and where the time went."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sk2d.models.answers import Answer
from sk2d.phases.step_meter import StepRow
from sk2d.rewards.candidates import Score
from sk2d.rl.advantages import zero_variance_groups
from sk2d.rl.objective import Sums
from sk2d.rl.rewarding import PARTS
from sk2d.rl.rollouts import Collected
from sk2d.rl.scoring import failure_share
from sk2d.rl.step import Step


@dataclass(frozen=True, kw_only=True)
class RolloutRow(StepRow):
    """Figures of one step; `supervised` counts the tokens that the loss is over.

    Args:
        reward: Mean score of the answers that could be judged.
        reward_std: Standard deviation of those scores.
        answers: Answers of the step.
        length: Mean tokens of an answer, its end token among them.
        truncated: Share of the answers that were cut off (TRL's `clipped_ratio`).
        failed: Share of the answers that could not be judged.
        flat_groups: Share of the prompts whose answers all got the same score, so that nothing can
            be learned from them (TRL's `frac_reward_zero_std`).
        learned: Tokens of the answers that the update ran.
        kl: Mean divergence from the reference at those, in nats.
        entropy: Mean entropy of the policy at those, in nats.
        clipped: Share of those whose ratio the clip held.
        value_loss: Loss of the value head (PPO).
        rollout_s: Seconds in which answers were drawn.
        reward_s: Seconds in which answers were judged, mostly at the same time.
        wait_s: Seconds of waiting for scores.
        update_s: Seconds of the update.
    """

    reward: float
    reward_std: float
    answers: int
    length: float
    truncated: float
    failed: float
    flat_groups: float
    learned: int
    kl: float
    entropy: float
    clipped: float
    value_loss: float
    rollout_s: float
    reward_s: float
    wait_s: float
    update_s: float


@functools.cache
def row_class(phase: str) -> type[RolloutRow]:
    """Give the class of a phase's rows: `RolloutRow` with the parts of the phase's reward.

    Args:
        phase: skeleton or skin.

    Returns:
        A dataclass.
    """
    fields = [(name, float) for name in PARTS[phase]]
    made = dataclasses.make_dataclass(
        "RolloutRow", fields, bases=(RolloutRow,), frozen=True, kw_only=True
    )
    assert issubclass(made, RolloutRow), "it is built on it"
    return made


def mean_parts(phase: str, scores: Sequence[Score]) -> dict[str, float]:
    """Average the rewards and their parts; an answer without a part has 0 of it.

    Args:
        phase: skeleton or skin.
        scores: Scores of answers that could be judged.

    Returns:
        `reward`, and the phase's parts by name.
    """
    count = max(1, len(scores))
    found = {"reward": sum(score.score or 0.0 for score in scores) / count}
    for name in PARTS[phase]:
        found[name] = sum(score.parts.get(name, 0.0) for score in scores) / count
    return found


class Mean(NamedTuple):
    """A mean and what it counts for.

    Attributes:
        value: The mean.
        weight: Answers that it is over.
    """

    value: float
    weight: int


def validation_means(
    phase: str, answers: Sequence[Answer], scores: Sequence[Score]
) -> dict[str, Mean]:
    """Average what a validation measures.

    Args:
        phase: skeleton or skin.
        answers: Answers.
        scores: Their scores; those that could not be judged are left out.

    Returns:
        `reward` and its parts, `tokens` of an answer, share that was `truncated`.
    """
    judged = [score for score in scores if score.score is not None]
    found = {name: Mean(value, len(judged)) for name, value in mean_parts(phase, judged).items()}
    count = len(answers)
    tokens = sum(len(answer.tokens) for answer in answers) / count
    truncated = sum(not answer.finished for answer in answers) / count
    return found | {"tokens": Mean(tokens, count), "truncated": Mean(truncated, count)}


def figures_of(
    phase: str, collected: Collected, step: Step, sums: Sums, update_s: float
) -> dict[str, float | int]:
    """Collect the figures of a step.

    Args:
        phase: skeleton or skin.
        collected: Its answers.
        step: The same as tensors.
        sums: What the update noted.
        update_s: Seconds that it took.

    Returns:
        Fields of `row_class(phase)` beyond those of `StepRow`.
    """
    scores = [rollout.score for rollout in collected.rollouts]
    judged = [score for score in scores if score.score is not None]
    flat_B = zero_variance_groups(step.rewards_B, step.groups_B, step.judged_B)
    flat = len(set(step.groups_B[flat_B].tolist()))
    return {
        **mean_parts(phase, judged),
        "reward_std": float(step.rewards_B[step.judged_B].std()) if len(judged) > 1 else 0.0,
        "answers": len(scores),
        "length": float(step.lengths_B.float().mean()),
        "truncated": float((~step.finished_B).float().mean()),
        "failed": failure_share(scores),
        "flat_groups": flat / len(step.prompts),
        "learned": sums.tokens,
        "kl": sums.per_token(sums.kl),
        "entropy": sums.per_token(sums.entropy),
        "clipped": sums.per_token(sums.clipped),
        "value_loss": sums.value_loss,
        "rollout_s": collected.rollout_s,
        "reward_s": collected.reward_s,
        "wait_s": collected.wait_s,
        "update_s": update_s,
    }
