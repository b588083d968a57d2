"""The control: a policy that is paid at random, whatever it answers."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from dataclasses import replace

from sk2d.corpus.rl_rows import RlRow
from sk2d.rewards.candidates import Candidate, Reward, Score
from sk2d.rl.grpo import SkeletonGrpo
from sk2d.rl.rewarding import build_reward
from sk2d.rl.rollouts import candidate_of
from sk2d.rl.scoring import shortfall


class RandomReward:
    """Scores that are drawn; verdicts and parts are those of the reward that it stands for.

    Args:
        judge: That reward.
        seed: Seed of the draws.
    """

    def __init__(self, judge: Reward, seed: int) -> None:
        self.judge = judge
        self.random = random.Random(seed)

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        """Judge answers at random.

        Args:
            candidates: Answers.

        Returns:
            A score between 0 and the most that there is for each.
        """
        pairs = zip(candidates, self.judge(candidates), strict=True)
        return [
            replace(score, score=self.random.random() * self.judge.maximum(each))
            for each, score in pairs
        ]

    def maximum(self, candidate: Candidate) -> float:
        """Give the most that an answer can get.

        Args:
            candidate: The row.

        Returns:
            As the reward that it stands for.
        """
        return self.judge.maximum(candidate)


class RandomGrpo(SkeletonGrpo):
    """Phase 1 by GRPO with a reward that says nothing."""

    @functools.cached_property
    def judge(self) -> RandomReward:
        """The random reward."""
        return RandomReward(build_reward("skeleton"), self.data.seed)

    def unfit(self, rows: Sequence[RlRow]) -> list[str | None]:
        """Leave out the same rows as the reward that it stands for.

        Args:
            rows: Rows.

        Returns:
            For each row the reason, or None.
        """
        return shortfall(self.judge.judge, [candidate_of(row, row.reference) for row in rows])
