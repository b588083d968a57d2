"""Batches of prompts to answer, and which rows they hold in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch.utils.data import Dataset

from sk2d.corpus.rl_rows import RlRow
from sk2d.data.plan import epoch_order
from sk2d.data.tokens import encode_prompts
from sk2d.prompts import Prompt


class PromptBatch:
    """Prompts to answer, between two updates or for validation.

    It is no mapping and no dataclass, since Lightning goes through those and copies what it finds.

    Args:
        rows: The rows.
        prompts: Their sources with the model's own prompt around them.
        prompt_ids: The tokens of these.
    """

    def __init__(self, rows: list[RlRow], prompts: list[str], prompt_ids: list[list[int]]) -> None:
        self.rows = rows
        self.prompts = prompts
        self.prompt_ids = prompt_ids


Asked = tuple[int, ...]
"""Numbers of the rows of a batch."""


@dataclass(frozen=True)
class PromptPlan:
    """The batches of every epoch, as a pure function of these values.

    Args:
        rows: How many rows there are.
        per_batch: Rows per batch, over all devices; the last one of an epoch may be smaller.
        world_size: Number of devices, to which the rows of a batch are dealt in turn.
        seed: Seed of the orders.
        shuffle: Whether each epoch has an order of its own; else rows come in theirs.
    """

    rows: int
    per_batch: int
    world_size: int = 1
    seed: int = 0
    shuffle: bool = True

    @property
    def micro_per_epoch(self) -> int:
        """Batches per epoch, the same on every device."""
        return -(-self.rows // self.per_batch)

    def micro_batches(self, epoch: int, rank: int) -> list[Asked]:
        """Give what one device runs in an epoch.

        Args:
            epoch: Number of the epoch, from 0.
            rank: Number of the device, from 0.

        Returns:
            Its part of each batch; none of the last one where that has fewer rows than devices.
        """
        order = epoch_order(self.rows, self.seed, epoch) if self.shuffle else np.arange(self.rows)
        batches = (order[at : at + self.per_batch] for at in range(0, self.rows, self.per_batch))
        return [tuple(rows[rank :: self.world_size].tolist()) for rows in batches]


class PromptBatches(Dataset[PromptBatch]):
    """Rows, read as whole batches of prompts.

    Args:
        rows: The rows.
        tokenizer: A fast Hugging Face tokenizer.
        prompt: The prompt around their source.
    """

    def __init__(self, rows: list[RlRow], tokenizer: Any, prompt: Prompt) -> None:
        self.rows = rows
        self.tokenizer = tokenizer
        self.prompt = prompt

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, asked: Asked) -> PromptBatch:
        rows = [self.rows[number] for number in asked]
        prompts = [self.prompt.render(row.source) for row in rows]
        ids = encode_prompts(prompts, self.tokenizer)
        return PromptBatch(rows=rows, prompts=prompts, prompt_ids=ids)
