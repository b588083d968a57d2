"""The tensors of a micro-batch, packed or padded.

Shape letters: B rows of a micro-batch, T tokens of its longest row (packed: of all rows together,
with B = 1), D documents packed into one sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sk2d.data.plan import MicroBatch, PlanSampler, StepPlan
from sk2d.data.tokens import IGNORED

__all__ = [
    "Batch",
    "Example",
    "MicroBatch",
    "PlanSampler",
    "StepPlan",
    "collate_packed",
    "collate_padded",
]


class Batch(TypedDict):
    """Tensors of one micro-batch; labels stand at their own token, not shifted."""

    input_ids_BT: Tensor
    position_ids_BT: Tensor
    labels_BT: Tensor
    attention_mask_BT: Tensor | None
    cu_seqlens: Tensor | None
    step_tokens: int
    rows: list[int]
    counted: bool


class Example(NamedTuple):
    """One tokenised row.

    Args:
        row: Its number.
        input_ids: Ids of prompt and target.
        prompt_len: How many of them belong to the prompt.
    """

    row: int
    input_ids: Sequence[int] | NDArray[np.int32]
    prompt_len: int


def collate_packed(
    examples: Sequence[Example], *, step_tokens: int | None = None, counted: bool = True
) -> Batch:
    """Put rows behind one another into one sequence without padding.

    Args:
        examples: The rows.
        step_tokens: Supervised tokens of the optimiser step; None counts those of these rows.
        counted: False masks all labels.

    Returns:
        A batch of shape (1, T): positions restart with each row, `cu_seqlens` (D + 1,) has the
        borders, and there is no attention mask.
    """
    ids = [_ids(example) for example in examples]
    labels = torch.cat([_labels(example, counted) for example in examples])
    ends = torch.tensor([0, *(len(part) for part in ids)]).cumsum(0)
    return Batch(
        input_ids_BT=torch.cat(ids)[None],
        position_ids_BT=torch.cat([torch.arange(len(part)) for part in ids])[None],
        labels_BT=labels[None],
        attention_mask_BT=None,
        cu_seqlens=ends.to(torch.int32),
        step_tokens=_count(labels) if step_tokens is None else step_tokens,
        rows=[example.row for example in examples],
        counted=counted,
    )


def collate_padded(
    examples: Sequence[Example],
    pad_id: int,
    *,
    step_tokens: int | None = None,
    counted: bool = True,
) -> Batch:
    """Put rows under one another, filled on the right; padding is masked by place, not by id.

    Args:
        examples: The rows.
        pad_id: Id of the filling.
        step_tokens: Supervised tokens of the optimiser step; None counts those of these rows.
        counted: False masks all labels.

    Returns:
        A batch of shape (B, T) with an attention mask, and without `cu_seqlens`.
    """
    rows, longest = len(examples), max(len(example.input_ids) for example in examples)
    ids_BT = torch.full((rows, longest), pad_id)
    labels_BT = torch.full((rows, longest), IGNORED)
    mask_BT = torch.zeros((rows, longest), dtype=torch.long)
    for place, example in enumerate(examples):
        length = len(example.input_ids)
        ids_BT[place, :length] = _ids(example)
        labels_BT[place, :length] = _labels(example, counted)
        mask_BT[place, :length] = 1
    return Batch(
        input_ids_BT=ids_BT,
        position_ids_BT=torch.arange(longest).expand(rows, longest).contiguous(),
        labels_BT=labels_BT,
        attention_mask_BT=mask_BT,
        cu_seqlens=None,
        step_tokens=_count(labels_BT) if step_tokens is None else step_tokens,
        rows=[example.row for example in examples],
        counted=counted,
    )


def _ids(example: Example) -> Tensor:
    return torch.from_numpy(np.array(example.input_ids, dtype=np.int64))


def _labels(example: Example, counted: bool) -> Tensor:
    labels = _ids(example)
    # Nothing stands before a row's first token, so it cannot be predicted, in a pack neither.
    labels[: max(example.prompt_len, 1) if counted else None] = IGNORED
    return labels


def _count(labels: Tensor) -> int:
    return int((labels != IGNORED).sum())
