"""A resumed run is the run that was not interrupted."""

from __future__ import annotations

import csv
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning.pytorch import Callback

from sk2d.errors import Interrupted, ResumeError
from sk2d.phases import SkeletonModule
from sk2d.phases.checkpoint_files import find_checkpoint


class RowLog(Callback):
    """Notes the rows of every micro-batch."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []

    def on_train_batch_start(self, trainer: Any, module: Any, batch: Any, i: int) -> None:
        self.rows.append(list(batch["rows"]))


class StopAfter(Callback):
    """Sends a signal to the process after a number of micro-batches."""

    def __init__(self, micro_batches: int, number: int = signal.SIGTERM) -> None:
        self.left = micro_batches
        self.number = number

    def on_train_batch_start(self, trainer: Any, module: Any, batch: Any, i: int) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), self.number)


def fit(run: Any, ckpt_path: Path | str | None = None) -> Any:
    module, data, trainer = run
    trainer.fit(module, datamodule=data, ckpt_path=ckpt_path, weights_only=True)
    return module


def trained(module: Any) -> dict[str, torch.Tensor]:
    return {n: p.detach().clone() for n, p in module.named_parameters() if p.requires_grad}


def assert_same(first: Any, second: Any) -> None:
    one, two = trained(first), trained(second)
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)


def interrupt(make_run: Callable[..., Any], root: Path, at: int, **settings: Any) -> RowLog:
    log = RowLog()
    with pytest.raises(Interrupted) as stopped:
        fit(make_run(root, callbacks=[log, StopAfter(at)], **settings))
    assert stopped.value.exit_code == 143
    return log


@pytest.mark.parametrize("at", [3, 4, 8, 11, 14])
def test_c1_interrupted_and_straight_runs_end_with_the_same_weights(
    make_run: Any, tmp_path: Path, at: int
) -> None:
    straight_log, rest_log = RowLog(), RowLog()
    straight = fit(make_run(tmp_path / "straight", callbacks=[straight_log]))
    first_log = interrupt(make_run, tmp_path / "torn", at)
    last = find_checkpoint("last", tmp_path / "torn" / "checkpoints")
    resumed = fit(make_run(tmp_path / "torn", callbacks=[rest_log]), last)
    assert_same(straight, resumed)
    done = len(straight_log.rows) - len(rest_log.rows)
    assert done == at // 2 * 2
    assert first_log.rows[:done] + rest_log.rows == straight_log.rows
    validated = [(tmp_path / run / "validation.csv").read_text() for run in ("straight", "torn")]
    assert validated[0] == validated[1]
    steps = [row["step"] for row in csv.DictReader((tmp_path / "torn" / "metrics.csv").open())]
    assert steps == [str(step) for step in range(1, 9)]


@pytest.mark.parametrize(
    "settings",
    [
        {"data": {"pack": False}},
        {"data": {"num_workers": 1}},
        {"data": {"batch_size": 4}},
        {"model": {"lora": None}},
        {"val_check_interval": 3},
        {"precision": "bf16-mixed"},
    ],
    ids=str,
)
def test_resume_is_exact_in_other_settings(
    make_run: Any, tmp_path: Path, settings: dict[str, Any]
) -> None:
    straight = fit(make_run(tmp_path / "straight", **settings))
    interrupt(make_run, tmp_path / "torn", 3, **settings)
    last = find_checkpoint("last", tmp_path / "torn" / "checkpoints")
    assert_same(straight, fit(make_run(tmp_path / "torn", **settings), last))
    same = ("validation.csv",)
    for name in same:
        assert (tmp_path / "torn" / name).read_text() == (tmp_path / "straight" / name).read_text()


def test_checkpoint_is_plain_and_holds_only_what_was_trained(make_run: Any, tmp_path: Path) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    path = find_checkpoint("last", tmp_path / "checkpoints")
    loaded = torch.load(path, weights_only=True)
    assert all("lora" in name for name in loaded["state_dict"])
    assert {"torch", "numpy", "python", "cuda"} == set(loaded["sk2d"]["random"][0])


def test_more_epochs_and_another_rate_are_allowed_on_resume(make_run: Any, tmp_path: Path) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    run = make_run(tmp_path, max_epochs=3, model={"lr": 5e-3})
    fit(run, last)
    rows = list(csv.DictReader((tmp_path / "metrics.csv").open()))
    assert [int(row["step"]) for row in rows] == list(range(1, 13))
    assert float(rows[4]["lr"]) <= 5e-3


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"data": {"cutoff": 400}}, "data.cutoff was 512 and is 400"),
        ({"data": {"effective_batch": 2}}, "data.effective_batch was 4 and is 2"),
        ({"data": {"limit": 15}}, "hash of the rows"),
        ({"model": {"prompt": "ghidra-decompile"}}, "model.prompt"),
        ({"data": {"seed": 3}}, "data.seed was 0 and is 3"),
    ],
)
def test_another_run_is_refused_with_the_difference_named(
    make_run: Any, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    with pytest.raises(ResumeError, match=named):
        fit(make_run(tmp_path, **change), last)


def test_c9_a_missing_adapter_weight_is_refused_and_missing_base_weights_are_not(
    make_run: Any, tmp_path: Path
) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    checkpoint = torch.load(last, weights_only=True)
    assert checkpoint["optimizer_states"][0]["state"][0]["exp_avg"].abs().sum() > 0
    name = next(iter(checkpoint["state_dict"]))
    del checkpoint["state_dict"][name]
    torch.save(checkpoint, tmp_path / "hole.ckpt")
    with pytest.raises(ResumeError, match="is missing"):
        fit(make_run(tmp_path, max_epochs=2), tmp_path / "hole.ckpt")


def test_c9_a_checkpoint_without_optimizer_state_is_refused(make_run: Any, tmp_path: Path) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    checkpoint = torch.load(last, weights_only=True)
    del checkpoint["optimizer_states"]
    torch.save(checkpoint, tmp_path / "weights.ckpt")
    with pytest.raises(ResumeError, match="weights only"):
        fit(make_run(tmp_path, max_epochs=2), tmp_path / "weights.ckpt")


@pytest.mark.parametrize(
    ("precision", "frozen"),
    [
        ("bf16-mixed", torch.bfloat16),
        ("bf16-true", torch.bfloat16),
    ],
)
def test_b1_adapters_stay_float32_on_a_half_base_also_after_resume(
    make_run: Any, tmp_path: Path, precision: str, frozen: torch.dtype
) -> None:
    fit(make_run(tmp_path, max_epochs=1, precision=precision))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    module = fit(make_run(tmp_path, max_epochs=2, precision=precision), last)
    assert {weight.dtype for weight in trained(module).values()} == {torch.float32}
    others = [w for w in module.model.parameters() if not w.requires_grad]
    assert {weight.dtype for weight in others} == {frozen}


def test_going_on_from_an_older_checkpoint_sets_the_newer_ones_aside(
    make_run: Any, tmp_path: Path
) -> None:
    fit(make_run(tmp_path, every=2, max_epochs=2))
    old = tmp_path / "checkpoints" / "step00000006.ckpt"
    assert old.exists()
    (tmp_path / "checkpoints" / "step00000008.ckpt").write_bytes(b"damaged")
    with pytest.warns(UserWarning, match="set aside"):
        fit(make_run(tmp_path, every=2, max_epochs=2, model={"lr": 1e-3}), old)
    last = find_checkpoint("last", tmp_path / "checkpoints")
    assert last.name == "step00000008.ckpt"
    assert (tmp_path / "checkpoints" / "last.ckpt").resolve() == last
    assert len(list((tmp_path / "checkpoints").glob("set-aside-*/step*"))) == 1
    rates = [float(row["lr"]) for row in csv.DictReader((tmp_path / "metrics.csv").open())]
    assert rates[-1] < 1e-3 < rates[5]


def test_a_checkpoint_is_not_measured_on_another_base(
    make_run: Any, tmp_path: Path, other_base: str
) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    module, data, trainer = make_run(tmp_path, model={"base": other_base})
    with pytest.raises(ResumeError, match="hash of the weights"):
        trainer.validate(module, datamodule=data, ckpt_path=last)


def test_a_signal_while_samples_are_generated_saves_and_ends_with_143(
    make_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SkeletonModule.answer

    def interrupted(self: Any, prompts: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return real(self, prompts)

    monkeypatch.setattr(SkeletonModule, "answer", interrupted)
    with pytest.raises(Interrupted) as stopped:
        fit(make_run(tmp_path, model={"samples": 1}))
    assert stopped.value.exit_code == 143
    assert find_checkpoint("last", tmp_path / "checkpoints").name == "step00000004.ckpt"
