"""Proximal policy optimisation: a value head says what to expect before each token.

Shape letters: B answers of a step, T tokens of the longest, N tokens of a pass, H hidden size.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from sk2d.models.attention import causal_lm_of
from sk2d.phases.phase_module import settings
from sk2d.rl.advantages import gae
from sk2d.rl.answer_tokens import AnswerTokens
from sk2d.rl.objective import TokenObjective
from sk2d.rl.objectives import value_loss
from sk2d.rl.passes import Tables
from sk2d.rl.policy import PolicyModule
from sk2d.rl.settings import CriticSettings
from sk2d.rl.step import Step, taken


class ValueHead(nn.Module):
    """A linear layer on the policy's hidden states; it starts at 0 and computes in float32.

    Args:
        hidden: Size of the hidden states.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, 1, dtype=torch.float32)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, hidden_NH: Tensor) -> Tensor:
        """Give the expected reward at each position.

        Args:
            hidden_NH: Hidden states.

        Returns:
            values_N in float32.
        """
        with torch.autocast(hidden_NH.device.type, enabled=False):
            values_N1: Tensor = self.linear(hidden_NH.float())
        return values_N1.squeeze(1)


class PpoModule(PolicyModule):
    """PPO (Schulman et al. 2017) with GAE (Schulman et al. 2016).

    Args:
        critic: The value head.
        **kwargs: As for `PolicyModule`.
    """

    def __init__(
        self,
        *,
        critic: CriticSettings = CriticSettings(),  # noqa: B008  (frozen dataclass)
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.critic = settings(CriticSettings, critic)
        self.head: ValueHead | None = None
        self.keep_settings()

    def after_loading(self) -> None:
        """Put the value head on the model."""
        super().after_loading()
        config = causal_lm_of(self.loaded).config.get_text_config()
        self.head = ValueHead(config.hidden_size)

    def fixed_facts(self) -> dict[str, Any]:
        """List the settings that a resumed run must share."""
        return super().fixed_facts() | {"model.critic": repr(self.critic)}

    @property
    def value_head(self) -> nn.Module | None:
        """What expects the reward before each token."""
        return self.head

    def advantages(self, step: Step, tables: Tables) -> Tensor:
        """Estimate advantages; the reward stands at an answer's last token.

        Args:
            step: The answers.
            tables: What was said of their tokens.

        Returns:
            advantages_BT; the returns are kept for the value head.
        """
        rewards_BT = torch.zeros_like(step.tokens_BT, dtype=torch.float32)
        rewards_BT[torch.arange(len(rewards_BT)), step.lengths_B - 1] = step.rewards_B
        values_BT = torch.zeros_like(rewards_BT) if tables.values_BT is None else tables.values_BT
        advantages_BT, self.returns_BT = gae(
            rewards_BT,
            values_BT,
            step.counted_BT,
            gamma=self.critic.gamma,
            lam=self.critic.lam,
        )
        return advantages_BT

    def value_part(
        self, hidden_NH: Tensor, tokens: AnswerTokens, objective: TokenObjective, tables: Tables
    ) -> Tensor:
        """Give the value head's loss, with the weights that the tokens have in the policy's.

        Args:
            hidden_NH: Hidden states that predict the tokens.
            tokens: The pass.
            objective: The policy's part.
            tables: What was said of the tokens before the update.

        Returns:
            A scalar.
        """
        assert self.head is not None, "configure_model was not called"
        assert tables.values_BT is not None, "the answers were scored"
        found = value_loss(
            self.head(hidden_NH)[:, None],
            taken(tables.values_BT, tokens)[:, None],
            taken(self.returns_BT, tokens)[:, None],
            (objective.weights_N > 0)[:, None],
            clip=self.critic.clip,
            aggregation="token-mean",
        )
        # The mean over this pass, as its share of the step.
        part = self.critic.weight * found.loss * objective.weights_N.sum()
        objective.sums.value_loss += float(part.detach())
        return part


class SkeletonPpo(PpoModule):
    """Phase 1 by PPO, with the structure reward."""

    phase = "skeleton"
    default_prompt = "skeleton"


class SkinPpo(PpoModule):
    """Phase 2 by PPO, with the naming reward."""

    phase = "skin"
    default_prompt = "skin"
