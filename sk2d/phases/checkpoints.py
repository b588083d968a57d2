"""When a run is checkpointed, and how many checkpoints are kept."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import Checkpoint
from lightning.pytorch.utilities.rank_zero import rank_zero_warn

from sk2d.models.strategies.checkpoint_folder import delete
from sk2d.phases.attached import callback_of, is_trial, module_of
from sk2d.phases.checkpoint_files import (
    LAST,
    SUFFIX,
    TEMPORARY,
    link_atomically,
    newest_first,
    step_of,
)

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

SET_ASIDE = "set-aside"
BEST = re.compile(r"best-[a-z]+(?P<value>-?[0-9.]+(e[+-]\d+)?)-step\d+" + re.escape(SUFFIX))


class RunModelCheckpoint(Checkpoint):
    """Keeps the newest checkpoints and the best ones by validation loss, in RL by reward.

    What is kept is decided by the folder's contents alone, so a run that was killed anywhere
    leaves nothing behind that a later run would not clear away.

    Args:
        dirpath: Folder; null means `checkpoints` in the run folder.
        every_n_train_steps: Optimiser steps between two checkpoints.
        keep: How many of the newest are kept.
        save_top_k: How many of the best are kept besides; 0 for none.
        save_last: Whether `last.ckpt` is a link to the newest.
    """

    def __init__(
        self,
        dirpath: str | None = None,
        every_n_train_steps: int = 100,
        keep: int = 2,
        save_top_k: int = 1,
        save_last: bool = True,
    ) -> None:
        assert every_n_train_steps >= 1, "every_n_train_steps must be at least 1"
        assert keep >= 1, "keep must be at least 1"
        self.dirpath = dirpath
        self.every_n_train_steps = every_n_train_steps
        self.keep = keep
        self.save_top_k = save_top_k
        self.save_last = save_last
        self.own: set[Path] = set()

    @staticmethod
    def of(trainer: Trainer) -> RunModelCheckpoint:
        """Find the callback of a trainer.

        Args:
            trainer: A trainer that the command line or `run_callbacks` built.

        Returns:
            The callback.
        """
        return callback_of(trainer, RunModelCheckpoint)

    def folder(self, trainer: Trainer) -> Path:
        """Give the folder of the run's checkpoints.

        Args:
            trainer: The trainer.

        Returns:
            The configured folder, or `checkpoints` in the run folder.
        """
        return Path(self.dirpath or Path(trainer.default_root_dir) / "checkpoints")

    def on_fit_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Clear away what a killed run left half written.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if trainer.is_global_zero:
            for stale in self.folder(trainer).glob(f".*{TEMPORARY}"):
                delete(stale)

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Set aside the checkpoints after the step that a resumed run stands on.

        They belong to the run as it went on before; among those of this run they would pass for
        newer ones.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        self.own = {Path(trainer.ckpt_path)} if trainer.ckpt_path else set()
        if trainer.is_global_zero:
            later = [
                p for p in newest_first(self.folder(trainer)) if step_of(p) > trainer.global_step
            ]
            set_aside(later)

    def on_train_batch_end(self, trainer: Trainer, module: PhaseModule, *args: Any) -> None:
        """Save after every so many optimiser steps.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.
        """
        at_step = module.step_row is not None
        if at_step and trainer.global_step % self.every_n_train_steps == 0:
            self.save_now(trainer)

    def on_train_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Save the end of the run, from which it may be continued with more epochs.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        self.save_now(trainer)

    def save_now(self, trainer: Trainer) -> Path | None:
        """Save the last optimiser step, unless it is saved already.

        Args:
            trainer: The trainer.

        Returns:
            The file, or None when no step has been taken.
        """
        boundary = module_of(trainer).boundary
        if boundary is None or is_trial(trainer):
            return None
        path = self.folder(trainer) / f"step{boundary.step:08d}{SUFFIX}"
        self._save(trainer, path, wanted=True)
        if trainer.is_global_zero:
            self._keep_newest(path)
        return path

    def _keep_newest(self, newest: Path) -> None:
        if self.save_last:
            link_atomically(newest.parent / LAST, newest)
        plain = [path for path in newest_first(newest.parent) if path.name.startswith("step")]
        for old in plain[self.keep :]:
            delete(old)

    def _save(self, trainer: Trainer, path: Path, *, wanted: bool) -> None:
        """Save a file unless this run has it; the first process decides for all.

        Saving waits for every process, and one that sees the first one's file would not come. A
        file of the same name that is not of this run (or is damaged) is replaced.
        """
        there = path in self.own and path.exists()
        if trainer.strategy.broadcast(wanted and not there):
            trainer.save_checkpoint(path, weights_only=False)
            self.own.add(path)

    def on_validation_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Save when the validation is among the best.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        name, higher = module.best_by
        value = float(trainer.callback_metrics.get(f"val/{name}", math.nan))
        idle = trainer.sanity_checking or is_trial(trainer) or trainer.state.fn != "fit"
        if idle or module.boundary is None or not math.isfinite(value) or not self.save_top_k:
            return
        path = (
            self.folder(trainer) / f"best-{name}{value:.6f}-step{module.boundary.step:08d}{SUFFIX}"
        )
        files = {*best_files(path.parent), path}
        kept = sorted(files, key=best_value, reverse=higher)[: self.save_top_k]
        self._save(trainer, path, wanted=path in kept)
        if trainer.is_global_zero:
            for old in set(best_files(path.parent)) - set(kept):
                delete(old)


def set_aside(files: list[Path]) -> None:
    """Move checkpoints into a folder of their own, where nothing looks for them.

    Args:
        files: Checkpoints of one folder.
    """
    if not files:
        return
    folder = files[0].parent / f"{SET_ASIDE}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder.mkdir(exist_ok=True)
    for path in files:
        path.rename(folder / path.name)
    rank_zero_warn(
        f"this run goes on from an earlier step: {len(files)} later checkpoint(s) of the run "
        f"before are set aside in {folder}"
    )


def best_value(path: Path) -> float:
    """Read the value of the validation out of a best checkpoint's name.

    Args:
        path: File such as `best-loss0.412000-step00000120.ckpt`.

    Returns:
        The value: a loss in nats per token, or a reward.
    """
    match = BEST.fullmatch(path.name)
    assert match, f"{path} is not a best checkpoint"
    return float(match.group("value"))


def best_files(folder: Path) -> list[Path]:
    """List the best checkpoints of a folder.

    Args:
        folder: A run's folder of checkpoints.

    Returns:
        Files, in no special order.
    """
    return [path for path in folder.glob("best-*" + SUFFIX) if BEST.fullmatch(path.name)]
