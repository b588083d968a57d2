"""Learning-rate schedule: warm-up, then cosine, linear or constant, down to a floor.

The factor is a pure function of the step, so a resumed run continues on the same curve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Schedule:
    """Shape of the learning rate over a run.

    Args:
        kind: Curve after the warm-up.
        warmup: Length of the warm-up as a share of all steps.
        min_ratio: Lowest learning rate as a share of the highest.
        interval: Whether the curve moves with every optimiser step or once per epoch.
    """

    kind: Literal["cosine", "linear", "constant"] = "cosine"
    warmup: float = 0.02
    min_ratio: float = 0.1
    interval: Literal["step", "epoch"] = "step"

    def factor(self, step: int, total: int) -> float:
        """Give the learning rate at a step as a share of the highest.

        Args:
            step: Optimiser steps (or epochs, by `interval`) that are already done.
            total: Steps (or epochs) of the whole run.

        Returns:
            A number in (0, 1]; warm-up starts at 1 / warm-up steps, not at 0.
        """
        warm = math.ceil(self.warmup * total)
        if step < warm:
            return (step + 1) / warm
        progress = min(1.0, (step - warm) / max(1, total - warm))
        if self.kind == "constant":
            return 1.0
        shape = 0.5 * (1 + math.cos(math.pi * progress)) if self.kind == "cosine" else 1 - progress
        return self.min_ratio + (1 - self.min_ratio) * shape
