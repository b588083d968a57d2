"""Group-relative policy optimisation: answers are compared with the others to their prompt.

Shape letters: B answers of a step, T tokens of the longest.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from sk2d.rl.advantages import Variant, group_advantages, zero_variance_groups
from sk2d.rl.objectives import Aggregation
from sk2d.rl.passes import Tables
from sk2d.rl.policy import PolicyModule
from sk2d.rl.settings import AGGREGATIONS, CLIP_HIGH
from sk2d.rl.step import Step


class GrpoModule(PolicyModule):
    """GRPO and its kin.

    Args:
        variant: grpo (Shao et al. 2024), dr_grpo (Liu et al. 2025), dapo (Yu et al. 2025, without
            its dynamic sampling) or rloo (Ahmadian et al. 2024).
        **kwargs: As for `PolicyModule`.
    """

    def __init__(self, *, variant: Variant = "grpo", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.variant: Variant = variant
        self.keep_settings()

    def fixed_facts(self) -> dict[str, Any]:
        """List the settings that a resumed run must share."""
        return super().fixed_facts() | {"model.variant": self.variant}

    @property
    def clip_high(self) -> float:
        """How far above 1 a ratio may rise."""
        given = self.update.clip_high
        return CLIP_HIGH[self.variant] if given is None else given

    @property
    def aggregation(self) -> Aggregation:
        """How tokens are put together."""
        return self.update.aggregation or AGGREGATIONS[self.variant]

    def advantages(self, step: Step, tables: Tables) -> Tensor:
        """Compare each answer's reward with those of the other answers to its prompt.

        Args:
            step: The answers.
            tables: Not used.

        Returns:
            advantages_B1.
        """
        return group_advantages(
            step.rewards_B, step.groups_B, variant=self.variant, valid_N=step.judged_B
        )[:, None]

    def learned_from(self, step: Step) -> Tensor:
        """Tell which answers have a gradient: those whose group differs, or that KL draws back.

        Args:
            step: The answers.

        Returns:
            A bool for each answer.
        """
        counted_B = super().learned_from(step)
        if self.update.kl > 0 and self.update.kl_on_flat_groups:
            return counted_B
        return counted_B & ~zero_variance_groups(step.rewards_B, step.groups_B, step.judged_B)


class SkeletonGrpo(GrpoModule):
    """Phase 1 by GRPO, with the structure reward (arXiv 2509.22114)."""

    phase = "skeleton"
    default_prompt = "skeleton"


class SkinGrpo(GrpoModule):
    """Phase 2 by GRPO, with the naming reward (arXiv 2509.22114)."""

    phase = "skin"
    default_prompt = "skin"
