"""Turns micro-batches into one row of figures per optimiser step, which other callbacks read."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from lightning.pytorch import Callback, Trainer

from sk2d.hardware import process_memory_bytes
from sk2d.models.strategies import deepspeed_of
from sk2d.phases.attached import data_of
from sk2d.phases.resume import take_boundary

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

GIB = 2**30


@dataclass(frozen=True)
class StepRow:
    """Figures of one optimiser step.

    Args:
        step: Optimiser steps done, this one included.
        epoch: Epoch, from 0.
        loss: Mean loss of the step's supervised tokens, in nats.
        lr: Learning rate that the step was taken with.
        grad_norm: Euclidean norm of the gradient before clipping.
        tokens: Tokens that went through the model on this process.
        supervised: Supervised tokens of the step, over all processes.
        seconds: Wall time since the last step.
        tokens_per_s: `tokens / seconds`.
        memory_gib: Memory of the process (CPU) or peak of the GPU, in GiB.
        skipped: Steps of the run so far that the loss scaler left out (fp16), this one included.
    """

    step: int
    epoch: int
    loss: float
    lr: float
    grad_norm: float
    tokens: int
    supervised: int
    seconds: float
    tokens_per_s: float
    memory_gib: float
    skipped: int = 0


def memory_gib(device: torch.device) -> float:
    """Give the memory in use.

    Args:
        device: Device of the model.

    Returns:
        GiB: peak allocation on a GPU, resident memory of the process on a CPU.
    """
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device) / GIB
    return process_memory_bytes() / GIB


class StepMeter(Callback):
    """Puts a `StepRow` on the module after each optimiser step, and takes the run's state there.

    It has to be the first callback, so that the others find `module.step_row` fresh.
    """

    def __init__(self) -> None:
        self._seen = 0
        self._share: torch.Tensor | float = 0.0
        self._tokens = 0
        self._lr = 0.0
        self._started = 0.0

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Start counting at the step that the run stands on.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        module.step_row = None
        self._seen = trainer.global_step
        self._clear()

    def _clear(self) -> None:
        self._share, self._tokens, self._started = 0.0, 0, time.perf_counter()

    def on_before_optimizer_step(
        self, trainer: Trainer, module: PhaseModule, optimizer: torch.optim.Optimizer
    ) -> None:
        """Note the learning rate before the schedule moves it.

        Args:
            trainer: The trainer.
            module: The module in training.
            optimizer: The optimiser that is about to step.
        """
        self._lr = float(optimizer.param_groups[0]["lr"])

    def on_train_batch_end(
        self, trainer: Trainer, module: PhaseModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Add a micro-batch; at the end of a step, publish its row.

        Args:
            trainer: The trainer.
            module: The module in training.
            outputs: What `training_step` returned: `share` of the step's loss, `tokens` that went
                through the model, and `supervised`, those of the step that the loss is over.
            batch: The micro-batch.
            batch_idx: Its number in the epoch.
        """
        self._share = self._share + outputs["share"]
        self._tokens += outputs["tokens"]
        module.step_row = None
        if trainer.global_step == self._seen:
            return
        self._seen = trainer.global_step
        engine = deepspeed_of(trainer)
        if engine:
            module.grad_norm = engine.grad_norm()
        data_of(trainer).advance(trainer.current_epoch, batch_idx + 1)
        module.boundary = take_boundary(module)
        module.step_row = module.last_row = self._row(trainer, module, outputs)
        self._log(module, module.step_row)
        self._clear()

    def _row(self, trainer: Trainer, module: PhaseModule, outputs: dict[str, Any]) -> StepRow:
        seconds = time.perf_counter() - self._started
        share = torch.as_tensor(self._share, device=module.device)
        return StepRow(
            step=trainer.global_step,
            epoch=trainer.current_epoch,
            loss=float(trainer.strategy.reduce(share, reduce_op="sum")),
            lr=self._lr,
            grad_norm=float(module.grad_norm),
            tokens=self._tokens,
            supervised=outputs["supervised"],
            seconds=seconds,
            tokens_per_s=self._tokens / seconds,
            memory_gib=memory_gib(module.device),
            skipped=module.skips.total,
        )

    @staticmethod
    def _log(module: PhaseModule, row: StepRow) -> None:
        module.log("loss", row.loss, prog_bar=True)
        module.log("lr", row.lr, prog_bar=True)
        module.log("tok/s", row.tokens_per_s, prog_bar=True)
        module.log("GiB", row.memory_gib, prog_bar=True)
        module.log("grad_norm", row.grad_norm)
        if row.skipped:
            module.log("skipped", float(row.skipped), prog_bar=True)
