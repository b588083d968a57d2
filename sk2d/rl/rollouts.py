"""Answers to the prompts of a step, judged while further ones are drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from sk2d.corpus.rl_rows import RlRow
from sk2d.models.answers import Answer
from sk2d.rewards.candidates import Candidate, Reward, Score
from sk2d.rl.scoring import scored

Sampler = Callable[[Sequence[str], int], list[list[Answer]]]
"""From prompts and a seed to each prompt's answers."""


@dataclass(frozen=True)
class Rollout:
    """One answer and its score.

    Args:
        group: Number of its prompt within the step.
        row: What was asked.
        answer: What was answered.
        score: What it is worth.
    """

    group: int
    row: RlRow
    answer: Answer
    score: Score


class Collected(NamedTuple):
    """The answers of a step, in the order of its prompts, and where the time went.

    Attributes:
        rollouts: The answers, those of a prompt together.
        rollout_s: Seconds in which answers were drawn.
        reward_s: Seconds in which answers were judged, mostly at the same time.
        wait_s: Seconds in which nothing was left to do but to wait for scores.
    """

    rollouts: list[Rollout]
    rollout_s: float
    reward_s: float
    wait_s: float


def prompts_at_once(prompts: int, *, on_gpu: bool) -> int:
    """Give how many prompts are answered together where nothing is set.

    Args:
        prompts: Prompts of a step.
        on_gpu: Whether the model is on a GPU.

    Returns:
        One on a GPU, whose memory the caches of more might fill; on a CPU half of a step, so that
        one half is judged while the other is answered.
    """
    return 1 if on_gpu else -(-prompts // 2)


def candidate_of(row: RlRow, text: str) -> Candidate:
    """Put an answer together with its row.

    Args:
        row: The row.
        text: The answer.

    Returns:
        What a reward judges.
    """
    return Candidate(
        text=text,
        reference=row.reference,
        header=row.header,
        func_name=row.func_name,
        ir=row.ir,
        test=row.test,
        deps=row.deps,
    )


class _Judged(NamedTuple):
    scores: list[Score]
    seconds: float


def _judge(reward: Reward, candidates: Sequence[Candidate]) -> _Judged:
    started = time.perf_counter()
    return _Judged(scored(reward, candidates), time.perf_counter() - started)


def collect(
    rows: Sequence[RlRow],
    prompts: Sequence[str],
    sample: Sampler,
    reward: Reward,
    *,
    at_once: int,
    seed: int,
) -> Collected:
    """Answer prompts some at a time; while they are answered, the ones before are judged.

    Args:
        rows: The rows of a step.
        prompts: Their rendered prompts.
        sample: Draws the answers.
        reward: Judges them, in a thread of its own.
        at_once: Prompts that are answered together.
        seed: Seed of the step.

    Returns:
        All answers in order.
    """
    started = time.perf_counter()
    drawn: list[list[Answer]] = []
    with ThreadPoolExecutor(max_workers=1) as pool:
        pending: list[Future[_Judged]] = []
        for first in range(0, len(prompts), at_once):
            part = slice(first, first + at_once)
            answers = sample(prompts[part], seed + first)
            drawn += answers
            candidates = list(_candidates(rows[part], answers))
            pending.append(pool.submit(_judge, reward, candidates))
        rollout_s = time.perf_counter() - started
        judged = [future.result() for future in pending]
    scores = [score for part_judged in judged for score in part_judged.scores]
    return Collected(
        list(_rollouts(rows, drawn, scores)),
        rollout_s,
        sum(part_judged.seconds for part_judged in judged),
        time.perf_counter() - started - rollout_s,
    )


def _candidates(rows: Sequence[RlRow], drawn: Sequence[Sequence[Answer]]) -> Iterator[Candidate]:
    for row, answers in zip(rows, drawn, strict=True):
        for answer in answers:
            yield candidate_of(row, answer.text)


def _rollouts(
    rows: Sequence[RlRow], drawn: Sequence[Sequence[Answer]], scores: Sequence[Score]
) -> Iterator[Rollout]:
    each = iter(scores)
    for group, (row, answers) in enumerate(zip(rows, drawn, strict=True)):
        for answer in answers:
            yield Rollout(group, row, answer, next(each))
