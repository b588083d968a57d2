"""Trains in one precision, as `fit` does, and answers one line of JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from lightning.pytorch import Callback, Trainer

from benchmarks.throughput.job import peak_gib
from sk2d.commands.command_line import RunCommandLine
from sk2d.commands.fit import build
from sk2d.errors import Sk2dError, TrainingStopped
from sk2d.hardware import process_memory_bytes, set_allocator
from sk2d.models.loss import supervised_loss

GIB = 2**30
ANSWER = "answer: "


@dataclass(frozen=True)
class Job:
    """One run.

    Args:
        base: Folder of the base model.
        train: File with rows.
        held_out: File with rows that are not trained on.
        output: Folder for what the run writes.
        precision: Lightning's precision, or auto.
        quantization: Packing of the frozen weights, or None.
        lora: Whether adapters are trained, else every weight.
        refused: Whether the check of the precision is passed by.
        gpu: Whether it runs on a GPU.
        steps: Optimiser steps.
        rows_per_step: Rows of an optimiser step.
        micro_batch: Rows at a time.
        cutoff: The most tokens of a row.
        lr: Learning rate, constant.
        sample_tokens: Tokens of the sample.
        checkpointing: Whether activations are recomputed.
    """

    base: str
    train: str
    held_out: str
    output: str
    precision: str
    quantization: str | None
    lora: bool
    refused: bool
    gpu: bool
    steps: int
    rows_per_step: int
    micro_batch: int
    cutoff: int
    lr: float
    sample_tokens: int
    checkpointing: bool


@dataclass
class Outcome:
    """What a run measured, or why there is nothing to measure.

    Args:
        refused: What `fit` says instead of running it, or None.
        ended: What ended it before its last step, or None.
        precision: Lightning's precision that it ran in.
        steps: Optimiser steps done.
        skipped: Steps that the loss scaler skipped besides.
        losses: Training loss of each step, in nats per token.
        held_out_loss: Loss of the held-out rows after the last step.
        tokens_per_s: Of the steps but the first.
        peak_gib: On a GPU the most that was allocated, on a CPU the most that the process grew by.
        reserved_gib: On a GPU what torch's allocator held at most.
        sample: What the trained model answers to the first held-out row.
    """

    refused: str | None = None
    ended: str | None = None
    precision: str | None = None
    steps: int = 0
    skipped: int = 0
    losses: list[float] = field(default_factory=list)
    held_out_loss: float | None = None
    tokens_per_s: float | None = None
    peak_gib: float | None = None
    reserved_gib: float | None = None
    sample: str | None = None


class LastStepDone(Exception):
    """The run has been measured; what `fit` would write now is not wanted."""


class Meter(Callback):
    """Reads each step's figures and ends the run after the last one.

    Args:
        job: The run.
        outcome: Where the figures go.
    """

    def __init__(self, job: Job, outcome: Outcome) -> None:
        self.job = job
        self.outcome = outcome
        self.tokens = 0
        self.seconds = 0.0

    def on_train_batch_end(self, trainer: Trainer, module: Any, *args: Any) -> None:
        """Note a step; after the last one, measure the rest.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.

        Raises:
            LastStepDone: It was the last one.
        """
        row = module.step_row
        if row is None:
            return
        self.outcome.losses.append(row.loss)
        self.outcome.steps = len(self.outcome.losses)
        self.outcome.skipped += int(getattr(row, "skipped", 0))
        if self.outcome.steps > 1:
            self.tokens += row.tokens
            self.seconds += row.seconds
            self.outcome.tokens_per_s = self.tokens / self.seconds
        if self.outcome.steps == self.job.steps:
            self.outcome.peak_gib = peak_of_training(module.device)
            self.outcome.reserved_gib = reserved(module.device)
            self.outcome.held_out_loss = held_out_loss(trainer, module)
            self.outcome.sample = sample(trainer, module)
            raise LastStepDone


def peak_of_training(device: torch.device) -> float:
    """Give the most memory that training took so far.

    Args:
        device: Device of the model.

    Returns:
        GiB: allocated on a GPU, resident in the whole process on a CPU.
    """
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device) / GIB
    return peak_gib()


def reserved(device: torch.device) -> float | None:
    """Give the most memory that torch's allocator held on a GPU.

    Args:
        device: Device of the model.

    Returns:
        GiB, or None on a CPU.
    """
    return torch.cuda.max_memory_reserved(device) / GIB if device.type == "cuda" else None


@torch.no_grad()
def held_out_loss(trainer: Trainer, module: Any) -> float:
    """Compute the loss of the held-out rows in the precision of the run.

    Args:
        trainer: The trainer.
        module: The module.

    Returns:
        Nats per supervised token.
    """
    total, count = 0.0, 0
    module.loaded.eval()
    for batch in trainer.datamodule.val_dataloader():  # type: ignore[attr-defined]
        there = module.transfer_batch_to_device(batch, module.device, 0)
        with trainer.precision_plugin.forward_context():
            summed = supervised_loss(module.loaded, there, chunk=module.loss_chunk)
        total, count = total + float(summed.loss), count + summed.tokens
    return total / count


def sample(trainer: Trainer, module: Any) -> str:
    """Let the trained model answer the first held-out row.

    Args:
        trainer: The trainer.
        module: The module.

    Returns:
        The answer.
    """
    row = trainer.datamodule.sample_rows(1)[0]  # type: ignore[attr-defined]
    return str(module.answer([module.prompt.render(row.source)])[0].text)


def options(job: Job, precision: str) -> list[str]:
    """Give the command line of the run.

    Args:
        job: The run.
        precision: Lightning's precision.

    Returns:
        Options of `fit`.
    """
    values = {
        "model.base": job.base,
        "model.lr": job.lr,
        "model.schedule": "{kind: constant, warmup: 0.0}",
        "model.gradient_checkpointing": str(job.checkpointing).lower(),
        "model.max_new_tokens": job.sample_tokens,
        "data.train": job.train,
        "data.val": job.held_out,
        "data.cutoff": job.cutoff,
        "data.too_long": "cut_prompt",
        "data.effective_batch": job.rows_per_step,
        "data.batch_size": job.micro_batch,
        "data.cache_dir": str(Path(job.output) / "cache"),
        "trainer.precision": precision,
        "trainer.max_epochs": -1,
        "trainer.max_steps": job.steps + 1,  # the meter ends the run one step earlier
        "trainer.limit_val_batches": 0,
        "trainer.enable_progress_bar": "false",
        "trainer.default_root_dir": str(Path(job.output) / "run"),
    }
    if not job.lora:
        values["model.lora"] = "null"
    if job.quantization:
        values["model.quantization"] = job.quantization
    if job.gpu:
        values |= {"trainer.accelerator": "gpu", "trainer.devices": 1}
    configs = ["--config", "skeleton.yaml", *([] if job.gpu else ["--config", "cpu.yaml"])]
    return [*configs, "--overwrite", *(f"--{key}={value}" for key, value in values.items())]


def built(job: Job, outcome: Outcome) -> RunCommandLine | None:
    """Build the run, past the check of the precision where the job says so.

    Args:
        job: The run.
        outcome: Where a refusal goes.

    Returns:
        The run, or None when it was refused for good.
    """
    try:
        return build("fit", options(job, job.precision))
    except Sk2dError as error:
        outcome.refused = str(error).replace("\n", " ")
        if not job.refused:
            return None
    line = build("fit", options(job, "32-true"))
    if line is not None:
        line.trainer = line.instantiate_trainer(precision=job.precision)
    return line


def train(job: Job) -> Outcome:
    """Run a job.

    Args:
        job: The run.

    Returns:
        What it measured.
    """
    outcome = Outcome()
    line = built(job, outcome)
    if line is None:
        return outcome
    if not job.gpu:
        set_allocator(sparing=line.model.gradient_checkpointing)
    outcome.precision = str(line.trainer.precision)
    callbacks: list[Callback] = line.trainer.callbacks  # type: ignore[attr-defined]
    callbacks.append(Meter(job, outcome))
    before = 0.0 if job.gpu else process_memory_bytes() / GIB
    try:
        line.trainer.fit(line.model, datamodule=line.datamodule)
    except LastStepDone:
        assert outcome.peak_gib is not None, "it was measured at the last step"
        outcome.peak_gib -= before
    except (TrainingStopped, RuntimeError) as error:
        outcome.ended = " ".join(str(error).split())
    return outcome


def main() -> int:
    """Run the job that the command line names."""
    job = Job(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print(ANSWER + json.dumps(asdict(train(job))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
