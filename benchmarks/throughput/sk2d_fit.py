"""The contender sk2d: what `python cli.py fit` builds, with a clock among its callbacks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from lightning.pytorch import Callback, Trainer

from benchmarks.throughput.job import Clock, Job
from sk2d.commands.fit import build
from sk2d.hardware import set_allocator


class StepClock(Callback):
    """Reads each step's figures from the module and answers when training has ended."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.first_loss = 0.0

    def on_train_batch_end(self, trainer: Trainer, module: Any, *args: Any) -> None:
        """Note a step.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.
        """
        row = module.step_row
        if row is None:
            return
        if row.step == 1:
            self.first_loss = row.loss
        self.clock.batch(row.supervised, row.tokens, row.tokens)  # packed: there is no padding
        self.clock.step()
        if row.step == trainer.max_steps:  # before the run saves its model
            self.clock.answer(self.first_loss)


def options(job: Job) -> list[str]:
    """Give the command line of the run.

    Args:
        job: The run.

    Returns:
        Options of `fit`.
    """
    values = {
        "model.base": job.base,
        "model.lora": f"{{rank: {job.rank}, alpha: {job.alpha}, targets: all-linear}}",
        "model.lr": job.lr,
        "model.schedule": "{kind: constant, warmup: 0.0}",
        "model.gradient_checkpointing": str(job.checkpointing).lower(),
        "data.train": job.texts,
        "data.val_share": 0.0,
        "data.cutoff": job.cutoff,
        "data.too_long": "cut_prompt",
        "data.effective_batch": job.rows_per_step,
        "data.batch_size": job.micro_batch,
        "data.seed": job.seed,
        "data.cache_dir": str(Path(job.output) / "cache"),
        "trainer.max_steps": job.steps,
        "trainer.max_epochs": -1,
        "trainer.enable_progress_bar": "false",
        "trainer.default_root_dir": str(Path(job.output) / "run"),
    }
    configs = ["--config", "skeleton.yaml", "--config", "cpu.yaml", "--overwrite"]
    return configs + [f"--{key}={value}" for key, value in values.items()]


def main() -> int:
    """Train as `fit` does."""
    line = build("fit", options(Job.from_arguments()))
    assert line is not None, "the options ask for a run"
    set_allocator(sparing=line.model.gradient_checkpointing)
    line.trainer.callbacks.append(StepClock())
    line.trainer.fit(line.model, datamodule=line.datamodule)
    return 0


if __name__ == "__main__":
    sys.exit(main())
