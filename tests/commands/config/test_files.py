"""Configs are found by name, and every value is known with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.commands.config.classes import KINDS
from sk2d.commands.config.files import WHOLE_KEYS, clean_key, find_config
from sk2d.commands.config.yaml import read_config
from sk2d.errors import ConfigError
from tests.imports import ROOT


def test_a_bare_name_is_found_in_the_shipped_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config("skeleton.yaml") == ROOT / "configs/phase/skeleton.yaml"
    assert find_config("cpu.yaml") == ROOT / "configs/machine/cpu.yaml"
    assert find_config("configs/debug/overfit.yaml") == ROOT / "configs/debug/overfit.yaml"
    with pytest.raises(ConfigError, match="there is no such config"):
        find_config("overfit.yaml")


def test_the_working_folder_comes_in_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("trainer: {max_epochs: 1}")
    assert find_config("mine.yaml") == Path("mine.yaml")
    monkeypatch.chdir(ROOT / "configs" / "machine")
    assert find_config("cpu.yaml").resolve() == ROOT / "configs/machine/cpu.yaml"


def test_every_value_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("model:\n  init_args:\n    lr: 1e-4\n    lora:\n      rank: 8\ndata.limit: 4\n")
    reading = read_config(path)
    assert reading.complete
    assert not reading.problems
    found = {setting.key: (setting.value, setting.place()) for setting in reading.settings}
    assert found == {
        "model.lr": (1e-4, f"{path}:3: model.lr"),
        "model.lora.rank": (8, f"{path}:5: model.lora.rank"),
        "data.limit": (4, f"{path}:6: data.limit"),
    }
    assert reading.settings[1].place("model.lora") == f"{path}:4: model.lora"


def test_merged_mappings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("model: &m {lr: 0.1}\ndata: {<<: {limit: 4}, <<: {cutoff: 32}}\n")
    reading = read_config(path)
    assert not reading.problems
    assert {setting.key for setting in reading.settings} == {
        "model.lr",
        "data.limit",
        "data.cutoff",
    }


def test_classes_are_kept_in_one_piece(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("trainer:\n  logger: {class_path: CSVLogger, init_args: {save_dir: x}}\n")
    [setting] = read_config(path).settings
    assert setting.key == "trainer.logger"
    assert setting.value["init_args"] == {"save_dir": "x"}
    assert set(WHOLE_KEYS) == set(KINDS)


def test_a_key_twice_in_a_list_of_classes(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("trainer:\n  callbacks:\n  - class_path: A\n    class_path: B\n")
    [problem] = read_config(path).problems
    assert str(problem).startswith(f"{path}:4: trainer.callbacks.class_path: the key is set twice")


def test_init_args_are_left_out_of_keys_but_not_of_the_top() -> None:
    assert clean_key("model.init_args.lora.rank") == "model.lora.rank"
    assert clean_key("init_args.base") == "init_args.base"
