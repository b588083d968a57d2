"""Every mistake of a config ends with exit code 2 and one line that names key and remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from sk2d.commands.config import machine
from sk2d.commands.config.prepare import prepare
from sk2d.commands.fit import fit
from sk2d.commands.main import main
from sk2d.errors import UserError
from tests.imports import ROOT

DAMAGED = yaml.safe_load(Path(__file__).with_name("damaged_configs.yaml").read_text())
BASE = ["--config", "skeleton.yaml", "--config", "cpu_tiny.yaml"]
Told = Callable[..., list[str]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Give the lines that a command line is refused with; it must be refused."""
    monkeypatch.chdir(tmp_path)

    def lines(*options: str, command: str = "fit", base: list[str] = BASE) -> list[str]:
        with pytest.raises(UserError) as caught:
            prepare(command, [*base, *options])
        assert caught.value.exit_code == 2
        return str(caught.value).splitlines()

    return lines


def words_of(case: dict[str, Any], folder: Path) -> list[str]:
    options = list(case.get("options", []))
    if "config" not in case:
        return options
    (folder / "mine.yaml").write_text(case["config"], encoding="utf-8")
    return ["--config", "mine.yaml", *options]


@pytest.mark.parametrize("case", DAMAGED, ids=lambda case: case["name"].replace(" ", "_"))
def test_a_damaged_config_is_told_by_key_and_remedy(
    case: dict[str, Any], told: Told, tmp_path: Path
) -> None:
    lines = told(*words_of(case, tmp_path), base=[] if case.get("alone") else BASE)
    for key, remedy in case["says"]:
        assert [line for line in lines if key in line and remedy in line], (key, remedy, lines)
    assert len(lines) == len(case["says"]), lines
    assert {path.name for path in tmp_path.iterdir()} <= {"mine.yaml"}, "nothing may be written"


def test_there_are_enough_kinds() -> None:
    assert len(DAMAGED) >= 150
    assert len({case["name"] for case in DAMAGED}) == len(DAMAGED)


@pytest.mark.parametrize(
    "name",
    ["misspelt lora key", "folder instead of rows", "section twice", "bf16 flag", "no epochs"],
)
def test_through_the_command_line(name: str, tmp_path: Path) -> None:
    case = next(case for case in DAMAGED if case["name"] == name)
    command = [sys.executable, str(ROOT / "cli.py"), "fit", *BASE, *words_of(case, tmp_path)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    key, remedy = case["says"][0]
    assert line.startswith("error: ")
    assert key in line
    assert remedy in line
    assert {path.name for path in tmp_path.iterdir()} <= {"mine.yaml"}


@pytest.mark.parametrize(
    ("text", "key", "remedy"),
    [
        ("", "holds no row", "Name a file"),
        ('{"a": 1}\n', "rows.jsonl:1: `input` is missing", "columns found: `a`"),
        ('{"input": \n', "rows.jsonl:1:11", "Mend or remove the line"),
        ("[1]\n", "rows.jsonl:1", "Write {...} per row"),
        ('{"input": "x"}\n', "rows.jsonl:1", "output"),
    ],
)
def test_rows_of_the_wrong_shape(
    text: str, key: str, remedy: str, told: Told, tmp_path: Path
) -> None:
    (tmp_path / "rows.jsonl").write_text(text)
    [line] = told("--data.train", "rows.jsonl", "--model.lr", "1e-4")
    assert line.startswith("data.train: ")
    assert key in line
    assert remedy in line


def test_bytes_that_are_no_text(told: Told, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes("trainer:\n  # \xe9t\xe9\n".encode("latin-1"))
    [line] = told("--config", "mine.yaml")
    assert line == "mine.yaml:2: byte 0xe9 is no UTF-8. Save the file as UTF-8"
    (tmp_path / "mine.yaml").write_bytes(b"\x00\x01\x02")
    [line] = told("--config", "mine.yaml")
    assert line.startswith("mine.yaml: this is not YAML")


def test_a_cutoff_above_the_positions_of_the_base(told: Told, tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "config.json").write_text('{"max_position_embeddings": 512}')
    [line] = told("--model.base", "base", "--data.cutoff", "513")
    assert line == (
        "data.cutoff: 513 tokens are more than the 512 positions of base. Give 512 or less"
    )
    prepare("fit", [*BASE, "--model.base", "base", "--data.cutoff", "512"])


def test_a_bare_name_that_two_folders_hold(told: Told, tmp_path: Path) -> None:
    (tmp_path / "cpu.yaml").write_text("trainer: {max_epochs: 1}")
    [line] = told("--config", "cpu.yaml")
    assert "the bare name stands for cpu.yaml and" in line
    assert "Give the path" in line
    prepare("fit", [*BASE, "--config", "./cpu.yaml"])


def test_a_file_that_cannot_be_read_does_not_hide_other_mistakes(
    told: Told, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text("trainer: [")
    first, second = told("--config", "mine.yaml", "--model.bas", "x")
    assert first.startswith("mine.yaml:")
    assert second.startswith("--model.bas: ")


def test_a_run_folder_that_is_a_file_or_not_writable(told: Told, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    for folder in ("taken", "taken/run"):
        [line] = told("--trainer.default_root_dir", folder)
        assert line.startswith("trainer.default_root_dir: taken is a file. ")
    [line] = told("--trainer.default_root_dir", "/proc/run")
    assert "/proc cannot be written to. Name a folder of your own" in line
    [line] = told("--checkpoint.dirpath", "taken")
    assert line.startswith("checkpoint.dirpath: taken is a file. ")


@pytest.mark.parametrize("name", ["metrics.csv", "checkpoints", "model", "run.json"])
def test_a_run_folder_that_holds_results(name: str, told: Told, tmp_path: Path) -> None:
    (tmp_path / "run" / name).mkdir(parents=True)
    [line] = told("--trainer.default_root_dir", "run")
    assert line.startswith(f"trainer.default_root_dir: run holds another run ({name}). ")
    assert "--overwrite" in line
    assert "--ckpt_path last" in line
    prepare("fit", [*BASE, "--trainer.default_root_dir", "run", "--overwrite"])


def test_files_that_are_no_checkpoints(told: Told, tmp_path: Path) -> None:
    torch.save({"weights": torch.zeros(3)}, tmp_path / "other.ckpt")
    torch.save({"state_dict": {}, "pytorch-lightning_version": "2"}, tmp_path / "whole.ckpt")
    half = (tmp_path / "whole.ckpt").read_bytes()
    (tmp_path / "half.ckpt").write_bytes(half[: len(half) // 2])
    [line] = told("--ckpt_path", "other.ckpt")
    assert line.startswith("ckpt_path: other.ckpt: this is no checkpoint of a run. ")
    [line] = told("--ckpt_path", "half.ckpt")
    assert "the checkpoint is damaged. Resume from the one before it with --ckpt_path" in line
    [line] = told("--ckpt_path", str(tmp_path))
    assert "this is a folder" in line


def test_what_needs_a_gpu(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    [line] = told("--trainer.accelerator", "gpu")
    assert line.startswith("trainer.accelerator: this machine has no GPU")
    [line] = told("--trainer.precision", "16-mixed")
    assert line.startswith("trainer.precision: 16-mixed needs a GPU")
    [line] = told("--trainer.strategy", "fsdp")
    assert line.startswith("trainer.strategy: fsdp needs a GPU")
    first, second = told("--model.attention", "flash2")
    assert first.startswith("model.attention: flash2 computes in half precision only")
    assert second.startswith("model.attention: flash2 needs a GPU")
    for other in ("tpu", "mps"):
        [line] = told("--trainer.accelerator", other)
        assert f"this machine has no {other.upper()}" in line


def test_more_gpus_than_there_are(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    gpu = ["--trainer.accelerator", "gpu", "--data.effective_batch", "64", "--trainer.devices"]
    [line] = told(*gpu, "4")
    assert line == (
        "trainer.devices: 4 devices are asked for, and this machine has 2 GPUs. Give at most 2"
    )
    for devices in ("2", "[0, 1]", "-1", "auto", "0,1"):
        prepare("fit", [*BASE, *gpu, devices])


@pytest.mark.parametrize(
    ("key", "value", "package"),
    [
        ("trainer.logger", "WandbLogger", "wandb"),
        ("trainer.logger", "lightning.pytorch.loggers.CometLogger", "comet_ml"),
        ("trainer.strategy", "deepspeed_stage_2", "deepspeed"),
    ],
)
def test_packages_that_are_not_installed(
    key: str, value: str, package: str, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    line = told(f"--{key}", value)[-1]
    assert line.startswith(f"{key}: it needs the package {package}. Install it: pip install ")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert machine.missing_package(value) is None


@pytest.mark.parametrize("command", ["validate", "test", "predict"])
def test_commands_that_would_measure_nothing(command: str, told: Told) -> None:
    [line] = told("--data.val_share", "0", command=command)
    assert line.startswith("data.val_share: 0 holds no row back")
    limit = {"validate": "val"}.get(command, command)
    [line] = told(f"--trainer.limit_{limit}_batches", "0", command=command)
    assert "leaves nothing to do" in line


LATE = [
    (["--data.cutoff", "16"], "data.train: examples/skeleton.jsonl: no row is left", "data.cutoff"),
    (["--model.lora.targets", "nope"], "model.lora.targets: the model has no nope", "q_proj"),
    (["--model.base", "nobody/nothing"], "model.base: nobody/nothing: ", "the connection"),
    (
        ["--trainer.callbacks+=LearningRateMonitor", "--trainer.callbacks.logging_interval", "x"],
        "trainer.callbacks.logging_interval: ",
        "configs/reference.yaml",
    ),
    (
        ["--trainer.callbacks+=EarlyStopping", "--trainer.callbacks.monitor", "val/loss"]
        + ["--trainer.callbacks.mode", "least"],
        "trainer.callbacks (EarlyStopping): `mode` can be min, max",
        "docs/config.md",
    ),
]


@pytest.mark.parametrize(("options", "what", "remedy"), LATE, ids=lambda value: str(value)[:30])
def test_what_only_shows_when_things_are_built(
    options: list[str],
    what: str,
    remedy: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = tmp_path / "run"
    arguments = [*BASE, "--trainer.default_root_dir", str(root), "--data.cache_dir", str(tmp_path)]
    assert main(["fit", *arguments, *options]) == 2
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert line.startswith(f"error: {what}")
    assert remedy in line
    assert not (root / "checkpoints").exists()
    assert not (root / "metrics.csv").exists()


def test_several_mistakes_are_one_error_with_one_line_each(told: Told) -> None:
    with pytest.raises(UserError) as caught:
        fit([*BASE, "--model.bas", "x", "--trainer.max_epochs", "0"])
    assert len(str(caught.value).splitlines()) == 2
