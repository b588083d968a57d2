"""A linear output layer and its gradients, a chunk of positions at a time.

The gradient with respect to the hidden states (and to the output layer, when it trains) is made in
the forward pass, chunk by chunk, in the buffer of the logits; so neither (B, T, V) nor (N, V) is
ever held, and no logits are computed twice. The idea is that of Liger Kernel's
`fused_linear_cross_entropy.py`.

Shape letters: N positions, C positions of a chunk, H hidden size, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

# A float16 gradient loses probabilities below 6e-8; multiplied by this it keeps them.
_HALF_SCALE = 256.0


def compute_dtype(weight_VH: Tensor) -> torch.dtype:
    """Give the dtype of the matrix products: the autocast's, else that of the output layer.

    Args:
        weight_VH: Weight of the output layer.

    Returns:
        The dtype.
    """
    kind = weight_VH.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else weight_VH.dtype


def _even(rows: int, chunk: int) -> int:
    """Give the chunk size with which the same number of chunks come out alike."""
    chunks = max(1, -(-rows // chunk))
    return max(1, -(-rows // chunks))


@dataclass
class MadeGradients:
    """Gradients that were made in the forward pass, to be given away in the backward pass.

    Args:
        gradients: Of hidden states, weight and bias; None where none is needed.
        dtypes: The dtypes that they are to have.
    """

    gradients: list[Tensor | None] | None
    dtypes: tuple[torch.dtype | None, ...]

    def scaled(self, grad_loss: Tensor) -> list[Tensor | None]:
        """Give the gradients, scaled in place; this works once.

        Args:
            grad_loss: Gradient with respect to the loss (scalar).

        Returns:
            Gradients of hidden states, weight and bias.
        """
        assert self.gradients is not None, "the gradient of this loss may be taken once"
        gradients, self.gradients = self.gradients, None
        return [
            None if gradient is None else gradient.mul_(grad_loss).to(dtype)
            for gradient, dtype in zip(gradients, self.dtypes, strict=True)
        ]


class OutputChunks:
    """The output layer `hidden @ weight.T + bias`, with its gradients summed up chunk by chunk.

    Args:
        hidden_NH: Hidden states.
        weight_VH: Weight of the layer.
        bias_V: Its bias, or None.
        needed: Whether hidden states, weight and bias want a gradient.
        chunk: Positions whose logits are held at a time.
    """

    def __init__(
        self,
        hidden_NH: Tensor,
        weight_VH: Tensor,
        bias_V: Tensor | None,
        needed: tuple[bool, ...],
        chunk: int,
    ) -> None:
        inputs = (hidden_NH, weight_VH, bias_V)
        self.dtypes = tuple(None if x is None else x.dtype for x in inputs)
        self.dtype = compute_dtype(weight_VH)
        self.hidden_NH = hidden_NH.to(self.dtype)
        self.weight_VH = weight_VH.to(self.dtype)
        self.bias_V = None if bias_V is None else bias_V.to(self.dtype)
        self.wants_gradients = any(needed)
        self.chunk = _even(len(hidden_NH), chunk)
        self.gradients = [
            torch.zeros(x.shape, dtype=torch.float32, device=x.device)
            if need and x is not None
            else None
            for x, need in zip(inputs, needed, strict=True)
        ]
        self._logits_CV: Tensor | None = None

    def chunks(self) -> Iterator[slice]:
        """Go through the positions.

        Yields:
            The rows of each chunk.
        """
        for start in range(0, len(self.hidden_NH), self.chunk):
            yield slice(start, start + self.chunk)

    def logits(self, rows: slice) -> Tensor:
        """Compute float32 logits, in a buffer that all chunks share where the dtype allows it.

        Args:
            rows: A chunk.

        Returns:
            logits_CV, which may be changed in place, until the next call.
        """
        hidden_CH = self.hidden_NH[rows]
        if self.dtype != torch.float32:
            return torch.nn.functional.linear(hidden_CH, self.weight_VH, self.bias_V).float()
        if self._logits_CV is None:
            shape = (min(self.chunk, len(self.hidden_NH)), len(self.weight_VH))
            self._logits_CV = hidden_CH.new_empty(shape)
        # With `out`, autograd must not look on: the forward pass of a function is such a place.
        logits_CV = torch.mm(hidden_CH, self.weight_VH.t(), out=self._logits_CV[: len(hidden_CH)])
        return logits_CV if self.bias_V is None else logits_CV.add_(self.bias_V)

    def add_gradients(self, grad_CV: Tensor, rows: slice, largest: float = 1.0) -> None:
        """Turn the gradient of a chunk's logits into those of hidden states, weight and bias.

        Args:
            grad_CV: The gradient, float32; changed in place.
            rows: The chunk.
            largest: The size that its entries may have; fp16 is scaled by it.
        """
        hidden, weight, bias = self.gradients
        hidden_CH = self.hidden_NH[rows]
        if bias is not None:
            bias += grad_CV.sum(dim=0)
        if self.dtype == torch.float32:
            if hidden is not None:
                torch.mm(grad_CV, self.weight_VH, out=hidden[rows])
            if weight is not None:
                weight.addmm_(grad_CV.t(), hidden_CH)
            return
        scale = (_HALF_SCALE if self.dtype == torch.float16 else 1.0) / largest
        grad_CV = grad_CV.mul_(scale).to(self.dtype)
        if hidden is not None:
            hidden[rows] = (grad_CV @ self.weight_VH).float().div_(scale)
        if weight is not None:
            weight.add_((grad_CV.t() @ hidden_CH).float(), alpha=1.0 / scale)

    def made(self) -> MadeGradients:
        """Give the gradients of all chunks, for the backward pass."""
        return MadeGradients(self.gradients, self.dtypes)
