"""Folders appear whole or not at all."""

from __future__ import annotations

import pytest

from sk2d.errors import ModelError
from sk2d.models.folders import check_free, new_folder


def test_nothing_is_seen_before_the_end(tmp_path):
    with new_folder(tmp_path / "deep" / "out") as folder:
        (folder / "a").write_text("1")
        assert not (tmp_path / "deep" / "out").exists()
        assert folder.parent == tmp_path / "deep", "on the same file system, so renaming is atomic"
    assert (tmp_path / "deep" / "out" / "a").read_text() == "1"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


def test_an_exception_leaves_what_was_there(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").write_text("old")

    def fail():
        with new_folder(tmp_path / "out", overwrite=True) as folder:
            (folder / "new").write_text("new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "old").read_text() == "old"


def test_a_relative_name_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    from pathlib import Path

    with new_folder(Path("out")) as folder:
        (folder / "a").write_text("1")
    assert (tmp_path / "out" / "a").exists()


def test_places_that_are_taken(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    check_free(tmp_path / "empty", overwrite=False)
    with pytest.raises(ModelError, match="this is a file"):
        check_free(tmp_path / "file", overwrite=True)
    with pytest.raises(ModelError, match="not empty"):
        check_free(tmp_path, overwrite=False)
    check_free(tmp_path, overwrite=True)
