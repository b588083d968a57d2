"""A run that is killed with SIGKILL a few times ends with the very same weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.resume_torture import resumption, why_missed
from tests.imports import ROOT


def test_a_run_goes_on_from_a_finished_checkpoint_alone(tmp_path: Path) -> None:
    assert resumption(tmp_path) == ["--overwrite"], "killed before it wrote anything"
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / ".step1.ckpt.x.tmp").write_bytes(b"half")
    assert resumption(tmp_path) == ["--overwrite"]
    (tmp_path / "checkpoints" / "step1.ckpt").write_bytes(b"whole")
    assert resumption(tmp_path) == ["--ckpt_path", "last"]


@pytest.mark.parametrize(
    ("returncode", "reason"), [(None, "did not come"), (0, "more --steps"), (2, "failed with 2")]
)
def test_a_missed_kill_has_a_reason(returncode: int | None, reason: str) -> None:
    assert reason in why_missed(returncode)


@pytest.mark.slow
def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    output = tmp_path / "torture"
    command = [sys.executable, "benchmarks/resume_torture.py", "--kills", "4", "--output"]
    done = subprocess.run([*command, str(output)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((output / "result.json").read_text())
    assert len(result["kills"]) == 4
    assert all(result["checks"].values())
