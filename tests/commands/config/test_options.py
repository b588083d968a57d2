"""The words of a command line as settings, in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.commands.config.options import last_values, read_settings, replaced_lists


def test_options_become_settings_in_the_form_that_no_parser_misreads() -> None:
    reading = read_settings(["--model.lr", "-1e-4", "--data.pack=false", "--overwrite", "--a+=b"])
    assert [(item.key, item.value) for item in reading.settings] == [
        ("model.lr", -1e-4),
        ("data.pack", False),
        ("overwrite", None),
        ("a", "b"),
    ]
    assert reading.settings[3].append
    assert reading.arguments == ["--model.lr=-1e-4", "--data.pack=false", "--overwrite", "--a+=b"]


def test_configs_and_options_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.yaml").write_text("data: {limit: 1}")
    Path("two.yaml").write_text("data: {limit: 2}")
    reading = read_settings(["-c", "one.yaml", "--data.limit=3", "--config=two.yaml"])
    assert [setting.value for setting in reading.settings] == [1, 3, 2]
    assert last_values(reading.settings)["data.limit"].value == 2
    assert reading.arguments == ["--config=one.yaml", "--data.limit=3", "--config=two.yaml"]


def test_c5_a_replaced_list_is_told_and_an_added_to_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.yaml").write_text("trainer:\n  callbacks: [RichProgressBar]\n")
    Path("two.yaml").write_text("trainer:\n  callbacks: [RichModelSummary]\n")
    one = ["--config", "one.yaml"]
    assert replaced_lists(read_settings([*one, "--trainer.callbacks+=X"]).settings) == []
    [line] = replaced_lists(read_settings([*one, "--config", "two.yaml"]).settings)
    assert line == (
        "one.yaml:2: trainer.callbacks is replaced by two.yaml:2: trainer.callbacks: "
        "lists are not joined (--trainer.callbacks+=VALUE adds to one)"
    )
