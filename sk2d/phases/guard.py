"""Stops a run whose loss or gradient says that going on would waste it."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any

import torch
from lightning.pytorch import Callback, Trainer

from sk2d.errors import TrainingStopped
from sk2d.models.strategies import deepspeed_of
from sk2d.phases.checkpoint_files import newest_first

if TYPE_CHECKING:
    from sk2d.data.batches import Batch
    from sk2d.phases.phase_module import PhaseModule

NON_FINITE = (
    "Lower model.lr, lengthen model.schedule.warmup, or train in a precision with a wider range "
    "(trainer.precision: 32-true, or bf16-mixed where the GPU has it)"
)
DIVERGED = "Lower model.lr or set trainer.gradient_clip_val, and resume from the checkpoint before"
OVERFLOW = (
    "The gradients do not fit into fp16 at any scale: lower model.lr, or train in 32-true, or in "
    "bf16-mixed where the GPU has it"
)
MARGIN = 0.1  # nats: a warm start at a tiny loss may wander
ZERO = "Look at a row with --data.preview 1: either no token is supervised or the data is learnt"


class LossGuard(Callback):
    """Ends a run on a non-finite, zero or diverging loss, before the weights are spoilt.

    The loss diverges when the median of the last `window` steps is more than `factor` times the
    median of the first `window` steps, and at least 0.1 above it.

    Args:
        window: Steps in a median.
        factor: How far above its beginning the loss may rise.
        max_skipped: Steps in a row that the loss scaler may leave out in fp16.
    """

    def __init__(self, window: int = 20, factor: float = 1.5, max_skipped: int = 20) -> None:
        self.window = window
        self.factor = factor
        self.max_skipped = max_skipped
        self.first: list[float] = []
        self.recent: list[float] = []

    def state_dict(self) -> dict[str, Any]:
        """Give the losses that the medians are taken over."""
        return {"first": list(self.first), "recent": list(self.recent)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take the losses of a resumed run.

        Args:
            state_dict: What `state_dict` returned.
        """
        self.first, self.recent = list(state_dict["first"]), list(state_dict["recent"])

    def on_before_backward(self, trainer: Trainer, module: PhaseModule, loss: torch.Tensor) -> None:
        """Stop on a non-finite loss before it reaches a gradient.

        Args:
            trainer: The trainer.
            module: The module in training.
            loss: Loss of the micro-batch.
        """
        if not torch.isfinite(loss):
            stop_run(trainer, f"the loss became {loss.item()}", NON_FINITE)

    def on_before_optimizer_step(
        self, trainer: Trainer, module: PhaseModule, optimizer: torch.optim.Optimizer
    ) -> None:
        """Measure the gradient's norm and stop when it is not finite.

        A gradient scaler looks for overflow itself and skips the step, so it is left to that.

        Args:
            trainer: The trainer.
            module: The module in training.
            optimizer: The optimiser that is about to step.
        """
        if deepspeed_of(trainer):
            return  # its gradients are shared out; the step tells their norm
        gradients = [weight.grad for weight in module.parameters() if weight.grad is not None]
        module.grad_norm = float(torch.nn.utils.get_total_norm(gradients))
        scaler = getattr(trainer.precision_plugin, "scaler", None)
        if scaler is None and not math.isfinite(module.grad_norm):
            stop_run(trainer, f"the norm of the gradient became {module.grad_norm}", NON_FINITE)

    def on_train_batch_end(
        self, trainer: Trainer, module: PhaseModule, outputs: Any, batch: Batch, batch_idx: int
    ) -> None:
        """Look at a step's loss and at the trend.

        Args:
            trainer: The trainer.
            module: The module in training.
            outputs: What `training_step` returned.
            batch: The micro-batch.
            batch_idx: Its number in the epoch.
        """
        if module.step_row is None:
            return
        self.check_skips(trainer, module)
        loss, norm = module.step_row.loss, module.step_row.grad_norm
        engine = deepspeed_of(trainer)
        if engine and not engine.skipped_last and not math.isfinite(norm):
            stop_run(trainer, f"the norm of the gradient became {norm}", NON_FINITE)
        if loss == 0.0:
            stop_run(trainer, "the loss is exactly 0", ZERO)
        self.recent = [*self.recent, loss][-self.window :]
        if len(self.first) < self.window:
            self.first.append(loss)
            return
        start, now = statistics.median(self.first), statistics.median(self.recent)
        if now > max(self.factor * start, start + MARGIN):
            stop_run(
                trainer, f"the loss diverges: from {start:.3g} at first to {now:.3g}", DIVERGED
            )

    def check_skips(self, trainer: Trainer, module: PhaseModule) -> None:
        """Stop when the loss scaler has left out too many steps in a row.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if module.skips.in_a_row >= self.max_skipped:
            what = f"{module.skips.in_a_row} steps in a row overflowed in fp16"
            stop_run(trainer, what, OVERFLOW)


def stop_run(trainer: Trainer, what: str, remedy: str) -> None:
    """Stop a run, and name its newest checkpoint.

    Args:
        trainer: The trainer.
        what: What happened.
        remedy: What to do about it.

    Raises:
        TrainingStopped: Always.
    """
    folders = [c.folder(trainer) for c in trainer.checkpoint_callbacks if hasattr(c, "folder")]
    files = [path for folder in folders for path in newest_first(folder)]
    best = [path for path in files if path.name.startswith("best-")]
    good = f"The newest checkpoint is {files[0]}" if files else "No checkpoint had been written yet"
    good += f", the best one {best[0]}" if best else ""
    raise TrainingStopped(f"step {trainer.global_step}: {what}. {good}. {remedy}.")
