"""The contender sk2d: what `python cli.py fit` builds, with a clock among its callbacks."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lightning.pytorch import Callback, Trainer

from benchmarks.rl_steps.job import Clock, Job, reward
from sk2d.commands.fit import build
from sk2d.corpus.rl_rows import RlRow
from sk2d.hardware import set_allocator
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rl.grpo import SkeletonGrpo

FLAT = "SK2D_BENCHMARK_FLAT"
"""Variable that hands the share of flat prompts to the module, which the command line builds."""


class ChecksumReward:
    """The reward of the comparison.

    Args:
        flat: Share of the prompts whose answers all get the same.
    """

    def __init__(self, flat: float) -> None:
        self.flat = flat

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        """Judge answers.

        Args:
            candidates: Answers.

        Returns:
            Their scores.
        """
        return [
            Score(reward(each.reference, each.text, self.flat), Verdict.OK) for each in candidates
        ]

    def maximum(self, candidate: Candidate) -> float:
        """Give the most that an answer can get.

        Args:
            candidate: The row.

        Returns:
            1.
        """
        return 1.0


class ChecksumGrpo(SkeletonGrpo):
    """Phase 1 by GRPO with the reward of the comparison."""

    @functools.cached_property
    def judge(self) -> ChecksumReward:
        """The reward."""
        return ChecksumReward(float(os.environ[FLAT]))

    def unfit(self, rows: Sequence[RlRow]) -> list[str | None]:
        """Admit every row.

        Args:
            rows: Rows.

        Returns:
            No reasons.
        """
        return [None] * len(rows)


class StepClock(Callback):
    """Reads each step's figures from the module and answers when training has ended."""

    def __init__(self) -> None:
        self.clock = Clock()

    def on_train_batch_end(self, trainer: Trainer, module: Any, *args: Any) -> None:
        """Note a step.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.
        """
        self.clock.step(module.step_row.length)
        if trainer.global_step == trainer.max_steps:  # before the run saves its model
            self.clock.answer()


def options(job: Job) -> list[str]:
    """Give the command line of the run.

    Args:
        job: The run.

    Returns:
        Options of `fit`.
    """
    lora = f"{{rank: {job.rank}, alpha: {2 * job.rank}, targets: all-linear}}"
    values = {
        "model.class_path": "benchmarks.rl_steps.sk2d_fit.ChecksumGrpo",
        "model.variant": job.loss,
        "model.base": job.base,
        "model.lora": lora if job.rank else "null",
        "model.lr": job.lr,
        "model.max_new_tokens": job.max_new_tokens,
        "model.rollouts.answers": job.answers,
        "model.update": "{kl: 0.0, mask_truncated: false, clip_grad: 1.0}",
        "data.train": job.rows,
        "data.val_share": 0.0,
        "data.effective_batch": job.prompts_per_step,
        "data.batch_size": job.prompts_per_step,
        "data.seed": job.seed,
        "trainer.max_steps": job.steps,
        "trainer.max_epochs": -1,
        "trainer.enable_progress_bar": "false",
        "trainer.default_root_dir": str(Path(job.output) / "run"),
    }
    configs = ["--config", "rl_skeleton.yaml", "--config", "cpu.yaml", "--overwrite"]
    return configs + [f"--{key}={value}" for key, value in values.items()]


def main() -> int:
    """Train as `fit` does."""
    job = Job.from_arguments()
    os.environ[FLAT] = str(job.flat)
    line = build("fit", options(job))
    assert line is not None, "the options ask for a run"
    set_allocator(sparing=False)
    line.trainer.callbacks.append(StepClock())
    line.trainer.fit(line.model, datamodule=line.datamodule)
    return 0


if __name__ == "__main__":
    sys.exit(main())
