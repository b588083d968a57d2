"""The loss of a pass, chunk by chunk: clipped objective and distance to the reference.

Shape letters: N answer tokens of a pass, C tokens of a chunk.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor

from sk2d.rl.objectives import kl, policy_loss
from sk2d.rl.settings import UpdateSettings


@dataclass
class Sums:
    """What is logged of the tokens of an update, as sums.

    Args:
        loss: The loss.
        tokens: Tokens that went into it.
        entropy: Of their entropies, in nats.
        kl: Of their divergences from the reference, in nats.
        clipped: Of those whose ratio the clip held.
        value_loss: The value head's loss.
    """

    loss: float = 0.0
    tokens: int = 0
    entropy: float = 0.0
    kl: float = 0.0
    clipped: float = 0.0
    value_loss: float = 0.0

    def per_token(self, total: float) -> float:
        """Give the mean of a sum.

        Args:
            total: One of the sums.

        Returns:
            The mean; 0 where no token was learned from.
        """
        return total / max(1, self.tokens)


@dataclass
class TokenObjective:
    """A chunk's share of the loss, given its log-probabilities.

    PPO's objective is homogeneous in the advantage, so a token's weight may be multiplied into it.

    Args:
        settings: Clips and divergence.
        clip_high: How far above 1 a ratio may rise.
        advantages_N: Advantage of each token.
        weights_N: Weight of each token in the loss; 0 for those that do not count.
        old_N: Log-probabilities of the policy that answered; None for those of now.
        ref_N: Those of the reference; None without one.
        sums: What is logged.
    """

    settings: UpdateSettings
    clip_high: float
    advantages_N: Tensor
    weights_N: Tensor
    old_N: Tensor | None
    ref_N: Tensor | None
    sums: Sums = field(default_factory=Sums)

    def __call__(self, rows: slice, log_p_C: Tensor) -> Tensor:
        """Compute the loss of a chunk.

        Args:
            rows: Which tokens of the pass.
            log_p_C: Their log-probabilities, with a gradient.

        Returns:
            A scalar; those of all chunks and passes add up to the loss of the update.
        """
        weights_C = self.weights_N[rows]
        counted_1C = (weights_C > 0)[None]
        old_C = log_p_C.detach() if self.old_N is None else self.old_N[rows]
        found = policy_loss(
            log_p_C[None],
            old_C[None],
            (self.advantages_N[rows] * weights_C)[None],
            counted_1C,
            clip_low=self.settings.clip_low,
            clip_high=self.clip_high,
            dual_clip=self.settings.dual_clip,
            aggregation="seq-mean-token-sum",
            total=1,
        )
        self.sums.clipped += float(found.clipped * counted_1C.sum())
        return found.loss + self._divergence(rows, log_p_C)

    def _divergence(self, rows: slice, log_p_C: Tensor) -> Tensor:
        if self.ref_N is None:
            return log_p_C.new_zeros(())
        weights_C = self.weights_N[rows]
        counted_1C = (weights_C > 0)[None]
        ref_1C = self.ref_N[rows][None]
        kl_C = kl(log_p_C[None], ref_1C, self.settings.kl_kind, counted_1C)[0]
        self.sums.kl += float(kl_C.detach().sum())
        return self.settings.kl * (kl_C * weights_C).sum()
