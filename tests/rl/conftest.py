"""A tiny base, a handful of RL rows, and runs made of them with rewards that need no compiler."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lightning.pytorch import Trainer, seed_everything

from sk2d.corpus.rows import make_rl_row
from sk2d.data import RolloutData
from sk2d.models.lora import LoraSettings
from sk2d.models.tiny import make_tiny
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.run import run_trainer_settings
from sk2d.prompts import get_prompt
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rl.grpo import SkeletonGrpo
from sk2d.rl.policy import PolicyModule
from sk2d.rl.settings import RolloutSettings, UpdateSettings
from tests.phases.conftest import make_rows as make_sft_rows

Run = tuple[PolicyModule, RolloutData, Trainer]


def make_rows(count: int) -> list[dict[str, Any]]:
    """Make rows of different lengths, one function each."""
    return [
        make_rl_row(
            get_prompt("skeleton").render(row["input"]),
            row["output"],
            id=row["id"],
            phase="skeleton",
            index=number,
            split="train",
            header="",
            name="func1",
        )
        for number, row in enumerate(make_sft_rows(count))
    ]


class Bandit:
    """Pays for answers by their text alone: for semicolons, unless told otherwise."""

    def __init__(self, score: Callable[[str], float | None] | None = None) -> None:
        self.score = score or (lambda text: text.count(";") / max(1, len(text.split())))
        self.asked = 0

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        self.asked += len(candidates)
        return [self._one(candidate) for candidate in candidates]

    def _one(self, candidate: Candidate) -> Score:
        if candidate.text == candidate.reference:
            return Score(1.0, Verdict.OK, {"compiles": 1.0})
        value = self.score(candidate.text)
        verdict = Verdict.CANNOT_JUDGE if value is None else Verdict.OK
        return Score(value, verdict, {} if value is None else {"compiles": float(value > 0)})

    def maximum(self, candidate: Candidate) -> float:
        return 1.0


@pytest.fixture(scope="session")
def rl_rows_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve rows."""
    path = tmp_path_factory.mktemp("rows") / "rl.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in make_rows(12)), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def rl_base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A base of some ten thousand weights."""
    texts = [json.dumps(row) for row in make_rows(12)]
    folder = tmp_path_factory.mktemp("bases") / "rl"
    return str(make_tiny(texts, folder, vocabulary=300, hidden=32, layers=2, heads=2))


@pytest.fixture
def make_rl_run(rl_base: str, rl_rows_file: Path, tmp_path: Path) -> Callable[..., Run]:
    """Build module, data and trainer; `model`, `data` and `trainer` change their arguments."""

    def build(
        root: Path | None = None,
        model: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        reward: Any = None,
        kind: type[PolicyModule] = SkeletonGrpo,
        every: int = 2,
        **trainer: Any,
    ) -> Run:
        seed_everything(7, verbose=False)
        settings: dict[str, Any] = {"base": rl_base, "lora": LoraSettings(rank=4, alpha=8)}
        settings |= {"lr": 1e-2, "max_new_tokens": 8, "update": UpdateSettings(kl=0.0)}
        settings |= {"rollouts": RolloutSettings(answers=4, at_once=2)}
        module = kind(**(settings | (model or {})))
        module.__dict__["judge"] = reward or Bandit()
        rows = RolloutData(
            **{"train": str(rl_rows_file), "val_share": 0.2, "effective_batch": 4, "cutoff": 512}
            | (data or {})
        )
        chosen = run_trainer_settings(module, RunModelCheckpoint(every_n_train_steps=every))
        chosen |= {"callbacks": [*chosen["callbacks"], *trainer.pop("callbacks", [])]}
        chosen |= {"accelerator": "cpu", "devices": 1, "logger": False, "max_epochs": 2}
        chosen |= {"enable_progress_bar": False, "enable_model_summary": False}
        chosen |= {"num_sanity_val_steps": 0, "default_root_dir": str(root or tmp_path / "run")}
        return module, rows, Trainer(**(chosen | trainer))

    return build
