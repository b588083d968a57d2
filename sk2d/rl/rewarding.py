"""Which reward a phase and a mode mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from sk2d.errors import ConfigError
from sk2d.rewards.candidates import Candidate, Reward, Score
from sk2d.rewards.guards import without_line_markers
from sk2d.rewards.naming import NamingReward
from sk2d.rewards.structure import StructureReward, Weights

RewardMode = Literal["paper", "upstream", "strict", "lexical"]
RewardPhase = Literal["skeleton", "skin"]
DEFAULT_EMBEDDER: Final = "minilm"
PARTS: Final = {
    "skeleton": ("compiles", "placeholders", "used", "warnings", "tests"),
    "skin": ("refused", "cosine", "names", "structure", "named"),
}
"""The parts of a phase's reward; a mode leaves out those that it does not need."""

_TOLERANCE: Final = 1e-3
"""Of a cosine that should be 1."""


def build_reward(
    phase: RewardPhase,
    mode: RewardMode = "strict",
    embedder: str = DEFAULT_EMBEDDER,
    weights: Weights = Weights(),  # noqa: B008  (frozen dataclass)
    workers: int | None = None,
) -> Reward:
    """Build the reward of a phase.

    Args:
        phase: skeleton (structure) or skin (names).
        mode: How strictly; lexical is for the Skin only.
        embedder: For the Skin: minilm, a model folder, or the address of an endpoint.
        weights: For the Skeleton: what the parts are worth.
        workers: For the Skeleton: compilers side by side; None for one per core.

    Returns:
        The reward.

    Raises:
        ConfigError: The Skeleton has no such mode.
    """
    if phase == "skin":
        if mode == "lexical":
            return NamingReward(mode, None)
        from sk2d.models.embedding import load_embedder  # torch: only where names are embedded

        return NamingReward(mode, load_embedder(embedder))
    if mode == "lexical":
        raise ConfigError(
            "it rewards names, and the Skeleton gives none",
            where="mode lexical",
            remedy="Choose paper, upstream or strict, or reward the Skin",
        )
    return StructureReward(mode, weights, workers)


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
