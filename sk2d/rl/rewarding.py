"""Which reward a phase and a mode mean."""

from __future__ import annotations

from typing import Final, Literal

from sk2d.errors import ConfigError
from sk2d.rewards.candidates import Reward
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
