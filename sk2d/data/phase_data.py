"""What the data of every way of training has: a position, a summary, a hash."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, ClassVar

from lightning.pytorch import LightningDataModule

from sk2d.data.loaders import Position, go_to
from sk2d.data.plan import PlanSampler
from sk2d.errors import UserError


class PhaseData(LightningDataModule):
    """Data whose training can be resumed at any batch."""

    fixed: ClassVar[tuple[str, ...]] = ()
    """Settings that must not change between a run and its resumption."""

    seed: int

    def __init__(self) -> None:
        super().__init__()
        self.position = Position()
        self._training: PlanSampler[Any] | None = None
        self._summary: dict[str, Any] = {}

    def check(self) -> list[UserError]:
        """Check the settings without reading a row.

        Returns:
            All mistakes; `where` is the key, such as `data.cutoff`.

        Raises:
            NotImplementedError: The subclass has none.
        """
        raise NotImplementedError

    @property
    def summary(self) -> dict[str, Any]:
        """Counts of the stage that was set up: rows read, kept, left out, and the hash."""
        return dict(self._summary)

    @property
    def data_hash(self) -> str:
        """Hex digits that change with the text, the order or the split of the rows in use."""
        return str(self._summary["data_hash"])

    def advance(self, epoch: int, done: int) -> None:
        """Note how far training has come; a batch that is only fetched does not count.

        Args:
            epoch: Number of the running epoch, from 0.
            done: How many batches of it were trained on.
        """
        self.position.epoch, self.position.done = epoch, done

    def state_dict(self) -> dict[str, int]:
        """Give the position in the epoch as plain numbers."""
        return asdict(self.position)

    def load_state_dict(self, state_dict: dict[str, int]) -> None:
        """Take up a position; training starts there.

        Args:
            state_dict: What `state_dict` gave.
        """
        self.advance(state_dict["epoch"], state_dict["done"])
        if self._training is not None:  # an engine is restored after the loader was made
            go_to(self._training, self.position)

    def start(self, sampler: PlanSampler[Any]) -> None:
        """Let the sampler of the training go on behind the restored position.

        Args:
            sampler: The sampler.
        """
        go_to(sampler, self.position)
        running = self.trainer.current_epoch if self.trainer else 0
        sampler.set_epoch(max(running, sampler.epoch))
        self._training = sampler

    @property
    def world_size(self) -> int:
        """How many devices share the rows."""
        return int(self.trainer.world_size) if self.trainer else 1

    @property
    def rank(self) -> int:
        """Number of this process's device."""
        return int(self.trainer.global_rank) if self.trainer else 0
