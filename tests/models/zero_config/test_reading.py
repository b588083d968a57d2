"""Files as people bring them: comments, keys given twice, no JSON at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.errors import ConfigError
from sk2d.models.zero_config import problems, report
from sk2d.models.zero_config.reading import read_file, without_comments


def written(folder: Path, text: str) -> Path:
    path = folder / "ds.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_comments_are_read_and_named(tmp_path: Path) -> None:
    text = """{ // first
      # second
      "wandb": {"project": "a // b # c", /* third
      */ "enabled": true,},
    }"""
    config, about = read_file(written(tmp_path, text))
    assert config == {"wandb": {"project": "a // b # c", "enabled": True}}
    assert [verdict.effect for verdict in about] == ["refused"]
    assert without_comments(text).count("\n") == text.count("\n")
    assert len(without_comments(text)) == len(text)


def test_a_key_given_twice_is_an_error(tmp_path: Path) -> None:
    text = (
        '{"bf16": {"enabled": true, "enabled": false}, "steps_per_print": 1, "steps_per_print": 2}'
    )
    config, about = read_file(written(tmp_path, text))
    assert config == {"bf16": {"enabled": False}, "steps_per_print": 2}
    assert sorted(verdict.key for verdict in about) == ["bf16.enabled", "steps_per_print"]
    assert not report(tmp_path / "ds.json").works


@pytest.mark.parametrize(
    ("text", "place"), [('{"a": 1 "b": 2}', ":1:9"), ("[1, 2]", "ds.json"), ("", ":1:1")]
)
def test_what_is_no_object_is_told_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_file(written(tmp_path, text))
    assert str(caught.value.where).endswith(place)
    assert len(problems(tmp_path / "ds.json")) == 1


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        report(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ConfigError, match="cannot be read"):
        report(tmp_path / "binary.json")


def test_a_file_is_judged_like_its_content(tmp_path: Path) -> None:
    config = {"zero_optimisation": {"stage": 2}}
    path = written(tmp_path, json.dumps(config))
    assert [str(p) for p in problems(path)] == [str(p) for p in problems(config)]
    assert report(path).stage == 0
