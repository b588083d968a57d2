"""The contender `transformers.Trainer`: rows padded to the longest of their batch."""

from __future__ import annotations

import sys
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

from benchmarks.throughput.job import IGNORED, Clock, Job


class StepClock(TrainerCallback):
    """Notes the end of each optimiser step."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def on_step_end(self, *args: Any, **kwargs: Any) -> None:
        """Note a step.

        Args:
            args: The arguments of the hook.
            kwargs: The same.
        """
        self.clock.step()


class CountingCollator:
    """Counts what a collator makes of rows.

    Args:
        collator: The collator.
        clock: Where the counts go.
    """

    def __init__(self, collator: Any, clock: Clock) -> None:
        self.collator = collator
        self.clock = clock

    def __call__(self, rows: list[dict[str, Any]]) -> Any:
        """Collate and count.

        Args:
            rows: Rows of one optimiser step.

        Returns:
            What the collator makes.
        """
        batch = self.collator(rows)
        supervised = int((batch["labels"] != IGNORED).sum())
        real = sum(len(row["input_ids"]) for row in rows)
        self.clock.batch(supervised, real, batch["input_ids"].numel())
        return batch


def shared_settings(job: Job) -> dict[str, Any]:
    """Give the training arguments that do not depend on how rows become batches.

    Args:
        job: The run.

    Returns:
        Arguments of `TrainingArguments` and its descendants.
    """
    return {
        "output_dir": job.output,
        "learning_rate": job.lr,
        "lr_scheduler_type": "constant",
        "weight_decay": 0.0,
        "max_grad_norm": 1.0,
        "gradient_checkpointing": job.checkpointing,
        "gradient_checkpointing_kwargs": {"use_reentrant": False},
        "seed": job.seed,
        "use_cpu": True,
        "bf16": False,
        "save_strategy": "no",
        "report_to": "none",
        "logging_steps": 1,
        "disable_tqdm": True,
    }


def adapters(job: Job) -> LoraConfig:
    """Give the settings of the adapters.

    Args:
        job: The run.

    Returns:
        LoRA on every linear layer.
    """
    return LoraConfig(
        task_type="CAUSAL_LM", r=job.rank, lora_alpha=job.alpha, target_modules="all-linear"
    )


def first_loss(trainer: Trainer, collator: Any, rows: list[dict[str, Any]]) -> float:
    """Compute the loss of the first rows by the trainer's own means, before any step.

    Args:
        trainer: The trainer.
        collator: Makes a batch of rows.
        rows: The rows.

    Returns:
        The mean over their supervised tokens.
    """
    trainer.model.eval()
    with torch.no_grad():
        return float(trainer.compute_loss(trainer.model, dict(collator(rows))))


def main() -> int:
    """Train."""
    job, clock = Job.from_arguments(), Clock()
    model = AutoModelForCausalLM.from_pretrained(job.base, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(job.base)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    collator = DataCollatorForSeq2Seq(tokenizer)  # the one that pads labels, too
    settings = shared_settings(job)
    rows = job.examples()
    trainer = Trainer(
        model=get_peft_model(model, adapters(job)),
        args=TrainingArguments(
            **settings,
            per_device_train_batch_size=job.rows_per_step,
            train_sampling_strategy=job.strategy,
            max_steps=job.steps,
        ),
        train_dataset=rows,
        data_collator=CountingCollator(collator, clock),
        callbacks=[StepClock(clock)],
    )
    loss = first_loss(trainer, collator, rows[: job.rows_per_step])
    trainer.train()
    clock.answer(loss)
    return 0


if __name__ == "__main__":
    sys.exit(main())
