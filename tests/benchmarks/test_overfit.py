"""The tiny model learns four rows by heart, through the same commands as a real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.overfit import overfit
from sk2d.corpus.files import shipped

FASTER = ["--model.lr=3e-3", "--trainer.max_epochs=75", "--model.samples=0", "--data.val=null"]


@pytest.mark.parametrize("phase", ["skeleton", "skin"])
def test_the_tiny_model_learns_four_rows_by_heart(phase: str, tmp_path: Path) -> None:
    rows = shipped(f"examples/{phase}.jsonl")
    more = [*FASTER, "--data.val_share=0", f"--data.cache_dir={tmp_path / 'cache'}"]
    outcome = overfit(phase, "cpu_tiny.yaml", str(rows), 4, tmp_path / "run", more)
    assert outcome.last_loss < 0.1 * outcome.first_loss
    assert outcome.equal == outcome.rows == 4


def test_a_run_that_learnt_nothing_is_no_success(tmp_path: Path) -> None:
    more = ["--trainer.max_steps=1", "--model.samples=0", f"--data.cache_dir={tmp_path / 'cache'}"]
    rows = str(shipped("examples/skin.jsonl"))
    outcome = overfit("skin", "cpu_tiny.yaml", rows, 2, tmp_path / "run", more)
    assert not outcome.learnt
