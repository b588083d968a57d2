"""The progress bar of a run: loss, learning rate, speed, memory and time left."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import RichProgressBar

from sk2d.phases.resources import ResourceWatch

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule


class RunProgress(RichProgressBar):
    """Lightning's rich bar with readable figures and the time that is left of the whole run."""

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Start the clock.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        super().on_train_start(trainer, module)
        self._first_step, self._begun = trainer.global_step, time.monotonic()

    def _left(self, trainer: Trainer) -> str | None:
        """Estimate the rest of the run from the steps since its start, validation included."""
        done = trainer.global_step - self._first_step
        total = trainer.estimated_stepping_batches
        if done <= 0 or not math.isfinite(total):
            return None
        seconds = (time.monotonic() - self._begun) / done * max(0, total - trainer.global_step)
        return str(timedelta(seconds=round(seconds)))

    def get_metrics(
        self, trainer: Trainer, module: PhaseModule
    ) -> dict[str, int | str | float | dict[str, float]]:
        """Give the figures beside the bar.

        Args:
            trainer: The trainer.
            module: The module.

        Returns:
            Text by name.
        """
        figures = super().get_metrics(trainer, module)
        figures.pop("v_num", None)
        left = self._left(trainer) if trainer.training else None
        figures |= {"run left": left} if left else {}
        figures |= ResourceWatch.line_of(trainer)
        return {
            name: f"{value:.3g}" if isinstance(value, float) else value
            for name, value in figures.items()
        }
