"""The loss that a step is taken with, and what the module refuses."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning.pytorch import Callback

from sk2d.errors import ModelError, TrainingStopped
from sk2d.models.card import read_facts
from sk2d.models.fingerprint import fingerprint
from sk2d.models.lora import LoraSettings
from sk2d.phases import SkeletonModule, SkinModule
from sk2d.phases.checkpoint_files import find_checkpoint
from sk2d.phases.guard import LossGuard
from sk2d.phases.optimization import parameter_groups


class Gradients(Callback):
    """Keeps the gradient of each optimiser step."""

    def __init__(self) -> None:
        self.steps: list[dict[str, torch.Tensor]] = []

    def on_before_optimizer_step(self, trainer: Any, module: Any, optimizer: Any) -> None:
        named = module.named_parameters()
        self.steps.append({n: p.grad.clone() for n, p in named if p.grad is not None})


def one_step(make_run: Any, root: Path, data: dict[str, Any]) -> tuple[Any, float]:
    kept = Gradients()
    module, rows, trainer = make_run(
        root, data=data, model={"lora": None}, max_epochs=-1, max_steps=1, callbacks=[kept]
    )
    trainer.fit(module, datamodule=rows)
    first = next(csv.DictReader((root / "metrics.csv").open()))
    return kept.steps[0], float(first["loss"])


@pytest.mark.parametrize(
    "data",
    [
        {"batch_size": 1},
        {"batch_size": 2},
        {"batch_size": 8, "pack": False},
        {"batch_size": 2, "pack": False},
    ],
)
def test_b13_accumulated_packed_and_padded_steps_equal_one_big_batch(
    make_run: Any, tmp_path: Path, data: dict[str, Any]
) -> None:
    common = {"effective_batch": 8}
    whole, loss = one_step(make_run, tmp_path / "whole", common | {"batch_size": 8})
    parts, loss2 = one_step(make_run, tmp_path / "parts", common | data)
    assert loss2 == pytest.approx(loss, abs=1e-5)
    assert whole.keys() == parts.keys()
    for name, gradient in whole.items():
        torch.testing.assert_close(parts[name], gradient, atol=1e-6, rtol=1e-4)


def test_phases_have_their_own_prompts_and_rates(tiny_base: str) -> None:
    assert SkeletonModule(tiny_base).prompt.name == "skeleton"
    assert SkinModule(tiny_base).prompt.name == "skin"
    assert SkeletonModule(tiny_base).lr == 5e-5
    assert SkeletonModule(tiny_base, lora=None).lr == 3e-6


def test_c6_the_module_owns_the_optimizer_and_decays_matrices_only(
    make_run: Any, tmp_path: Path
) -> None:
    model = {"lora": None, "weight_decay": 0.1}
    module, data, trainer = make_run(tmp_path, model=model, max_steps=1)
    trainer.fit(module, datamodule=data)
    assert type(trainer.optimizers[0]).__name__ == "AdamW"
    decays = [group["weight_decay"] for group in trainer.optimizers[0].param_groups]
    assert decays == [0.1, 0.0]
    assert len(trainer.lr_scheduler_configs) == 1
    assert all(weight.ndim < 2 for weight in parameter_groups(module, 0.1)[1]["params"])


def test_c6_load_from_checkpoint_needs_no_arguments(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path, max_steps=2)
    trainer.fit(module, datamodule=data)
    path = find_checkpoint("last", tmp_path / "checkpoints")
    loaded = SkeletonModule.load_from_checkpoint(path, weights_only=True)
    assert loaded.lora == LoraSettings(rank=4, alpha=8, dropout=0.1)
    ours = {n: p for n, p in module.named_parameters() if p.requires_grad}
    theirs = dict(loaded.named_parameters())
    assert all(torch.equal(weight, theirs[name]) for name, weight in ours.items())


def test_b11_a_gradient_reaches_the_adapters_under_checkpointing(
    make_run: Any, tmp_path: Path
) -> None:
    module, data, trainer = make_run(
        tmp_path, model={"gradient_checkpointing": True}, max_steps=1, max_epochs=-1
    )
    before = {}
    module.configure_model()
    before = {n: p.detach().clone() for n, p in module.named_parameters() if "lora_B" in n}
    trainer.fit(module, datamodule=data)
    changed = [n for n, p in module.named_parameters() if n in before and (p != before[n]).any()]
    assert len(changed) == len(before) > 0


def test_b8_a_non_finite_loss_stops_before_the_weights_are_touched(
    make_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, data, trainer = make_run(tmp_path, every=1, max_epochs=4)
    real = SkeletonModule.training_step

    def poisoned(self: Any, batch: Any, batch_idx: int) -> Any:
        out = real(self, batch, batch_idx)
        if self.trainer.global_step == 3:
            out["loss"] = out["loss"] * math.nan
        return out

    monkeypatch.setattr(SkeletonModule, "training_step", poisoned)
    with pytest.raises(TrainingStopped, match=r"loss became nan.*step00000003.*Lower model.lr"):
        trainer.fit(module, datamodule=data)
    assert find_checkpoint("last", tmp_path / "checkpoints").name == "step00000003.ckpt"
    assert all(weight.isfinite().all() for weight in module.parameters())


def test_a_diverging_loss_stops_the_run(make_run: Any, tmp_path: Path) -> None:
    guard = LossGuard(window=2, factor=1.1)
    module, data, trainer = make_run(
        tmp_path, model={"lora": None, "lr": 5.0}, max_epochs=40, guard=guard
    )
    with pytest.raises(TrainingStopped, match="diverges"):
        trainer.fit(module, datamodule=data)


def test_validation_logs_loss_accuracy_and_exact_match(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path, model={"samples": 2}, max_epochs=1)
    trainer.fit(module, datamodule=data)
    row = next(csv.DictReader((tmp_path / "validation.csv").open()))
    assert 0 < float(row["val_loss"]) < 10
    assert 0 <= float(row["val_accuracy"]) <= 1
    assert float(row["val_exact_match"]) in (0.0, 0.5, 1.0)
    assert (tmp_path / "loss.png").stat().st_size > 1000
    assert (tmp_path / "samples.jsonl").read_text().count("\n") == 2


def test_validation_sampling_does_not_move_training(make_run: Any, tmp_path: Path) -> None:
    runs = []
    for samples in (0, 2):
        run = make_run(tmp_path / str(samples), model={"samples": samples}, max_epochs=2)
        run[2].fit(run[0], datamodule=run[1])
        runs.append({n: p.detach() for n, p in run[0].named_parameters()})
    assert all(torch.equal(runs[0][name], runs[1][name]) for name in runs[0])


def test_without_packing_kernels_batches_are_padded_and_it_is_said(
    make_run: Any, tmp_path: Path
) -> None:
    module, data, trainer = make_run(tmp_path, model={"attention": "sdpa"}, max_steps=1)
    with pytest.warns(UserWarning, match="batches are padded"):
        trainer.fit(module, datamodule=data)
    assert data.pack is False
    assert (tmp_path / "model" / "adapter_model.safetensors").exists()


def test_the_run_folder_says_what_was_run(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path, max_steps=2)
    trainer.fit(module, datamodule=data)
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["prompt"] == {"name": "skeleton", "hash": module.prompt.hash}
    assert record["data"]["data_hash"] == data.data_hash
    assert "torch" in record["versions"]
    facts = read_facts(tmp_path / "model")
    assert facts is not None
    assert (facts.phase, facts.prompt_hash) == ("skeleton", module.prompt.hash)
    assert facts.base_fingerprint == fingerprint(module.base)


def test_f9_a_trained_model_is_not_asked_with_another_prompt(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path / "first", max_steps=1)
    trainer.fit(module, datamodule=data)
    base = str(tmp_path / "first" / "model")
    other = {"base": base, "prompt": "ghidra-decompile"}
    module, data, trainer = make_run(tmp_path / "second", model=other)
    with pytest.raises(ModelError, match="trained with the prompt skeleton"):
        trainer.predict(module, datamodule=data)


def test_skin_starts_from_an_adapter_by_merging_it(
    make_run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module, data, trainer = make_run(tmp_path / "first", max_steps=2)
    trainer.fit(module, datamodule=data)
    second, data, trainer = make_run(
        tmp_path / "second", model={"base": str(tmp_path / "first" / "model")}, max_steps=2
    )
    trainer.fit(second, datamodule=data)
    assert "merging it into its base" in " ".join(capsys.readouterr().err.split())
    assert (tmp_path / "second" / "model" / "adapter_model.safetensors").exists()


def test_predictions_come_in_order_with_their_ids(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path)
    batches = trainer.predict(module, datamodule=data)
    records = [record for batch in batches for record in batch]
    assert records
    assert [record["id"] for record in records] == [row.id for row in data.sample_rows(99)]
    assert all(isinstance(record["code"], str) for record in records)
