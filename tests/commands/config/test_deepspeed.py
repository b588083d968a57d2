"""The DeepSpeed config that a run's config names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.commands.config.check import Values, check_settings
from sk2d.commands.config.deepspeed import ENVIRONMENT, deepspeed_rules
from sk2d.commands.config.options import read_settings

STRATEGY = "sk2d.models.strategies.RunDeepSpeedStrategy"
BASE = ["--model=sk2d.phases.SkeletonModule", "--model.base=tiny", "--data.train=x.jsonl"]


def values(strategy: Any, *options: str) -> Values:
    words = [*BASE, f"--trainer.strategy={json.dumps(strategy)}", *options]
    found, problems = check_settings(read_settings(words), "fit")
    assert not problems
    return found


def lines(strategy: Any, *options: str) -> list[str]:
    return [str(problem) for problem in deepspeed_rules(values(strategy, *options))]


def with_config(config: Any) -> dict[str, Any]:
    return {"class_path": STRATEGY, "init_args": {"config": config}}


def test_d5_unknown_keys_keep_a_run_from_starting() -> None:
    found = lines(with_config({"zero_optimisation": {"stage": 2}}))
    assert len(found) == 1
    assert found[0].startswith("trainer.strategy.config: zero_optimisation: ")
    assert "zero_optimization" in found[0]


def test_d4_clipping_is_compared_with_the_trainer() -> None:
    config = {"gradient_clipping": 1.0}
    assert lines(with_config(config), "--trainer.gradient_clip_val=1.0") == []
    for options in (["--trainer.gradient_clip_val=0.5"], []):
        assert "trainer.gradient_clip_val" in lines(with_config(config), *options)[0]


def test_c7_batches_are_compared_with_the_trainer(tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"gradient_accumulation_steps": 4, "train_batch_size": 16}')
    sizes = ["--data.batch_size=4", "--trainer.devices=1", "--data.effective_batch"]
    assert lines(with_config(str(path)), *sizes[:2], f"{sizes[2]}=16") == []
    assert len(lines(with_config(str(path)), *sizes[:2], f"{sizes[2]}=32")) == 2


def test_a_strategy_without_a_config_of_its_own_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert lines("deepspeed_stage_2") == []
    assert lines("ddp") == []
    assert lines({"class_path": STRATEGY, "init_args": {"stage": 3}}) == []


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    found = lines(with_config(str(tmp_path / "none.json")))
    assert len(found) == 1
    assert "there is no file" in found[0]


def test_a_config_named_by_the_environment_is_judged_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"model_parallel": {"size": 2}}')
    monkeypatch.setenv(ENVIRONMENT, str(path))
    assert lines("deepspeed_stage_2")[0].startswith(f"{ENVIRONMENT}: model_parallel: ")
    assert lines("ddp") == []
