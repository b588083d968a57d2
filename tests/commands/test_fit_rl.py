"""Reinforcement learning from the command line: a killed run goes on, mistakes are told at once."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from sk2d.commands.config.devices import HERE, planned_site
from sk2d.commands.config.prepare import judge
from sk2d.commands.main import main
from sk2d.commands.plan.planning import make_plan
from tests.imports import ROOT

LIMIT = 200.0
CONFIGS = ("--config", "rl_skeleton.yaml", "--config", "cpu_tiny.yaml")


def options(root: Path, *more: str) -> list[str]:
    return [
        *("fit", *CONFIGS, "--model.base=tiny", "--model.lora.rank=4", "--model.lr=1e-3"),
        *("--model.max_new_tokens=12", "--model.rollouts.answers=3", "--model.update.kl=0.1"),
        *("--model.update.mask_truncated=false", "--data.effective_batch=3", "--data.limit=18"),
        *("--data.val_share=0", "--trainer.max_epochs=1", "--checkpoint.every_n_train_steps=1"),
        *("--trainer.enable_progress_bar=false", f"--trainer.default_root_dir={root}", *more),
    ]


def run(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "cli.py", *words], cwd=ROOT, stderr=subprocess.PIPE)


def steps_of(root: Path) -> int:
    path = root / "metrics.csv"
    return len(list(csv.DictReader(path.open()))) if path.exists() else 0


@pytest.mark.slow
def test_a_killed_run_goes_on_bit_by_bit(tmp_path: Path) -> None:
    assert run(*options(tmp_path / "plain")).wait(LIMIT) == 0
    process = run(*options(tmp_path / "torn"))
    until = time.monotonic() + LIMIT
    while steps_of(tmp_path / "torn") < 3 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = steps_of(tmp_path / "torn")
    assert 3 <= done < 6, "it was killed on its way"
    assert run(*options(tmp_path / "torn", "--ckpt_path=last")).wait(LIMIT) == 0
    texts = [(tmp_path / name / "rollouts.jsonl").read_text() for name in ("plain", "torn")]
    assert texts[0] == texts[1]
    assert texts[0].count("\n") == 18
    weights = [
        load_file(tmp_path / n / "model" / "adapter_model.safetensors") for n in ("plain", "torn")
    ]
    assert all(torch.equal(weights[1][name], value) for name, value in weights[0].items())


MISTAKES = [
    ("--trainer.gradient_clip_val=1.0", "model.update.clip_grad"),
    ("--guard.factor=2.0", "no trend to judge"),
    ("--model.lora.dropout=0.1", "policy that answers is not the one"),
    ("--model.rollouts.answers=1", "no others to be compared with"),
    ("--model.rollouts.temperature=0", "out of range"),
    ("--model.rollouts.engine=vllm", "vLLM is not installed"),
    ("--model.rollouts.engine_memory=1.5", "model.rollouts.engine_memory"),
    ("--model.reward.mode=lexical", "the Skeleton gives none"),
    ("--model.reward.embedder=minilm", "the skeleton reward does not have it"),
    ("--model.update.minibatches=99", "cannot share"),
    ("--trainer.devices=2", "for one device"),
    ("--model.update.klkind=k1", "there is no such key"),
    ("--data.train=examples/skeleton.jsonl", "data.train"),
]


def test_all_mistakes_are_told_at_once() -> None:
    words = [*CONFIGS, "--model.base=tiny", *(option for option, _ in MISTAKES)]
    judged = judge("fit", words, HERE)
    told = "\n".join(str(problem) for problem in judged.mistakes(judged.lacking))
    for option, wanted in MISTAKES:
        assert wanted in told, option


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("--model.rollouts.engine_memory=0.3",), "it is for vLLM alone"),
        (("--model.rollouts.engine=vllm", "--model.lora=null"), "as an adapter"),
        (("--model.rollouts.engine=vllm", "--model.quantization=nf4"), "does not compute a base"),
    ],
)
def test_what_vllm_cannot_be_given(options: tuple[str, ...], wanted: str) -> None:
    judged = judge("fit", [*CONFIGS, "--model.base=tiny", *options], HERE)
    told = "\n".join(str(problem) for problem in judged.mistakes(judged.lacking))
    assert wanted in told


@pytest.mark.parametrize("command", ["test", "predict"])
def test_commands_that_have_no_meaning_here(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, *CONFIGS, "--model.base=tiny"]) == 2
    assert "reinforcement learning has no" in capsys.readouterr().err


def test_supervised_data_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", *CONFIGS, "--data.class_path=sk2d.data.SupervisedData"]) == 2
    assert "RolloutData" in capsys.readouterr().err


def test_a_plan_counts_prompts_and_answers() -> None:
    made = make_plan([*CONFIGS, "--model.base=tiny", "--data.limit=40"], HERE, 1000.0)
    assert made.rows is not None
    assert made.time is not None
    assert made.rows.supervised == made.rows.rows * 8 * 300
    assert made.time.steps_per_epoch == -(-made.rows.rows // 8)
    assert made.time.seconds == pytest.approx(made.time.tokens / 1000)
    assert made.memory is not None
    assert made.memory.job.samples == 32


def test_a_plan_leaves_vllm_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--config=v100_rl.yaml", "--model.base=tiny", "--data.val_batch=5"]
    site = planned_site("v100-32gb")
    own = make_plan(words, site, None).memory
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    more = ["--model.rollouts.engine=vllm", "--model.rollouts.engine_memory=0.25"]
    shared = make_plan([*words, *more], site, None).memory
    assert own
    assert shared
    assert own.limit_bytes
    assert shared.limit_bytes
    assert own.job.samples == 8
    assert shared.job.samples == 5, "its own sampler is for validation"
    assert shared.limit_bytes == int(0.75 * own.limit_bytes)


def test_validate_measures_the_reward(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--model.base=tiny", "--data.limit=12", "--data.val=train", "--data.val_rows=4"]
    more = ["--model.max_new_tokens=8", f"--trainer.default_root_dir={tmp_path}"]
    assert main(["validate", *CONFIGS, *words, *more]) == 0
    assert "val/reward" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:all answers of step", "ignore:.*that all score the same")
def test_rows_left_out_are_listed(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (ROOT / "examples/rl_skeleton.jsonl").open()][:4]
    rows[1]["reward_model"]["ground_truth"] = "int func1(void) { return nothing; }"
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = options(tmp_path / "run", f"--data.train={path}", "--trainer.max_steps=1")
    assert main(words) == 0
    (left,) = map(json.loads, (tmp_path / "run" / "left_out.jsonl").open())
    assert left["id"] == rows[1]["id"]
    assert "not_compiling" in left["reason"]
