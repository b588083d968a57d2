"""Scores of answers, whoever asks for them: what fails, and which rows are of no use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sk2d.rewards.candidates import Candidate, Reward, Score, Verdict
from sk2d.rewards.guards import without_line_markers

TOO_MANY_FAILURES: Final = 0.05
"""Share of the answers of a step that may fail to be judged."""

_TOLERANCE: Final = 1e-3
"""Of a cosine that should be 1."""


def scored(reward: Reward, candidates: Sequence[Candidate]) -> list[Score]:
    """Judge candidates; an exception costs the candidate that caused it, and not the run.

    Args:
        reward: The reward.
        candidates: Answers.

    Returns:
        One score per answer, in order; `cannot_judge` with the exception's text where one came.
    """
    try:
        scores = reward(candidates)
    except Exception as error:  # whatever a reward of somebody's own may raise
        if len(candidates) == 1:
            message = f"{type(error).__name__}: {error}"
            return [Score(None, Verdict.CANNOT_JUDGE, message=message)]
        return [score for one in candidates for score in scored(reward, [one])]
    assert len(scores) == len(candidates), "one score per candidate"
    return scores


def failure_share(scores: Sequence[Score]) -> float:
    """Give the share of answers that could not be judged.

    Args:
        scores: Scores of a step.

    Returns:
        A share; above `TOO_MANY_FAILURES` a run should stop.
    """
    failed = sum(score.score is None for score in scores)
    return failed / len(scores) if scores else 0.0


def shortfall(reward: Reward, references: Sequence[Candidate]) -> list[str | None]:
    """Tell for which rows a reward is of no use, since their own reference falls short of it.

    Args:
        reward: The reward.
        references: The rows, each with its reference as the answer.

    Returns:
        For each row the reason, or None where the reference gets the most that there is.
    """
    answers = [replace(each, text=without_line_markers(each.text)) for each in references]
    scores = reward(answers)
    return [
        _reason(score, reward.maximum(each)) for each, score in zip(answers, scores, strict=True)
    ]


def _reason(score: Score, maximum: float) -> str | None:
    if score.score is not None and score.score >= maximum - _TOLERANCE:
        return None
    got = "cannot be judged" if score.score is None else f"gets {score.score:.3f} of {maximum:.3f}"
    return f"its reference {got}: {score.verdict}" + (
        f" ({score.message})" if score.message else ""
    )
