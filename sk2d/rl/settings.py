"""What can be set of reinforcement learning, in the groups in which configs have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sk2d.rewards.structure import Weights
from sk2d.rl.advantages import Variant
from sk2d.rl.objectives import Aggregation, KlKind
from sk2d.rl.rewarding import DEFAULT_EMBEDDER, RewardMode

Engine = Literal["own", "vllm"]


@dataclass(frozen=True)
class RolloutSettings:
    """How answers are drawn.

    Args:
        answers: Answers to each prompt.
        temperature: What logits are divided by when tokens are drawn.
        at_once: Prompts that are answered together, while the answers to those before are judged;
            null is half of a step on a CPU and one on a GPU, whose memory their caches would fill.
        engine: own, or vllm where it is installed: faster on a GPU, with LoRA only; it holds the
            base a second time, and a resumed run does not draw the very same answers.
        engine_memory: Share of the GPU's memory for vLLM's copy of the base and its caches.
    """

    answers: int = 8
    temperature: float = 1.0
    at_once: int | None = None
    engine: Engine = "own"
    engine_memory: float = 0.4


@dataclass(frozen=True)
class RewardSettings:
    """What an answer is worth; the same settings as those of the command `reward`.

    Args:
        mode: paper, upstream, strict, or lexical (Skin only).
        embedder: For the Skin: minilm, a model folder, or the address of an endpoint.
        compiles: For the Skeleton: worth of compiling.
        placeholders: For the Skeleton: worth of a Jaccard index of 1.
        warnings: For the Skeleton: taken off for each kind of warning beyond the reference's.
        tests: For the Skeleton: worth of a passed test.
        workers: For the Skeleton: compilers side by side; null is one per core.
    """

    mode: RewardMode = "strict"
    embedder: str = DEFAULT_EMBEDDER
    compiles: float = 1.0
    placeholders: float = 1.0
    warnings: float = 0.0
    tests: float = 0.0
    workers: int | None = None

    @property
    def weights(self) -> Weights:
        """The worth of the parts of the structure reward."""
        return Weights(self.compiles, self.placeholders, self.warnings, self.tests)


@dataclass(frozen=True)
class UpdateSettings:
    """How the policy learns from the answers of a step.

    Args:
        clip_low: How far below 1 the ratio to the policy that answered may fall.
        clip_high: How far above 1 it may rise; null is 0.28 for dapo and 0.2 for the others.
        dual_clip: Bound of the loss where the advantage is negative; null for none.
        aggregation: How tokens are put together; null is what the variant's paper has.
        kl: Weight of the divergence from the reference; 0 does without a reference.
        kl_kind: Its estimator.
        kl_on_flat_groups: Whether answers from whose group nothing can be learned are still drawn
            to the reference, as in the paper.
        mask_truncated: Whether answers that were cut off are left out of the loss; they count in
            their group's mean all the same.
        epochs: Passes over the answers of a step.
        minibatches: Updates in a pass.
        clip_grad: Largest norm of the gradient; null for any.
    """

    clip_low: float = 0.2
    clip_high: float | None = None
    dual_clip: float | None = 3.0
    aggregation: Aggregation | None = None
    kl: float = 0.01
    kl_kind: KlKind = "low_var_kl"
    kl_on_flat_groups: bool = True
    mask_truncated: bool = True
    epochs: int = 1
    minibatches: int = 1
    clip_grad: float | None = 1.0

    @property
    def updates(self) -> int:
        """Optimiser updates of a step."""
        return self.epochs * self.minibatches


@dataclass(frozen=True)
class CriticSettings:
    """The value head of PPO.

    Args:
        gamma: Discount of a token.
        lam: Weight of longer estimates of the advantage: 0 is one token, 1 the whole answer.
        weight: Weight of the value loss.
        clip: How far a value may move in an update; null for any distance.
    """

    gamma: float = 1.0
    lam: float = 0.95
    weight: float = 0.1
    clip: float | None = 0.5


AGGREGATIONS: dict[Variant, Aggregation] = {
    "grpo": "seq-mean-token-mean",
    "dr_grpo": "seq-mean-token-sum-norm",
    "dapo": "token-mean",
    "rloo": "seq-mean-token-sum",
}
"""What the papers have: see `sk2d.rl.objectives.aggregate` for the weight of a token."""

CLIP_HIGH: dict[Variant, float] = {"grpo": 0.2, "dr_grpo": 0.2, "dapo": 0.28, "rloo": 0.2}
