"""The resolved config, and the runs that it makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from sk2d.commands.fit import build
from sk2d.commands.main import main

BASE = ["--config", "skeleton.yaml", "--config", "cpu_tiny.yaml"]
Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Give what `--print_config` prints."""

    def text(*options: str) -> str:
        capsys.readouterr()
        assert build("fit", [*options, "--print_config"]) is None
        return capsys.readouterr().out

    return text


def short_run(root: Path, *options: str) -> int:
    """Train two steps without answers; gives the exit code."""
    quiet = ["--model.samples=0", "--trainer.enable_model_summary=false"]
    places = [f"--trainer.default_root_dir={root}", f"--data.cache_dir={root.parent / 'cache'}"]
    return main(["fit", *BASE, *quiet, *places, "--trainer.max_steps=2", *options])


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--trainer.callbacks+=lightning.pytorch.callbacks.RichProgressBar"],
        ["--config", "mine.yaml"],
        ["--trainer.callbacks", "[RichProgressBar]", "--config", "mine.yaml"],
    ],
)
def test_c5_the_printed_config_has_the_checkpoints_whatever_the_callbacks(
    options: list[str], printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("trainer: {callbacks: [RichModelSummary]}")
    text = printed(*BASE, *options)
    assert "class_path: sk2d.phases.checkpoints.RunModelCheckpoint" in text


def test_c5_a_run_with_other_callbacks_still_writes_a_checkpoint(tmp_path: Path) -> None:
    assert short_run(tmp_path / "run", "--trainer.callbacks+=RichProgressBar") == 0
    assert (tmp_path / "run" / "checkpoints" / "last.ckpt").exists()


def test_c5_a_later_config_wins_over_an_option_before_it(
    printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("trainer: {max_steps: 7}")
    after = yaml.safe_load(printed(*BASE, "--config", "mine.yaml", "--trainer.max_steps", "2"))
    before = yaml.safe_load(printed(*BASE, "--trainer.max_steps", "2", "--config", "mine.yaml"))
    assert after["trainer"]["max_steps"] == 2
    assert before["trainer"]["max_steps"] == 7


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_options_work_as_they_stand_whatever_the_order_of_configs(
    order: tuple[int, int], printed: Printed
) -> None:
    configs = ["skeleton.yaml", "cpu.yaml"]
    words = [word for place in order for word in ("--config", configs[place])]

    def model(*options: str) -> dict[str, Any]:
        resolved = yaml.safe_load(printed(*words, *options))
        assert resolved["data"]["init_args"]["train"] == "examples/skin.jsonl"
        found: dict[str, Any] = resolved["model"]["init_args"]
        return found

    train = ("--data.train", "examples/skin.jsonl", "--model.base", "tiny")
    assert model(*train)["base"] == "tiny"
    assert model(*train, "--model.lora.rank", "8")["lora"]["rank"] == 8
    assert model(*train, "--model.lora", "null")["lora"] is None
    assert model("--model.lora", "null", "--model.lora.rank", "4", *train)["lora"]["alpha"] == 32
    assert printed("--model.lora.rank", "4", *train, *words)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--model.lora", "null", "--data.val", "train"],
        ["--model.lora.rank", "8", "--trainer.callbacks+=RichProgressBar"],
        ["--trainer.logger", "CSVLogger", "--trainer.logger.save_dir", "logs"],
        ["--config", "configs/debug/overfit.yaml"],
        ["--trainer.devices", "2", "--trainer.strategy", "ddp", "--data.effective_batch", "16"],
    ],
)
def test_a_printed_config_prints_itself_again(
    options: list[str], printed: Printed, tmp_path: Path
) -> None:
    text = printed(*BASE, *options)
    (tmp_path / "saved.yaml").write_text(text)
    assert printed("--config", str(tmp_path / "saved.yaml")) == text


def test_accumulation_follows_from_the_effective_batch(printed: Printed) -> None:
    options = ["--data.effective_batch", "48", "--data.batch_size", "4"]
    resolved = yaml.safe_load(printed(*BASE, *options))
    assert resolved["trainer"]["accumulate_grad_batches"] == 12


def test_what_is_missing_here_does_not_keep_a_config_from_being_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    build("fit", [*BASE, "--data.train", "nope.jsonl", "--print_config"])
    streams = capsys.readouterr()
    assert "train: nope.jsonl" in streams.out
    assert "note: data.train: nope.jsonl: there is no such file" in streams.err


def test_notes_on_what_may_not_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "examples/skeleton.jsonl"
    build("fit", [*BASE, "--data.val", rows, "--data.val_share", "0.1", "--print_config"])
    errors = capsys.readouterr().err
    assert "note: data.val is the file that data.train is" in errors
    assert "note: data.val_share has no effect" in errors


def test_c14_ddp_on_one_device_takes_two_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = ["--trainer.strategy=ddp", "--trainer.devices=1", "--trainer.accelerator=cpu"]
    lora = ["--model.lora.rank=4", "--model.gradient_checkpointing=true"]
    assert short_run(tmp_path / "run", *one, *lora) == 0
    assert "trainer.strategy ddp on one device: using auto" in capsys.readouterr().err
    assert (tmp_path / "run" / "metrics.csv").read_text().count("\n") == 3


def test_validation_on_the_training_rows(tmp_path: Path) -> None:
    root = tmp_path / "run"
    assert short_run(root, "--data.val=train", "--data.limit=8", "--trainer.max_steps=1") == 0
    assert (root / "validation.csv").read_text().count("\n") == 2


def test_a_trial_leaves_nothing_and_spoils_nothing(tmp_path: Path) -> None:
    root = tmp_path / "run"
    root.mkdir()
    (root / "metrics.csv").write_text("step,loss\n1,2.0\n")
    assert short_run(root, "--config", "configs/debug/one_batch.yaml") == 0
    assert [path.name for path in root.iterdir()] == ["metrics.csv"]
    assert (root / "metrics.csv").read_text() == "step,loss\n1,2.0\n"


@pytest.mark.parametrize("command", ["fit", "validate", "test", "predict"])
def test_help_is_shown(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        build(command, ["--help"])
    assert ended.value.code == 0
    assert "--trainer.max_epochs" in capsys.readouterr().out
