"""The loss of supervised fine-tuning: logits only where labels are, a chunk at a time.

Shape letters: B batch, T positions, H hidden size, V vocabulary, N supervised tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from sk2d.data.tokens import IGNORED
from sk2d.errors import ModelError
from sk2d.models.attention import causal_lm_of, forward_inputs
from sk2d.models.output_layer import OutputChunks, compute_dtype

if TYPE_CHECKING:
    from sk2d.data.batches import Batch

# Keys in config.json with which known models change their logits after the output layer.
_LOGIT_CHANGES = (
    "final_logit_softcapping",
    "logit_scale",
    "logits_scaling",
    "lm_head_multiplier",
    "output_multiplier_scale",
)


class LossSum(NamedTuple):
    """The loss of a batch as a sum, so that micro-batches add up.

    Attributes:
        loss: Sum of the cross entropy over the supervised tokens, a float32 scalar.
        tokens: Number of supervised tokens.
        correct: Number of them that the model ranks first, or None when not asked for.
    """

    loss: Tensor
    tokens: int
    correct: int | None


class _ChunkedCrossEntropy(torch.autograd.Function):
    """Sum of cross entropies of `hidden @ weight.T + bias`, with gradients made on the way."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden_NH: Tensor,
        weight_VH: Tensor,
        bias_V: Tensor | None,
        labels_N: Tensor,
        chunk: int,
        with_gradients: bool,
        count_correct: bool,
    ) -> tuple[Tensor, Tensor]:
        """Give the loss and the number of tokens ranked first (0 when not counted)."""
        # The three differentiable inputs come first, so that this lines up with them.
        needed = tuple(with_gradients and need for need in ctx.needs_input_grad[:3])
        layer = OutputChunks(hidden_NH, weight_VH, bias_V, needed, chunk)
        totals = _Totals(layer, labels_N)
        for rows in layer.chunks():
            totals.add(rows, count_correct)
        ctx.made = layer.made()
        ctx.mark_non_differentiable(totals.correct)
        return totals.loss, totals.correct

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_loss: Tensor, _grad_correct: Tensor) -> tuple[Tensor | None, ...]:
        """Scale the stored gradients in place; they are given away, so this works once."""
        return (*ctx.made.scaled(grad_loss), None, None, None, None)


class _Totals:
    """Running sums of the chunks: loss, correct tokens and the gradients that are needed."""

    def __init__(self, layer: OutputChunks, labels_N: Tensor) -> None:
        self.layer = layer
        self.labels_N = labels_N
        self.loss = torch.zeros((), dtype=torch.float32, device=labels_N.device)
        self.correct = torch.zeros((), dtype=torch.long, device=labels_N.device)

    def add(self, rows: slice, count_correct: bool) -> None:
        """Take one chunk of rows in."""
        labels_C1 = self.labels_N[rows, None]
        logits_CV = self.layer.logits(rows)
        if count_correct:
            self.correct += (logits_CV.argmax(dim=1, keepdim=True) == labels_C1).sum()
        # In place: one (C, V) buffer holds logits, log-probabilities and their gradient in turn.
        torch.log_softmax(logits_CV, dim=1, out=logits_CV)
        self.loss -= logits_CV.gather(1, labels_C1).sum()
        if not self.layer.wants_gradients:
            return
        grad_CV = logits_CV.exp_()
        grad_CV.scatter_add_(1, labels_C1, grad_CV.new_full((1, 1), -1.0).expand_as(labels_C1))
        self.layer.add_gradients(grad_CV, rows)


def chunked_cross_entropy(
    hidden_NH: Tensor,
    weight_VH: Tensor,
    bias_V: Tensor | None,
    labels_N: Tensor,
    *,
    chunk: int = 256,
    count_correct: bool = False,
) -> tuple[Tensor, Tensor]:
    """Sum the cross entropy of a linear output layer without holding its logits.

    Args:
        hidden_NH: Hidden states at the supervised positions.
        weight_VH: Weight of the output layer.
        bias_V: Its bias, or None.
        labels_N: The right tokens; all of them count.
        chunk: Rows whose logits are held at a time.
        count_correct: Also count the tokens that are ranked first.

    Returns:
        The summed loss (float32) and the count (0 when not asked for); both scalars.
    """
    return _ChunkedCrossEntropy.apply(
        hidden_NH, weight_VH, bias_V, labels_N, chunk, torch.is_grad_enabled(), count_correct
    )


def next_token_labels(batch: Batch) -> Tensor:
    """Move labels one to the left, so that they stand where they are predicted.

    The first token of a document has nothing before it that could predict it, whatever its label
    says: neither the document packed before it nor padding.

    Args:
        batch: A packed or padded batch, its labels in line with its tokens.

    Returns:
        labels_BT, -100 where nothing is predicted.
    """
    labels_BT = batch["labels_BT"]
    shifted_BT = torch.full_like(labels_BT, IGNORED)
    shifted_BT[:, :-1] = labels_BT[:, 1:]
    cu_seqlens, mask_BT = batch["cu_seqlens"], batch["attention_mask_BT"]
    if cu_seqlens is not None:
        last_D = (cu_seqlens[1:] - 1).to(device=labels_BT.device, dtype=torch.long)
        shifted_BT[:, last_D] = IGNORED
    elif mask_BT is not None:
        shifted_BT.masked_fill_(mask_BT == 0, IGNORED)
    return shifted_BT


def supervised_loss(
    model: nn.Module, batch: Batch, *, chunk: int = 256, count_correct: bool = False
) -> LossSum:
    """Compute the summed loss of a batch over its supervised tokens.

    Args:
        model: A causal LM, with or without LoRA.
        batch: A packed or padded batch.
        chunk: Tokens whose logits are held at a time.
        count_correct: Also count the tokens that the model ranks first.

    Returns:
        Loss sum, token count, and correct tokens when asked. A batch without a supervised token
        gives zero with a (zero) gradient, as distributed training needs it.
    """
    causal_lm = causal_lm_of(model)
    hidden_BTH = causal_lm.base_model(**forward_inputs(batch))[0]
    labels = next_token_labels(batch).flatten()
    places_N = (labels != IGNORED).nonzero().squeeze(1)
    output_layer = causal_lm.get_output_embeddings()
    loss, correct = chunked_cross_entropy(
        hidden_BTH.flatten(0, 1).index_select(0, places_N),
        output_layer.weight,
        output_layer.bias,
        labels.index_select(0, places_N),
        chunk=chunk,
        count_correct=count_correct,
    )
    return LossSum(loss, len(places_N), int(correct) if count_correct else None)


def _one_short_document(batch: Batch) -> Batch:
    """Cut one supervised document of at most 256 tokens out of a batch."""
    labels_BT = next_token_labels(batch)
    rows, places = (labels_BT != IGNORED).nonzero(as_tuple=True)
    assert len(rows), "the check needs a batch with a supervised token"
    row, place = int(rows[0]), int(places[0])
    start, end = max(0, place - 191), min(labels_BT.shape[1], place + 65)
    bounds = batch["cu_seqlens"]
    if bounds is not None:
        start = max([start, *(b for b in bounds.tolist() if b <= place)])
        end = min([end, *(b for b in bounds.tolist() if b > place)])
    elif batch["attention_mask_BT"] is not None:
        kept = batch["attention_mask_BT"][row].nonzero().flatten()
        start, end = max(start, int(kept[0])), min(end, int(kept[-1]) + 1)
    ids_BT = batch["input_ids_BT"][row : row + 1, start:end]
    return {
        "input_ids_BT": ids_BT,
        "position_ids_BT": torch.arange(ids_BT.shape[1], device=ids_BT.device)[None],
        "labels_BT": batch["labels_BT"][row : row + 1, start:end],
        "attention_mask_BT": torch.ones_like(ids_BT),
        "cu_seqlens": None,
        "step_tokens": batch["step_tokens"],
        "rows": batch["rows"][:1],
        "counted": True,
    }


def _logit_changes(config: Any) -> str:
    """Name the keys of a model's config that change its logits, as `key=value` pairs."""
    found = {key: getattr(config, key, None) for key in _LOGIT_CHANGES}
    return ", ".join(
        f"{key}={value}" for key, value in found.items() if value not in (None, 1, 1.0)
    )


@torch.no_grad()
def check_against_model_loss(model: nn.Module, batch: Batch, tolerance: float = 1e-4) -> None:
    """Compare the chunked loss with the model's own on one document, and stop on a difference.

    Models that cap or scale their logits after the output layer would train on a wrong loss.

    Args:
        model: A causal LM, with or without LoRA.
        batch: Any batch with a supervised token; a short piece of one document is used.
        tolerance: Largest difference of the token mean in float32; half precision is allowed
            its own rounding.

    Raises:
        ModelError: When the two differ, or one of them is not finite.
    """
    document = _one_short_document(batch)
    was_training = model.training
    model.eval()
    try:
        ours = supervised_loss(model, document)
        causal_lm = causal_lm_of(model)
        theirs = causal_lm(**forward_inputs(document), labels=document["labels_BT"]).loss
    finally:
        model.train(was_training)
    dtype = compute_dtype(causal_lm.get_output_embeddings().weight)
    rounding = 0.0 if dtype == torch.float32 else torch.finfo(dtype).eps * max(1.0, float(theirs))
    allowed = max(tolerance, rounding)
    difference = abs(float(ours.loss) / ours.tokens - float(theirs))
    if difference <= allowed:  # false for NaN, too
        return
    changes = _logit_changes(causal_lm.config.get_text_config())
    because = f"; this model changes its logits ({changes})" if changes else ""
    raise ModelError(
        f"the chunked loss is {float(ours.loss) / ours.tokens:.5f} and the model's own "
        f"{float(theirs):.5f}{because}",
        where="model.base",
        remedy="Choose a base whose logits are those of its output layer: sk2d cannot train one "
        "that caps or scales them",
    )
