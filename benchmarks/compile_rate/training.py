"""The trainings of the experiment, each as `python cli.py fit` in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from sk2d.models.tiny import make_tiny, texts_of

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Run:
    """A run of reinforcement learning.

    Args:
        reward: strict, paper or random.
        seed: Seed of the order of prompts and of the answers.
    """

    reward: str
    seed: int

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"{self.reward}-{self.seed}"


@dataclass(frozen=True)
class Recipe:
    """What all trainings share.

    Args:
        epochs: Rounds of supervised training over its rows.
        minutes: Length of a run of reinforcement learning.
        max_new_tokens: Longest answer.
        lr: Learning rate of reinforcement learning.
        prompts: Prompts of a step.
        answers: Answers to each prompt.
        temperature: What logits are divided by when answers are drawn.
    """

    epochs: int
    minutes: float
    max_new_tokens: int
    lr: float
    prompts: int
    answers: int
    temperature: float


def supervised(rows: Path, folder: Path, recipe: Recipe) -> Path:
    """Train the model that reinforcement learning starts from.

    Args:
        rows: SFT rows.
        folder: Folder for the base and the run.
        recipe: How long.

    Returns:
        Model folder.
    """
    model = folder / "run" / "model"
    if not model.exists():
        base = folder / "base"
        if not base.exists():
            make_base(rows, base)
        fit(
            *("--config", "skeleton.yaml", "--config", "cpu_tiny.yaml", "--overwrite"),
            f"--model.base={base}",
            "--model.lr=1e-3",
            f"--data.train={rows}",
            "--data.val_share=0",
            *("--data.cutoff=640", "--data.batch_size=16", "--data.effective_batch=16"),
            f"--trainer.max_epochs={recipe.epochs}",
            f"--trainer.default_root_dir={folder / 'run'}",
        )
    return model


def reinforced(run: Run, start: Path, rows: Path, folder: Path, recipe: Recipe) -> Path:
    """Train by GRPO for a time.

    Args:
        run: Reward and seed.
        start: Model folder to start from.
        rows: RL rows.
        folder: Run folder.
        recipe: How.

    Returns:
        Model folder.
    """
    if run.reward == "random":
        chosen = ["--model.class_path=benchmarks.compile_rate.random_reward.RandomGrpo"]
    else:
        chosen = [f"--model.reward.mode={run.reward}"]
    if not (folder / "model").exists():
        seconds = round(60 * recipe.minutes)
        fit(
            *("--config", "rl_skeleton.yaml", "--config", "cpu_tiny.yaml", "--overwrite"),
            *chosen,
            f"--model.base={start}",
            f"--model.lr={recipe.lr}",
            f"--model.max_new_tokens={recipe.max_new_tokens}",
            f"--model.rollouts.answers={recipe.answers}",
            f"--model.rollouts.temperature={recipe.temperature}",
            f"--data.train={rows}",
            "--data.val_share=0",
            *("--data.cutoff=512", f"--data.effective_batch={recipe.prompts}"),
            f"--data.seed={run.seed}",
            "--trainer.max_epochs=1000",
            f"--trainer.max_time=00:{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
            f"--trainer.default_root_dir={folder}",
        )
    return folder / "model"


def make_base(rows: Path, folder: Path) -> None:
    """Make the random model.

    Args:
        rows: Rows that its tokenizer is trained on.
        folder: Model folder to write.
    """
    make_tiny(texts_of([rows]), folder, hidden=256, layers=5, heads=4, positions=1024)


def fit(*options: str) -> None:
    """Run `fit`.

    Args:
        *options: Its options.

    Raises:
        SystemExit: It failed.
    """
    done = subprocess.run([sys.executable, "cli.py", "fit", *options], cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"fit ended with {done.returncode}")
