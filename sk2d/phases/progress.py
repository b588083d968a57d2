"""The progress bar of a run: loss, learning rate, speed, memory and time left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import RichProgressBar

if TYPE_CHECKING:
    from sk2d.phases.supervised import SupervisedModule


class RunProgress(RichProgressBar):
    """Lightning's rich bar with readable figures and without its version counter."""

    def get_metrics(
        self, trainer: Trainer, module: SupervisedModule
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
        return {
            name: f"{value:.3g}" if isinstance(value, float) else value
            for name, value in figures.items()
        }
