"""The contender TRL: `GRPOTrainer`, in a virtual environment of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from benchmarks.rl_steps.job import Clock, Job, reward


class StepClock(TrainerCallback):
    """Notes the end of each step when its figures are logged, which is right after it.

    Args:
        clock: Where the times go.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def on_log(self, *args: Any, logs: dict[str, float], **kwargs: Any) -> None:
        """Note a step.

        Args:
            args: The arguments of the hook.
            logs: The figures.
            kwargs: The same as args.
        """
        if "completions/mean_length" in logs:
            self.clock.step(logs["completions/mean_length"])


def config(job: Job) -> GRPOConfig:
    """Give the settings of a run: one generation and one update per step, without a reference.

    Args:
        job: The run.

    Returns:
        The settings.
    """
    return GRPOConfig(
        output_dir=job.output,
        max_steps=job.steps,
        per_device_train_batch_size=job.prompts_per_step * job.answers,
        num_generations=job.answers,
        max_completion_length=job.max_new_tokens,
        temperature=1.0,
        loss_type=job.loss,
        scale_rewards="none" if job.loss == "dr_grpo" else "group",
        beta=0.0,
        num_iterations=1,
        shuffle_dataset=False,
        learning_rate=job.lr,
        lr_scheduler_type="constant",
        weight_decay=0.0,
        max_grad_norm=1.0,
        seed=job.seed,
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to="none",
        logging_steps=1,
        disable_tqdm=True,
    )


def main() -> int:
    """Train."""
    job, clock = Job.from_arguments(), Clock()
    rows = json.loads(Path(job.prompts).read_text(encoding="utf-8"))
    tokenizer = AutoTokenizer.from_pretrained(job.base)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token

    def paid(completions: list[str], key: list[str], **_: Any) -> list[float]:
        return [reward(of, text, job.flat) for of, text in zip(key, completions, strict=True)]

    adapters = LoraConfig(
        task_type="CAUSAL_LM", r=job.rank, lora_alpha=2 * job.rank, target_modules="all-linear"
    )
    trainer = GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(job.base, dtype=torch.float32),
        reward_funcs=paid,
        args=config(job),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=adapters if job.rank else None,
        callbacks=[StepClock(clock)],
    )
    trainer.train()
    clock.answer()
    return 0


if __name__ == "__main__":
    sys.exit(main())
