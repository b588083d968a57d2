"""Which rows train together, and in which order.

An epoch is a seeded order of all rows, cut into optimiser steps of `effective_batch` rows; inside a
step the rows are dealt into micro-batches. The plan is a pure function of its arguments, so that a
run can be resumed at any micro-batch, and an optimiser step holds the same rows on any number of
devices and with any micro-batch size.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from torch.utils.data import Sampler

from sk2d.errors import ConfigError

Rows = NDArray[np.int64]
T_co = TypeVar("T_co", covariant=True)


class Plan(Protocol[T_co]):
    """What a sampler goes through: what each device runs in each epoch, in order."""

    @property
    def micro_per_epoch(self) -> int:
        """Batches per device and epoch."""

    def micro_batches(self, epoch: int, rank: int) -> Sequence[T_co]:
        """Give what one device runs in an epoch.

        Args:
            epoch: Number of the epoch, from 0.
            rank: Number of the device, from 0.

        Returns:
            As many batches as `micro_per_epoch` says.
        """


def epoch_order(count: int, seed: int, epoch: int) -> Rows:
    """Give the numbers of rows in a random order that is the same on every run and machine.

    Args:
        count: How many rows there are.
        seed: Seed of the orders.
        epoch: Number of the epoch, from 0.

    Returns:
        A permutation.
    """
    # This generator's stream is frozen by numpy, so an upgrade cannot change a resumed run.
    seeds = [seed & 0xFFFFFFFF, seed >> 32, epoch]
    return np.random.RandomState(seeds).permutation(count)


@dataclass(frozen=True)
class MicroBatch:
    """Rows that go through the model together.

    Args:
        rows: Row numbers.
        step_tokens: Supervised tokens of the whole optimiser step, over all devices.
        counted: False for rows that only keep a device without rows of its own in step.
    """

    rows: tuple[int, ...]
    step_tokens: int
    counted: bool = True


def micro_batches_per_step(effective_batch: int, batch_size: int, world_size: int = 1) -> int:
    """Give how many micro-batches each device runs per optimiser step.

    Args:
        effective_batch: Rows per optimiser step.
        batch_size: Rows per micro-batch.
        world_size: Number of devices.

    Returns:
        The number for which batch size × number × devices equals the effective batch.

    Raises:
        ConfigError: No whole number does.
    """
    at_once = batch_size * world_size
    if effective_batch % at_once == 0:
        return effective_batch // at_once
    lower = effective_batch // at_once * at_once
    near = f"{lower} or {lower + at_once}" if lower else str(at_once)
    raise ConfigError(
        f"{effective_batch} rows per optimiser step cannot be made of {batch_size} rows "
        f"(data.batch_size) × {world_size} devices",
        where="data.effective_batch",
        remedy=f"Set it to {near}, or choose a data.batch_size that divides it",
    )


@dataclass(frozen=True, eq=False)
class StepPlan:
    """The micro-batches of every epoch, as a pure function of these values.

    Args:
        lengths: Tokens of each row.
        supervised: Supervised tokens of each row.
        effective_batch: Rows per optimiser step; the last step of an epoch may be smaller.
        batch_size: Rows per micro-batch.
        world_size: Number of devices.
        seed: Seed of the orders.
        shuffle: Whether each epoch has an order of its own; else rows come in theirs.
        pack: Whether the rows of a micro-batch become one sequence: sums of tokens are then
            balanced, while otherwise rows of like length come together.
    """

    lengths: Rows
    supervised: Rows
    effective_batch: int
    batch_size: int
    world_size: int = 1
    seed: int = 0
    shuffle: bool = True
    pack: bool = True

    def __post_init__(self) -> None:
        assert len(self.lengths) == len(self.supervised), "one count per row"
        micro_batches_per_step(self.effective_batch, self.batch_size, self.world_size)

    @property
    def micro_per_step(self) -> int:
        """Micro-batches per device and full optimiser step."""
        return micro_batches_per_step(self.effective_batch, self.batch_size, self.world_size)

    @property
    def steps_per_epoch(self) -> int:
        """Optimiser steps per epoch; the last one may hold fewer rows."""
        return -(-len(self.lengths) // self.effective_batch)

    @property
    def micro_per_epoch(self) -> int:
        """Micro-batches per device and epoch."""
        full, rest = divmod(len(self.lengths), self.effective_batch)
        return full * self.micro_per_step + self._micro_of(rest)

    def _micro_of(self, rows: int) -> int:
        return -(-rows // (self.batch_size * self.world_size))

    def order(self, epoch: int) -> Rows:
        """Give all row numbers in the order of an epoch.

        Args:
            epoch: Number of the epoch, from 0.

        Returns:
            A permutation of the rows.
        """
        rows = len(self.lengths)
        return epoch_order(rows, self.seed, epoch) if self.shuffle else np.arange(rows)

    def steps(self, epoch: int) -> Iterator[Rows]:
        """Give the rows of each optimiser step of an epoch.

        Args:
            epoch: Number of the epoch, from 0.

        Yields:
            Row numbers, `effective_batch` of them except in the last step.
        """
        order = self.order(epoch)
        for start in range(0, len(order), self.effective_batch):
            yield order[start : start + self.effective_batch]

    def micro_batches(self, epoch: int, rank: int) -> list[MicroBatch]:
        """Give what one device runs in an epoch.

        Args:
            epoch: Number of the epoch, from 0.
            rank: Number of the device, from 0.

        Returns:
            Its micro-batches in order; every device has the same number of them.
        """
        return [batch for rows in self.steps(epoch) for batch in self._deal(rows)[rank]]

    def _deal(self, rows: Rows) -> list[list[MicroBatch]]:
        """Deal the rows of a step into micro-batches, listed by device."""
        count = self._micro_of(len(rows)) * self.world_size
        groups = (self._balanced if self.pack else self._neighbours)(rows, count)
        tokens = int(self.supervised[rows].sum())
        batches = [MicroBatch(tuple(group), tokens) for group in groups]
        idle = MicroBatch((int(rows[0]),), tokens, counted=False)
        batches += [idle] * (count - len(batches))
        return [batches[rank :: self.world_size] for rank in range(self.world_size)]

    def _neighbours(self, rows: Rows, count: int) -> list[list[int]]:
        """Cut rows sorted by length into groups as even as can be."""
        ordered = rows[np.argsort(self.lengths[rows], kind="stable")]
        return [part.tolist() for part in np.array_split(ordered, min(count, len(rows)))]

    def _balanced(self, rows: Rows, count: int) -> list[list[int]]:
        """Give the longest row first to the group with the fewest tokens that has room."""
        groups: list[list[int]] = [[] for _ in range(count)]
        heap = [(0, number) for number in range(count)]
        for row in rows[np.argsort(-self.lengths[rows], kind="stable")].tolist():
            tokens, number = heapq.heappop(heap)
            groups[number].append(row)
            if len(groups[number]) < self.batch_size:
                heapq.heappush(heap, (tokens + int(self.lengths[row]), number))
        return [group for group in groups if group]


class PlanSampler(Sampler[T_co]):
    """Goes through one device's batches of the running epoch, from any of them on.

    Args:
        plan: The plan.
        rank: Number of the device.
    """

    def __init__(self, plan: Plan[T_co], rank: int = 0) -> None:
        self.plan = plan
        self.rank = rank
        self.epoch = 0
        self.start = 0

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch; Lightning calls this before each one. A new epoch starts at its start.

        Args:
            epoch: Number of the epoch, from 0.
        """
        if epoch != self.epoch:
            self.epoch, self.start = epoch, 0

    def set_start(self, start: int) -> None:
        """Leave out the batches of this epoch that were trained on before.

        Args:
            start: How many of them to leave out.
        """
        self.start = start

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.plan.micro_batches(self.epoch, self.rank)[self.start :])

    def __len__(self) -> int:
        return self.plan.micro_per_epoch
