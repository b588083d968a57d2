"""Log-probabilities of answers' tokens, and losses of them, without ever holding all logits.

Shape letters: N answer tokens, C tokens of a chunk, H hidden size, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from sk2d.models.attention import causal_lm_of
from sk2d.models.output_layer import OutputChunks

ChunkLoss = Callable[[slice, Tensor], Tensor]
"""From the rows of a chunk and its log_p_C to its share of the loss (a scalar)."""


class TokenScores(NamedTuple):
    """What the policy says of tokens.

    Attributes:
        log_p_N: Log-probability of each token.
        entropy_N: Entropy of the distribution that it was drawn from, in nats.
    """

    log_p_N: Tensor
    entropy_N: Tensor


def _log_softmax(layer: OutputChunks, rows: slice, temperature: float) -> Tensor:
    """Give log-probabilities in the buffer of the logits."""
    logits_CV = layer.logits(rows)
    if temperature != 1.0:
        logits_CV.div_(temperature)
    return torch.log_softmax(logits_CV, dim=1, out=logits_CV)


def _entropy(log_p_CV: Tensor, p_CV: Tensor) -> Tensor:
    """Sum -p log p; where p is 0, log p may be -inf."""
    return -(p_CV * log_p_CV.clamp(min=torch.finfo(log_p_CV.dtype).min)).sum(dim=1)


class _ChunkedLoss(torch.autograd.Function):
    """A sum of losses of log-probabilities, with gradients made on the way."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden_NH: Tensor,
        weight_VH: Tensor,
        bias_V: Tensor | None,
        targets_N: Tensor,
        temperature: float,
        chunk: int,
        chunk_loss: ChunkLoss | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Give loss, log-probabilities and entropies; without `chunk_loss` the loss is 0."""
        # The three differentiable inputs come first, so that this lines up with them.
        needed = tuple(chunk_loss is not None and need for need in ctx.needs_input_grad[:3])
        layer = OutputChunks(hidden_NH, weight_VH, bias_V, needed, chunk)
        # Not in the default dtype, which is 16 bits in a `-true` precision.
        loss = torch.zeros((), dtype=torch.float32, device=hidden_NH.device)
        log_p_N = torch.empty(len(targets_N), dtype=torch.float32, device=hidden_NH.device)
        entropy_N = torch.empty_like(log_p_N)
        for rows in layer.chunks():
            targets_C1 = targets_N[rows, None]
            log_p_CV = _log_softmax(layer, rows, temperature)
            log_p_N[rows] = log_p_CV.gather(1, targets_C1).squeeze(1)
            p_CV = log_p_CV.exp()
            entropy_N[rows] = _entropy(log_p_CV, p_CV)
            if chunk_loss is None:
                continue
            part, slope_C = _slopes(chunk_loss, rows, log_p_N[rows])
            loss += part
            if layer.wants_gradients:
                _add(layer, rows, p_CV, targets_C1, slope_C / temperature)
        ctx.made = layer.made()
        ctx.mark_non_differentiable(log_p_N, entropy_N)
        return loss, log_p_N, entropy_N

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_loss: Tensor, *_grads: Tensor) -> tuple[Tensor | None, ...]:
        """Scale the stored gradients; this works once."""
        return (*ctx.made.scaled(grad_loss), None, None, None, None)


def _slopes(chunk_loss: ChunkLoss, rows: slice, log_p_C: Tensor) -> tuple[Tensor, Tensor]:
    """Give a chunk's loss and its derivative by each log-probability."""
    with torch.enable_grad():
        leaf_C = log_p_C.detach().requires_grad_()
        part = chunk_loss(rows, leaf_C)
        (slope_C,) = torch.autograd.grad(part, leaf_C, allow_unused=True)
    return part.detach(), torch.zeros_like(log_p_C) if slope_C is None else slope_C


def _add(
    layer: OutputChunks, rows: slice, p_CV: Tensor, targets_C1: Tensor, slope_C: Tensor
) -> None:
    """Go from log-probabilities back to logits: slope times (one at the target, minus p)."""
    slope_C1 = slope_C[:, None]
    grad_CV = p_CV.mul_(-slope_C1).scatter_add_(1, targets_C1, slope_C1)
    # Slopes are about one over all tokens of a step, which fp16 could not hold.
    largest = float(slope_C.abs().max())
    if largest > 0:
        layer.add_gradients(grad_CV, rows, largest)


def _run(
    model: nn.Module,
    hidden_NH: Tensor,
    targets_N: Tensor,
    temperature: float,
    chunk: int,
    chunk_loss: ChunkLoss | None,
) -> tuple[Tensor, Tensor, Tensor]:
    layer = causal_lm_of(model).get_output_embeddings()
    run: Any = _ChunkedLoss.apply
    found: tuple[Tensor, Tensor, Tensor] = run(
        hidden_NH, layer.weight, layer.bias, targets_N, temperature, chunk, chunk_loss
    )
    return found


@torch.no_grad()
def token_scores(
    model: nn.Module,
    hidden_NH: Tensor,
    targets_N: Tensor,
    *,
    temperature: float = 1.0,
    chunk: int = 512,
) -> TokenScores:
    """Give the log-probabilities of tokens, and the entropies there.

    Args:
        model: The causal LM that the hidden states are of.
        hidden_NH: Hidden states that predict the tokens.
        targets_N: The tokens.
        temperature: What logits are divided by, as when the tokens were drawn.
        chunk: Tokens whose logits are held at a time.

    Returns:
        Both in float32, without gradient.
    """
    _, log_p_N, entropy_N = _run(model, hidden_NH, targets_N, temperature, chunk, None)
    return TokenScores(log_p_N, entropy_N)


def scored_loss(
    model: nn.Module,
    hidden_NH: Tensor,
    targets_N: Tensor,
    chunk_loss: ChunkLoss,
    *,
    temperature: float = 1.0,
    chunk: int = 512,
) -> tuple[Tensor, TokenScores]:
    """Compute a loss that is a sum over tokens, of functions of their log-probabilities.

    Args:
        model: As for `token_scores`.
        hidden_NH: As for `token_scores`.
        targets_N: As for `token_scores`.
        chunk_loss: The loss of a chunk.
        temperature: As for `token_scores`.
        chunk: As for `token_scores`.

    Returns:
        The loss, whose gradient may be taken once, and what the policy said of the tokens.
    """
    loss, log_p_N, entropy_N = _run(model, hidden_NH, targets_N, temperature, chunk, chunk_loss)
    return loss, TokenScores(log_p_N, entropy_N)
