"""What a run is, as far as its memory depends on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sk2d.models.architecture import Architecture

Attention = Literal["fused", "math"]
HALF = 2
SINGLE = 4


@dataclass(frozen=True)
class Lora:
    """Size of the adapters.

    Args:
        rank: Rank of the two factors.
        targets: `all-linear`, or names of linear layers.
    """

    rank: int = 16
    targets: str | list[str] = "all-linear"


@dataclass(frozen=True)
class Job:
    """A training run on one kind of device.

    Args:
        architecture: Figures of the base.
        precision: Lightning's precision, such as `16-mixed`.
        lora: The adapters; None trains every weight.
        quantization: `nf4` or `int8` for the frozen weights; None for none.
        single_weights: Whether frozen weights stay in 32 bits in a half-precision run, as other
            trainers load them unless told; sk2d does not.
        optimizer: `adamw`, `adamw8bit` or `paged_adamw8bit`.
        batch_size: Rows of a micro-batch.
        length: Tokens of a row.
        gradient_checkpointing: Whether activations are computed again in the backward pass.
        attention: `fused` kernels hold no matrix of scores; `math` does.
        loss_chunk: Positions whose logits are held at a time.
        supervised: Share of the tokens that reach the loss.
        zero_stage: What DeepSpeed shares out: 0 nothing, 1 optimiser, 2 gradients, 3 weights.
        devices: How many share.
        offload_optimizer: Whether the optimiser's states are in the CPU's memory.
        offload_param: Whether the weights are (stage 3).
        accumulates: Whether gradients of earlier micro-batches are held in the forward pass.
        samples: Answers generated together, at a validation or as rollouts; 0 for none.
        sample_prompts: Prompts that those are for; None for one each.
        sample_prompt: Tokens of such a prompt; None for as many as `length`.
        sample_tokens: Tokens of an answer.
        reference: Whether a frozen copy of the weights is held besides (reinforcement learning).
        device: `cuda` or `cpu`.
    """

    architecture: Architecture
    precision: str = "32-true"
    lora: Lora | None = field(default_factory=Lora)
    quantization: str | None = None
    single_weights: bool = False
    optimizer: str = "adamw"
    batch_size: int = 1
    length: int = 2048
    gradient_checkpointing: bool = False
    attention: Attention = "fused"
    loss_chunk: int = 512
    supervised: float = 0.5
    zero_stage: int = 0
    devices: int = 1
    offload_optimizer: bool = False
    offload_param: bool = False
    accumulates: bool = True
    samples: int = 0
    sample_prompts: int | None = None
    sample_prompt: int | None = None
    sample_tokens: int = 512
    reference: bool = False
    device: Literal["cuda", "cpu"] = "cuda"

    @property
    def half(self) -> bool:
        """Whether products are computed in 16 bits."""
        return not self.precision.startswith("32")

    @property
    def mixed(self) -> bool:
        """Whether only products are, while trained weights stay in 32 bits."""
        return self.half and not self.precision.endswith("-true")

    @property
    def compute_bytes(self) -> int:
        """Bytes of a number that goes through a matrix product."""
        return HALF if self.half else SINGLE

    @property
    def stream_bytes(self) -> int:
        """Bytes of a number between blocks: those of the embedding's weights."""
        single = not self.half or (self.mixed and self.lora is None) or self.single_weights
        return SINGLE if single else HALF

    @property
    def stored_bytes(self) -> int:
        """Bytes of a weight of the base that is not quantised."""
        if self.zero_stage and self.half:
            return HALF
        return self.stream_bytes

    @property
    def trained_bytes(self) -> int:
        """Bytes of a trained weight and of its gradient: 32 bits but where DeepSpeed has copies."""
        if self.half and (self.zero_stage or (self.lora is None and not self.mixed)):
            return HALF
        return SINGLE

    @property
    def largest_trained(self) -> int:
        """Number of weights of the largest trained tensor."""
        arch = self.architecture
        if self.lora is None:
            return arch.embedding_parameters
        return self.lora.rank * max(max(x.inputs, x.outputs) for x in arch.linears)

    @property
    def tokens(self) -> int:
        """Tokens of a micro-batch."""
        return self.batch_size * self.length

    @property
    def trained(self) -> int:
        """Number of trained weights."""
        if self.lora is None:
            return self.architecture.parameters
        return self.architecture.lora_parameters(self.lora.rank, self.lora.targets)

    def share(self, from_stage: int) -> int:
        """Give on how many devices DeepSpeed spreads something.

        Args:
            from_stage: The stage from which it is spread.

        Returns:
            The number of devices, or 1.
        """
        return self.devices if self.zero_stage >= from_stage else 1
