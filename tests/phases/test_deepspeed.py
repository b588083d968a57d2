"""DeepSpeed's engine in whole runs, on the CPU with one and two processes (gloo)."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from sk2d.models.strategies.checkpoint_folder import size_of
from tests.imports import ROOT

pytest.importorskip("deepspeed")
pytestmark = pytest.mark.slow

LORA = ["--model.lora.rank", "4", "--model.lora.targets", "all-linear", "--model.lr", "1e-2"]
OFFLOAD = "sk2d.models.strategies.RunDeepSpeedStrategy"
STEPS = 4


def words(root: Path, strategy: str | None, devices: int, *more: str) -> list[str]:
    settings: dict[str, Any] = {
        "trainer.max_steps": STEPS,
        "trainer.max_epochs": -1,
        "trainer.limit_val_batches": 0,
        "trainer.enable_progress_bar": "false",
        "trainer.logger": "false",
        "trainer.devices": devices,
        "trainer.default_root_dir": root,
        "data.batch_size": 2,
        "checkpoint.every_n_train_steps": 2,
    }
    settings |= {"trainer.strategy": strategy} if strategy else {}
    configs = ["--config", "skeleton.yaml", "--config", "cpu_tiny.yaml"]
    return [*configs, *(f"--{key}={value}" for key, value in settings.items()), *more]


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "MASTER_PORT")}
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), "fit", *arguments],
        cwd=ROOT,
        env=kept | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def fit(*arguments: str, **environment: str) -> str:
    process = start(*arguments, **environment)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors[-3000:]
    return output + errors


def rows(root: Path) -> list[dict[str, str]]:
    with (root / "metrics.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def figures(root: Path, *names: str) -> list[float]:
    return [float(row[name]) for row in rows(root) for name in names]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    """Losses and rates of the same runs without DeepSpeed, full and with LoRA."""
    root = tmp_path_factory.mktemp("plain")
    fit(*words(root / "full", None, 1))
    fit(*words(root / "lora", None, 1, *LORA))
    names = ("loss", "lr", "grad_norm")
    return {kind: figures(root / kind, *names) for kind in ("full", "lora")}


@pytest.mark.parametrize(
    ("strategy", "devices", "kind"),
    [
        ("deepspeed_stage_1", 1, "lora"),
        ("deepspeed_stage_2", 2, "full"),
        ("deepspeed_stage_3", 2, "lora"),
    ],
)
def test_the_steps_are_those_of_one_process_without_it(
    strategy: str, devices: int, kind: str, plain: dict[str, list[float]], tmp_path: Path
) -> None:
    more = LORA if kind == "lora" else []
    said = fit(*words(tmp_path, strategy, devices, *more))
    found = figures(tmp_path, "loss", "lr", "grad_norm")
    assert found == pytest.approx(plain[kind], rel=2e-5)
    stage = strategy[-1]
    assert f"DeepSpeed runs with ZeRO stage {stage}" in said
    assert (tmp_path / "model").is_dir()


def test_offload_without_compiled_parts_is_the_same_too(
    plain: dict[str, list[float]], tmp_path: Path
) -> None:
    """C7: steps are counted once, whatever they are accumulated from."""
    arguments = words(tmp_path, OFFLOAD, 1)
    for name, value in {"stage": 2, "offload_optimizer": "true", "cpu_ops": "torch"}.items():
        arguments.append(f"--trainer.strategy.init_args.{name}={value}")
    said = fit(*arguments)
    assert figures(tmp_path, "loss", "lr", "grad_norm") == pytest.approx(plain["full"], rel=2e-5)
    assert [row["step"] for row in rows(tmp_path)] == ["1", "2", "3", "4"]
    assert "AdamW on the cpu" in said
    assert "to offload them saves next to nothing" in said


def test_a_resumed_run_is_the_run_that_was_not_interrupted(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    fit(*words(whole, "deepspeed_stage_2", 2, *LORA))
    fit(*words(parts, "deepspeed_stage_2", 2, *LORA, "--trainer.max_steps=2",
               "--model.schedule.kind=constant"))  # fmt: skip
    constant = [*LORA, "--model.schedule.kind=constant"]
    fit(*words(parts, "deepspeed_stage_2", 2, *constant, "--ckpt_path", "last"))
    again = tmp_path / "again"
    fit(*words(again, "deepspeed_stage_2", 2, *constant))
    columns = ("step", "loss", "lr", "grad_norm", "supervised")
    one, two = ([[r[c] for c in columns] for r in rows(root)] for root in (again, parts))
    assert one == two
    assert whole.is_dir()


def test_c8_a_checkpoint_is_small_and_merge_reads_it(tmp_path: Path) -> None:
    root = tmp_path / "run"
    fit(*words(root, "deepspeed_stage_2", 1, *LORA))
    folder = root / "checkpoints" / "step00000004.ckpt"
    adapters = (root / "model" / "adapter_model.safetensors").stat().st_size
    assert size_of(folder) < 5 * adapters + 10_000_000
    merged = tmp_path / "merged"
    command = [sys.executable, str(ROOT / "cli.py"), "merge", "--adapter", str(folder)]
    done = subprocess.run(
        [*command, "--output", str(merged)], cwd=ROOT, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (merged / "model.safetensors").is_file()


def test_killing_one_process_ends_the_others_with_one_line(tmp_path: Path) -> None:
    arguments = words(tmp_path, "deepspeed_stage_2", 2, "--trainer.max_steps=10000")
    process = start(*arguments)
    until = time.monotonic() + 200
    table = tmp_path / "metrics.csv"
    while time.monotonic() < until and not (table.is_file() and len(rows(tmp_path)) > 1):
        assert process.poll() is None, process.communicate()[1][-3000:]
        time.sleep(0.3)
    others = [p for p in psutil.Process(process.pid).children() if "fit" in p.cmdline()]
    assert len(others) == 1
    others[0].send_signal(signal.SIGKILL)
    killed = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - killed < 30
    assert process.returncode not in (0, None)
    lines = [line for line in errors.splitlines() if line.startswith("error:")]
    assert len(lines) == 1
    assert "process 1 of the run has ended (signal 9)" in lines[0]
    assert "--ckpt_path last" in lines[0]


def test_d3_two_runs_at_once_need_no_launcher_and_do_not_collide(tmp_path: Path) -> None:
    runs = [start(*words(tmp_path / name, "deepspeed_stage_2", 2)) for name in ("a", "b")]
    for process in runs:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors[-3000:]
    assert figures(tmp_path / "a", "loss") == figures(tmp_path / "b", "loss")


def test_d1_a_missing_compiler_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    arguments = words(tmp_path / "run", "deepspeed_stage_2_offload", 1)
    extensions = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "ops"), "CXX": "/nonexistent"}
    process = start(*arguments, **extensions)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    [line] = [line for line in errors.splitlines() if line.startswith("error:")]
    assert "/nonexistent" in line
    assert "cpu_ops to torch" in line
    assert "ds_opt_adam" not in errors


def test_d8_validation_and_samples_run_in_the_engine(tmp_path: Path) -> None:
    more = ["--trainer.limit_val_batches=2", "--trainer.val_check_interval=4", "--model.samples=1"]
    more += ["--model.max_new_tokens=8", "--trainer.precision=bf16-mixed"]
    fit(*words(tmp_path, "deepspeed_stage_2", 1, *LORA, *more))
    assert (tmp_path / "samples.jsonl").read_text(encoding="utf-8").count("\n") >= 1
    assert (tmp_path / "validation.csv").read_text(encoding="utf-8").count("\n") >= 2
