"""The answers of one step as tensors: rewards, groups, and which tokens the loss is over.

Shape letters: B answers of the step, T tokens of the longest, N tokens of a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import torch
from torch import Tensor

from sk2d.rl.answer_tokens import AnsweredPrompt, AnswerTokens
from sk2d.rl.rollouts import Rollout


@dataclass(frozen=True)
class Step:
    """The answers of one step.

    Args:
        prompts: Each prompt with all its answers.
        rewards_B: Score of each answer; 0 where it could not be judged.
        groups_B: Number of each answer's prompt.
        judged_B: Which answers could be judged.
        finished_B: Which answers came to their end.
        tokens_BT: True at the tokens of an answer.
        counted_BT: True at those of them that the loss is over.
    """

    prompts: list[AnsweredPrompt]
    rewards_B: Tensor
    groups_B: Tensor
    judged_B: Tensor
    finished_B: Tensor
    tokens_BT: Tensor
    counted_BT: Tensor

    @property
    def lengths_B(self) -> Tensor:
        """Tokens of each answer."""
        return self.tokens_BT.sum(dim=1)

    def only(self, wanted_B: Tensor) -> list[AnsweredPrompt]:
        """Leave answers out.

        Args:
            wanted_B: True at the answers that stay.

        Returns:
            The prompts that have any, with those.
        """
        wanted = wanted_B.tolist()
        kept = [_only(prompt, wanted) for prompt in self.prompts]
        return [prompt for prompt in kept if prompt.answers]


def _only(prompt: AnsweredPrompt, wanted: Sequence[bool]) -> AnsweredPrompt:
    pairs = [(a, r) for a, r in zip(prompt.answers, prompt.rows, strict=True) if wanted[r]]
    return AnsweredPrompt(prompt.prompt, [a for a, _ in pairs], [r for _, r in pairs])


def step_of(
    rollouts: Sequence[Rollout], prompt_ids: Sequence[Sequence[int]], *, mask_truncated: bool
) -> Step:
    """Make the tensors of a step.

    Answers that could not be judged leave the loss; so do those that were cut off, where that is
    asked for, with all their tokens.

    Args:
        rollouts: The answers, those of a prompt together.
        prompt_ids: Token ids of each prompt.
        mask_truncated: Whether answers that were cut off leave the loss.

    Returns:
        The step, on the CPU.
    """
    lengths = torch.tensor([len(rollout.answer.tokens) for rollout in rollouts])
    scores = [rollout.score.score or 0.0 for rollout in rollouts]
    tokens_BT = torch.arange(int(lengths.max())) < lengths[:, None]
    finished_B = torch.tensor([rollout.answer.finished for rollout in rollouts])
    judged_B = torch.tensor([rollout.score.score is not None for rollout in rollouts])
    counts_B = judged_B & (finished_B | (not mask_truncated))
    return Step(
        prompts=_prompts(rollouts, prompt_ids),
        rewards_B=torch.tensor(scores, dtype=torch.float32),
        groups_B=torch.tensor([rollout.group for rollout in rollouts]),
        judged_B=judged_B,
        finished_B=finished_B,
        tokens_BT=tokens_BT,
        counted_BT=tokens_BT & counts_B[:, None],
    )


def _prompts(
    rollouts: Sequence[Rollout], prompt_ids: Sequence[Sequence[int]]
) -> list[AnsweredPrompt]:
    numbered = groupby(enumerate(rollouts), key=lambda pair: pair[1].group)
    groups = [(group, list(members)) for group, members in numbered]
    return [
        AnsweredPrompt(
            prompt_ids[group],
            [rollout.answer.tokens for _, rollout in members],
            [row for row, _ in members],
        )
        for group, members in groups
    ]


def table(shape: torch.Size, tokens: AnswerTokens, values_N: Tensor) -> Tensor:
    """Put values of tokens at their places among the answers of the step.

    Args:
        shape: (B, T) of the step.
        tokens: The pass that the values are of.
        values_N: One value per token.

    Returns:
        values_BT on the CPU, 0 elsewhere.
    """
    values_BT = torch.zeros(shape, dtype=torch.float32)
    values_BT[tokens.rows_N.cpu(), tokens.columns_N.cpu()] = values_N.float().cpu()
    return values_BT


def taken(values_BT: Tensor, tokens: AnswerTokens) -> Tensor:
    """Take the values of a pass's tokens out of a table.

    Args:
        values_BT: Values of the step, (B, 1) for one of each answer.
        tokens: The pass.

    Returns:
        values_N, on the pass's device.
    """
    rows_N, columns_N = tokens.rows_N.cpu(), tokens.columns_N.cpu()
    if values_BT.shape[1] == 1:
        columns_N = torch.zeros_like(columns_N)
    return values_BT[rows_N, columns_N].to(tokens.targets_N.device)
