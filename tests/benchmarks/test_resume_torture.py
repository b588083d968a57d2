"""A run that is killed with SIGKILL a few times ends with the very same weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT


@pytest.mark.slow
def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    output = tmp_path / "torture"
    command = [sys.executable, "benchmarks/resume_torture.py", "--kills", "4", "--output"]
    done = subprocess.run([*command, str(output)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((output / "result.json").read_text())
    assert len(result["kills"]) == 4
    assert all(result["checks"].values())
