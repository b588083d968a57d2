"""The names of our engine, and its arguments."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import torch
from lightning.pytorch.strategies import StrategyRegistry
from torch import nn
from torch.optim import SGD

from sk2d.errors import ConfigError
from sk2d.models.strategies import DEEPSPEED_NAMES, RunDeepSpeedStrategy, register_strategies
from sk2d.models.strategies.offload import on_the_cpu, small_states

pytest.importorskip("deepspeed")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DS_ACCELERATOR", "cpu")
    monkeypatch.delenv(RunDeepSpeedStrategy.DEEPSPEED_ENV_VAR, raising=False)


def test_lightnings_names_mean_our_engine() -> None:
    register_strategies()
    register_strategies()
    for name, arguments in DEEPSPEED_NAMES.items():
        made = StrategyRegistry.get(name)
        assert type(made) is RunDeepSpeedStrategy
        assert made.zero["stage"] == arguments["stage"]
        assert made.offloads_optimizer == arguments.get("offload_optimizer", False)


def test_a_config_and_arguments_that_it_replaces_are_an_error() -> None:
    with pytest.raises(ConfigError, match="stage, offload_optimizer would have no effect"):
        RunDeepSpeedStrategy(stage=3, offload_optimizer=True, config={"zero_optimization": {}})


def test_a_config_of_the_environment_counts_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 1}}')
    monkeypatch.setenv(RunDeepSpeedStrategy.DEEPSPEED_ENV_VAR, str(path))
    assert RunDeepSpeedStrategy().zero == {"stage": 1}
    with pytest.raises(ConfigError, match="stage would have no effect"):
        RunDeepSpeedStrategy(stage=3)


def test_a_config_is_taken_and_not_changed() -> None:
    given = {"zero_optimization": {"stage": 3}}
    made = RunDeepSpeedStrategy(config=given, cpu_ops="torch")
    assert made.zero_stage_3
    assert given == {"zero_optimization": {"stage": 3}}


def test_without_compiled_parts_torchs_adamw_may_update_what_is_offloaded() -> None:
    made = RunDeepSpeedStrategy(offload_optimizer=True, cpu_ops="torch")
    assert made._whole_config()["zero_force_ds_cpu_optimizer"] is False
    assert "zero_force_ds_cpu_optimizer" not in RunDeepSpeedStrategy()._whole_config()


def test_only_adamw_is_moved_to_the_cpu() -> None:
    weight = nn.Parameter(torch.zeros(2, 2))
    with pytest.raises(ConfigError, match="SGD cannot update weights whose states are offloaded"):
        on_the_cpu(SGD([weight], lr=0.1), None)


def test_d7_small_states_are_not_worth_an_offload() -> None:
    small = nn.Linear(100, 100)
    assert "take 0 MB in all" in str(small_states(small))
    with torch.device("meta"):
        large = nn.Linear(20000, 20000)
    assert small_states(large) is None
    large.requires_grad_(False)
    assert small_states(large) is not None


def test_one_line_of_deepspeed_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("DeepSpeed")
    logger.addHandler(caplog.handler)
    logger.warning("Setting accelerator to CPU. If you have GPU ...")
    logger.warning("something else")
    logger.removeHandler(caplog.handler)
    assert [record.getMessage() for record in caplog.records] == ["something else"]
