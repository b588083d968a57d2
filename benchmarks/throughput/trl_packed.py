"""The contender TRL: `SFTTrainer` with packing, in a virtual environment of its own."""

from __future__ import annotations

import sys

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer

from benchmarks.throughput.hf_trainer import (
    CountingCollator,
    StepClock,
    adapters,
    first_loss,
    shared_settings,
)
from benchmarks.throughput.job import Clock, Job

# Packs of up to the cutoff hold about two of the released rows, so this is about four rows a step.
PACKS_PER_STEP = 2


def main() -> int:
    """Train."""
    job, clock = Job.from_arguments(), Clock()
    rows = job.examples()
    tokenizer = AutoTokenizer.from_pretrained(job.base)
    trainer = SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(job.base, dtype=torch.float32),
        args=SFTConfig(
            **shared_settings(job),
            per_device_train_batch_size=PACKS_PER_STEP,
            num_train_epochs=1,
            packing=True,
            max_length=job.cutoff,
        ),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=adapters(job),
        callbacks=[StepClock(clock)],
    )
    collator = trainer.data_collator
    trainer.data_collator = CountingCollator(collator, clock)
    loss = first_loss(trainer, collator, rows[: job.rows_per_step])
    trainer.train()
    clock.answer(loss)
    return 0


if __name__ == "__main__":
    sys.exit(main())
