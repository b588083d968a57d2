"""A tiny base and a handful of rows, and runs made of them without the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lightning.pytorch import Trainer, seed_everything

from sk2d.data import SupervisedData
from sk2d.models.lora import LoraSettings
from sk2d.models.tiny import make_tiny
from sk2d.phases import SkeletonModule
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.guard import LossGuard
from sk2d.phases.run import run_trainer_settings
from sk2d.phases.supervised import SupervisedModule

Run = tuple[SupervisedModule, SupervisedData, Trainer]


def make_rows(count: int) -> list[dict[str, str]]:
    """Make rows of different lengths, one function each."""
    rows = []
    for number in range(count):
        body = "".join(f"  a1 += {number} * {step};\n" for step in range(1 + number % 5))
        ir = body.replace("a1", "var1")
        rows.append(
            {
                "id": f"row{number}",
                "func_name": f"f{number}",
                "instruction": "",
                "input": f"int sub_{number}(int a1) {{\n{body}  return a1;\n}}",
                "output": f"int func1(int var1) {{\n{ir}  return var1;\n}}",
                "system": "",
            }
        )
    return rows


@pytest.fixture(scope="session")
def rows_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty rows."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in make_rows(20)), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A base of a hundred thousand weights with a tokenizer trained on the rows."""
    texts = [row["input"] + row["output"] for row in make_rows(20)]
    folder = tmp_path_factory.mktemp("bases") / "tiny"
    return str(make_tiny(texts, folder, vocabulary=400, hidden=64, layers=2, heads=2))


@pytest.fixture(scope="session")
def other_base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A base of the same shape and tokenizer with other weights."""
    texts = [row["input"] + row["output"] for row in make_rows(20)]
    folder = tmp_path_factory.mktemp("bases") / "other"
    return str(make_tiny(texts, folder, vocabulary=400, hidden=64, layers=2, heads=2, seed=1))


@pytest.fixture
def make_run(tiny_base: str, rows_file: Path, tmp_path: Path) -> Callable[..., Run]:
    """Build module, data and trainer; `model`, `data` and `trainer` change their arguments."""

    def build(
        root: Path | None = None,
        model: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        every: int = 2,
        guard: LossGuard | None = None,
        **trainer: Any,
    ) -> Run:
        seed_everything(7, verbose=False)
        lora = LoraSettings(rank=4, alpha=8, dropout=0.1)
        module = SkeletonModule(
            **{"base": tiny_base, "lora": lora, "lr": 1e-2, "samples": 0, "max_new_tokens": 8}
            | (model or {})
        )
        rows = SupervisedData(
            **{"train": str(rows_file), "val_share": 0.2, "batch_size": 2, "effective_batch": 4}
            | {"cache_dir": str(tmp_path / "cache"), "cutoff": 512}
            | (data or {})
        )
        settings = run_trainer_settings(
            module, RunModelCheckpoint(every_n_train_steps=every), guard
        )
        settings |= {"callbacks": [*settings["callbacks"], *trainer.pop("callbacks", [])]}
        settings |= {"accumulate_grad_batches": rows.effective_batch // rows.batch_size}
        settings |= {"accelerator": "cpu", "devices": 1, "logger": False, "max_epochs": 2}
        settings |= {"enable_progress_bar": False, "enable_model_summary": False}
        settings |= {"num_sanity_val_steps": 0, "default_root_dir": str(root or tmp_path / "run")}
        return module, rows, Trainer(**(settings | trainer))

    return build
