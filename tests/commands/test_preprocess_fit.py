"""What `preprocess` writes trains with `fit` as it is, in both phases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from sk2d.commands.main import main
from sk2d.corpus import pipeline
from tests.corpus.preprocess.fake_tools import TOOLS, pair


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    rows = [pair(f"f{n}", seed=n) for n in range(10)]
    (folder / "raw.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--input", folder / "raw.jsonl", "--output", folder / "out", "--val_share", "0.2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "phase0_tools", lambda: TOOLS)
        assert main(["preprocess", "--workers", "1", *map(str, words)]) == 0
    return folder / "out"


@pytest.mark.parametrize(("phase", "ending"), [("skeleton", "jsonl"), ("skin", "parquet")])
def test_fit_takes_the_rows(corpus: Path, phase: str, ending: str, tmp_path: Path) -> None:
    root = tmp_path / "run"
    options = [
        *("fit", "--config", f"{phase}.yaml", "--config", "cpu_tiny.yaml", "--model.samples=0"),
        *("--trainer.max_steps=2", "--trainer.enable_progress_bar=false"),
        f"--data.train={corpus / phase}.train.{ending}",
        f"--data.val={corpus / phase}.val.{ending}",
        f"--trainer.default_root_dir={root}",
        f"--data.cache_dir={tmp_path / 'cache'}",
    ]
    assert main(options) == 0
    saved = torch.load(root / "checkpoints" / "last.ckpt", weights_only=True)
    assert saved["global_step"] == 2
