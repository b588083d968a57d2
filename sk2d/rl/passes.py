"""Passes of a policy over answers: what it and its reference say of the tokens.

Shape letters: B answers of the step, T tokens of the longest, N tokens of a pass, H hidden size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from sk2d.rl.answer_tokens import (
    AnsweredPrompt,
    AnswerTokens,
    hidden_states,
    micro_batches,
    packed,
    padded,
)
from sk2d.rl.step import table
from sk2d.rl.token_scores import token_scores


class Tables(NamedTuple):
    """What was said of a step's tokens before its update; None where nobody asked.

    Attributes:
        old_BT: Log-probabilities of the policy that answered.
        ref_BT: Log-probabilities of the reference.
        values_BT: What the value head expects before each token.
    """

    old_BT: Tensor | None = None
    ref_BT: Tensor | None = None
    values_BT: Tensor | None = None


@dataclass(frozen=True)
class Passes:
    """How answers run through a model.

    Args:
        model: A causal LM, with or without LoRA.
        size: Prompts of a pass, each with all its answers.
        chunk: Tokens whose logits are held at a time.
        temperature: What logits are divided by, as when the answers were drawn.
        packs: Whether a prompt is run once for all its answers.
        pad_id: Id of the filling where it is not.
        device: Where the model is.
    """

    model: nn.Module
    size: int
    chunk: int
    temperature: float
    packs: bool
    pad_id: int
    device: torch.device

    def over(self, prompts: Sequence[AnsweredPrompt]) -> Iterator[AnswerTokens]:
        """Cut prompts into passes.

        Args:
            prompts: Prompts with their answers.

        Yields:
            One pass after the other, on the model's device.
        """
        for part in micro_batches(prompts, self.size):
            tokens = packed(part) if self.packs else padded(part, self.pad_id)
            yield tokens.to(self.device)

    def log_p(
        self, shape: torch.Size, prompts: Sequence[AnsweredPrompt], head: nn.Module | None = None
    ) -> tuple[Tensor, Tensor]:
        """Give what a model says of tokens, without gradient.

        Args:
            shape: (B, T) of the step.
            prompts: Prompts with the answers that are asked about.
            head: A value head.

        Returns:
            log_p_BT and, with a head, values_BT (else zeros); 0 at all other places.
        """
        # Not in the default dtype, which is 16 bits in a `-true` precision.
        log_p_BT = torch.zeros(shape, dtype=torch.float32)
        values_BT = torch.zeros_like(log_p_BT)
        with torch.no_grad():
            for tokens in self.over(prompts):
                hidden_NH = hidden_states(self.model, tokens)
                scores = token_scores(
                    self.model,
                    hidden_NH,
                    tokens.targets_N,
                    temperature=self.temperature,
                    chunk=self.chunk,
                )
                log_p_BT += table(shape, tokens, scores.log_p_N)
                if head is not None:
                    values_BT += table(shape, tokens, head(hidden_NH))
        # Casts that autocast made here have no gradient, and it would use them again.
        torch.clear_autocast_cache()
        return log_p_BT, values_BT


def reference_of(model: nn.Module, frozen: nn.Module | None) -> AbstractContextManager[Any]:
    """Give a context in which `model` is the reference, where the reference is its own base.

    Args:
        model: The policy.
        frozen: The reference, where it is a model of its own.

    Returns:
        A context that switches the adapters off: without them the model is what it started as.
    """
    adapted: Any = model
    return adapted.disable_adapter() if frozen is None else nullcontext()


def switch_off_dropout(model: nn.Module) -> None:
    """Make training deterministic: what answered and what is trained has to be one policy.

    Args:
        model: Changed in place.
    """
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = 0.0  # type: ignore[assignment]
