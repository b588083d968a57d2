"""`plan --deepspeed FILE`, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.commands.plan_deepspeed import show_deepspeed
from tests.imports import ROOT

FALCON = ROOT / "tests/models/zero_config/falcon3_7b.json"


def test_the_tutorials_file_gets_a_verdict_for_every_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert show_deepspeed(FALCON, 4, as_json=True) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["works"], found["stage"], found["devices"]) == (False, 2, 4)
    keys = {key["key"]: key for key in found["keys"]}
    assert len(keys) == 20
    assert keys["model_parallel.tensor_parallel.world_size"]["effect"] == "contradiction"
    assert "16 devices" in keys["model_parallel.tensor_parallel.world_size"]["says"]
    assert keys["zero_optimization.offload_param"]["effect"] == "no effect"


def test_the_table_says_what_happens(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    assert show_deepspeed(FALCON, None) == 1
    page = capsys.readouterr().out
    for part in ("deepspeed_transformer_kernel", "no effect", "ZeRO stage 2", "unknown"):
        assert part in page


def test_d5_a_misspelt_section_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimisation": {"stage": 2}}')
    assert show_deepspeed(path) == 1
    assert "zero_optimization" in capsys.readouterr().out


def test_a_sound_file_is_a_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 2, "overlap_comm": true}}')
    assert show_deepspeed(path, 2) == 0
    assert "2 devices: sound" in capsys.readouterr().out
