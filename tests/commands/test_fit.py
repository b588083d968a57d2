"""Running a phase from the command line: signals, resuming, run folders."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from sk2d.commands.main import main
from tests.imports import ROOT

LIMIT = 200.0


def options(root: Path, *more: str) -> list[str]:
    return [
        *("fit", "--config", "skin.yaml", "--config", "cpu_tiny.yaml", "--model.samples=0"),
        *("--model.lora.rank=4", "--data.val_share=0.1", "--trainer.enable_progress_bar=false"),
        f"--trainer.default_root_dir={root}",
        f"--data.cache_dir={root.parent / 'cache'}",
        *more,
    ]


def steps_of(root: Path) -> list[int]:
    path = root / "metrics.csv"
    return [int(row["step"]) for row in csv.DictReader(path.open())] if path.exists() else []


def test_sigterm_saves_and_ends_with_143_and_last_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "run"
    command = [sys.executable, "cli.py", *options(root, "--trainer.max_epochs=30")]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)
    until = time.monotonic() + LIMIT
    while len(steps_of(root)) < 3 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 143, errors.decode()
    assert "--ckpt_path last" in errors.decode()
    done = len(steps_of(root))
    assert main(options(root, f"--trainer.max_steps={done + 2}", "--ckpt_path=last")) == 0
    assert steps_of(root) == list(range(1, done + 3))


def test_a_run_folder_with_results_is_refused_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "run"
    (tmp_path / "run").mkdir()
    (root / "notes.txt").write_text("mine")
    first = options(root, "--trainer.max_steps=1")
    assert main(first) == 0
    assert main(first) == 2
    assert "holds another run" in capsys.readouterr().err
    assert main([*first, "--overwrite"]) == 0
    assert (root / "notes.txt").read_text() == "mine"
    assert steps_of(root) == [1]


def test_predict_writes_one_answer_per_row(tmp_path: Path) -> None:
    root = tmp_path / "run"
    rows = "examples/skin_unseen.jsonl"
    command = options(root, f"--data.test={rows}", "--model.max_new_tokens=4")
    assert main(["predict", *command[1:]]) == 0
    answers = [json.loads(line) for line in (root / "predictions.jsonl").read_text().splitlines()]
    asked = [json.loads(line) for line in Path(rows).read_text().splitlines()]
    assert [answer["id"] for answer in answers] == [row["id"] for row in asked]


def test_validate_takes_a_checkpoint(tmp_path: Path) -> None:
    root = tmp_path / "run"
    assert main(options(root, "--trainer.max_steps=2")) == 0
    command = options(root, "--ckpt_path=last")
    assert main(["validate", *command[1:]]) == 0
    saved = torch.load(root / "checkpoints" / "last.ckpt", weights_only=True)
    assert saved["global_step"] == 2


def test_a_run_killed_after_its_last_step_leaves_its_model_when_resumed(tmp_path: Path) -> None:
    root = tmp_path / "run"
    command = options(root, "--trainer.max_steps=2", "--checkpoint.every_n_train_steps=2")
    assert main(command) == 0
    shutil.rmtree(root / "model")
    assert main([*command, "--ckpt_path=last"]) == 0
    assert (root / "model" / "adapter_model.safetensors").exists()
    facts = json.loads((root / "model" / "sk2d.json").read_text())
    assert facts["training"]["steps"] == 2


def test_validation_without_rows_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = options(tmp_path / "run", "--data.val_share=0")
    assert main(["validate", *command[1:]]) == 2
    assert "data.val" in capsys.readouterr().err


def test_predictions_are_not_replaced_unasked(tmp_path: Path) -> None:
    root = tmp_path / "run"
    root.mkdir()
    (root / "predictions.jsonl").write_text("mine")
    more = ("--data.test=examples/skin_unseen.jsonl", "--model.max_new_tokens=2")
    assert main(["predict", *options(root, *more)[1:]]) == 2
    assert (root / "predictions.jsonl").read_text() == "mine"


def test_a_trial_run_leaves_no_files(tmp_path: Path) -> None:
    root = tmp_path / "run"
    assert main(options(root, "--trainer.fast_dev_run=true")) == 0
    assert not (root / "checkpoints").exists()
    assert not (root / "model").exists()


@pytest.mark.parametrize(
    ("phase", "name"),
    [
        ("skeleton", "sk2_pseudo2norm_examples.jsonl"),
        ("skin", "sk2_norm2code_examples.jsonl"),
    ],
)
def test_released_files_train_as_they_are(
    phase: str, name: str, released: Callable[[str], Path], tmp_path: Path
) -> None:
    root = tmp_path / "run"
    command = options(root, f"--data.train={released(name)}", "--trainer.max_steps=2")
    command[2] = f"{phase}.yaml"
    assert main([*command, "--data.cutoff=2048"]) == 0
    counts = json.loads((root / "run.json").read_text())["data"]
    left = counts["rows"] + counts["val_rows"]
    assert counts["rows_in"] == left + counts["dropped_too_long"] == 20


def test_instruction_and_output_rows_end_with_newline_and_end_token(tmp_path: Path) -> None:
    code = "int f(int a) {\n  return a;\n}"
    prompt = f"# This is the decompiled code:\n{code}\n# What is the source code?\n"
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"instruction": prompt, "output": code}) + "\n")
    more = (f"--data.train={rows}", "--data.val_share=0", "--trainer.max_steps=1")
    command = options(tmp_path / "run", *more, "--model.prompt=ghidra-decompile")
    assert main(command) == 0
    target = json.loads((tmp_path / "run" / "run.json").read_text())["first_target"]
    assert target.startswith(code + "\n<")
    assert target.count("int f") == 1


def test_c13_workers_forked_after_the_tokenizer_was_used_do_not_hang(tmp_path: Path) -> None:
    command = options(tmp_path / "run", "--data.num_workers=2", "--trainer.max_steps=2")
    assert main(command) == 0
    assert steps_of(tmp_path / "run") == [1, 2]


@pytest.mark.slow
def test_two_processes_train_like_one(tmp_path: Path) -> None:
    losses = {}
    for devices in (1, 2):
        root = tmp_path / str(devices)
        more = ("--trainer.max_steps=4", "--data.batch_size=2", "--trainer.strategy=ddp")
        command = options(root, *more, f"--trainer.devices={devices}")
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "cli.py", *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        rows = csv.DictReader((root / "metrics.csv").open())
        losses[devices] = [float(row["loss"]) for row in rows]
    assert losses[1] == pytest.approx(losses[2], abs=1e-5)
