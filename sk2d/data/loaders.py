"""Data loaders: resumable, and without a draw from the global generators."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import torch
from torch.utils.data import DataLoader, Dataset

from sk2d.corpus.rows import SftRow
from sk2d.data.batches import Batch, collate_packed, collate_padded
from sk2d.data.plan import MicroBatch, PlanSampler
from sk2d.data.sets import RowSet
from sk2d.prompts import Prompt

WORKER_TIMEOUT_S = 300  # a worker that hangs ends the run with an error instead of stalling it


@dataclass
class Position:
    """How far training has come: micro-batches of an epoch that were trained on.

    Args:
        epoch: Number of the running epoch, from 0.
        done: How many of its micro-batches were trained on.
    """

    epoch: int = 0
    done: int = 0


def go_to(sampler: PlanSampler, position: Position) -> None:
    """Let a sampler go on behind a position; at the end of an epoch that is the next epoch.

    Args:
        sampler: The sampler.
        position: How far training has come.
    """
    at_end = position.done >= len(sampler)
    sampler.set_epoch(position.epoch + at_end)
    sampler.set_start(0 if at_end else position.done)


class BatchSet(Dataset[Batch]):
    """A set of rows, read as whole micro-batches.

    Args:
        rows: The rows.
        pad_id: Id of the filling of padded batches.
        pack: Whether batches are packed.
    """

    def __init__(self, rows: RowSet, pad_id: int, pack: bool) -> None:
        self.rows = rows
        self.pad_id = pad_id
        self.pack = pack

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, micro: MicroBatch) -> Batch:
        examples = [self.rows.example(row) for row in micro.rows]
        if self.pack:
            return collate_packed(examples, step_tokens=micro.step_tokens, counted=micro.counted)
        return collate_padded(
            examples, self.pad_id, step_tokens=micro.step_tokens, counted=micro.counted
        )


def as_it_is(batch: Any) -> Any:
    """Hand a batch on: the dataset gives whole batches.

    Args:
        batch: A batch.

    Returns:
        The same batch.
    """
    return batch


class PlanLoader(DataLoader):
    """A loader whose batches come from a plan, and whose state is a position in it.

    Lightning keeps the state in its checkpoints, and knows by it that the loader is resumable.

    Args:
        batches: The rows, read as what the plan names.
        sampler: Goes through the plan.
        position: How far training has come; the loader only reads it.
        num_workers: Number of processes that build batches ahead.
        seed: Seed of the loader's own generator.
    """

    def __init__(
        self,
        batches: Dataset[Any],
        sampler: PlanSampler[Any],
        position: Position,
        num_workers: int = 0,
        seed: int = 0,
    ) -> None:
        self.position = position
        super().__init__(
            batches,
            batch_size=None,
            sampler=sampler,
            collate_fn=as_it_is,
            generator=torch.Generator().manual_seed(seed),
            **worker_settings(num_workers),
        )

    def state_dict(self) -> dict[str, int]:
        """Give the position as plain numbers."""
        return asdict(self.position)

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on behind the micro-batches that were trained on.

        Args:
            state: What `state_dict` gave.
        """
        assert isinstance(self.sampler, PlanSampler)
        go_to(self.sampler, Position(state["epoch"], state["done"]))


class AnswerBatch(TypedDict):
    """Rows to answer: their rendered prompts, and the rows themselves."""

    prompts: list[str]
    rows: list[SftRow]


class AnswerSet(Dataset[AnswerBatch]):
    """Rows to answer, in batches.

    Args:
        rows: The rows.
        prompt: The prompt around their source.
        batch_size: Rows per batch.
    """

    def __init__(self, rows: Sequence[SftRow], prompt: Prompt, batch_size: int) -> None:
        self.rows = rows
        self.prompt = prompt
        self.batch_size = batch_size

    def __len__(self) -> int:
        return -(-len(self.rows) // self.batch_size)

    def __getitem__(self, index: int) -> AnswerBatch:
        rows = list(self.rows[index * self.batch_size :][: self.batch_size])
        prompts = [self.prompt.render(row.source) for row in rows]
        return AnswerBatch(prompts=prompts, rows=rows)


def worker_settings(num_workers: int) -> dict[str, Any]:
    """Give a loader's arguments about its workers.

    Args:
        num_workers: Number of processes that build batches ahead.

    Returns:
        Arguments of `DataLoader`.
    """
    if not num_workers:
        return {"num_workers": 0}
    # Workers are forked, and a tokenizer's threads do not survive that.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    return {
        "num_workers": num_workers,
        "timeout": WORKER_TIMEOUT_S,
        "persistent_workers": False,
    }
