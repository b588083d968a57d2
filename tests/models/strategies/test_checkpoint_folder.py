"""Checkpoint folders: written beside their name, marked, checked, deleted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sk2d.models.strategies import checkpoint_folder as folders


def fill(folder: Path, text: str = "weights") -> Path:
    (folder / folders.ENGINE).mkdir(parents=True)
    (folder / folders.RUN).write_text(text)
    (folder / folders.ENGINE / "rank0.pt").write_bytes(b"states" * 1000)
    return folder


@pytest.fixture
def done(tmp_path: Path) -> Path:
    path = tmp_path / "step00000003.ckpt"
    folders.finish(fill(folders.beside(path)), path)
    return path


def test_a_finished_folder_lists_every_file_and_leaves_nothing_beside(done: Path) -> None:
    listed = json.loads((done / folders.MARKER).read_text())["files"]
    assert set(listed) == {folders.RUN, f"{folders.ENGINE}/rank0.pt"}
    assert listed[f"{folders.ENGINE}/rank0.pt"]["size"] == 6000
    assert folders.is_checkpoint_folder(done)
    assert folders.is_intact_folder(done)
    assert list(done.parent.iterdir()) == [done]


def test_names_beside_are_hidden_unique_and_cleared_away_later(tmp_path: Path) -> None:
    names = {folders.beside(tmp_path / "last.ckpt") for _ in range(20)}
    assert len(names) == 20
    assert all(name.name.startswith(".") and name.name.endswith(".tmp") for name in names)
    assert {name.parent for name in names} == {tmp_path}


def lose_a_byte(folder: Path) -> None:
    path = folder / folders.ENGINE / "rank0.pt"
    path.write_bytes(path.read_bytes()[:-1])


def flip_a_bit(folder: Path) -> None:
    path = folder / folders.ENGINE / "rank0.pt"
    content = bytearray(path.read_bytes())
    content[77] ^= 1
    path.write_bytes(bytes(content))
    os.utime(path, (1, 1))  # the clock of a file system is coarse


DAMAGES: list[Callable[[Path], None]] = [
    lose_a_byte,
    flip_a_bit,
    lambda folder: (folder / folders.ENGINE / "rank0.pt").unlink(),
    lambda folder: (folder / folders.RUN).unlink(),
    lambda folder: (folder / folders.MARKER).unlink(),
    lambda folder: (folder / folders.MARKER).write_text('{"files": {}}'),
    lambda folder: (folder / folders.MARKER).write_text("[1]"),
    lambda folder: (folder / folders.MARKER).write_text('{"files": '),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_any_damage_is_found(done: Path, damage: Callable[[Path], None]) -> None:
    assert folders.is_intact_folder(done)
    damage(done)
    assert not folders.is_intact_folder(done)


def test_a_folder_that_was_never_finished_is_a_checkpoint_and_not_intact(tmp_path: Path) -> None:
    folder = fill(tmp_path / "step00000001.ckpt")
    assert folders.is_checkpoint_folder(folder)
    assert not folders.is_intact_folder(folder)


def test_other_folders_are_no_checkpoints(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "file.ckpt").write_text("x")
    assert not folders.is_checkpoint_folder(tmp_path / "model")
    assert not folders.is_checkpoint_folder(tmp_path / "file.ckpt")
    assert not folders.is_checkpoint_folder(tmp_path / "none")


@pytest.mark.parametrize("before", ["folder", "file", "link"])
def test_what_stands_under_the_name_is_replaced(tmp_path: Path, before: str) -> None:
    path = tmp_path / "best.ckpt"
    if before == "folder":
        fill(path, "old")
    elif before == "file":
        path.write_text("old")
    else:
        path.symlink_to("nowhere")
    folders.finish(fill(folders.beside(path), "new"), path)
    assert (path / folders.RUN).read_text() == "new"
    assert folders.is_intact_folder(path)
    assert list(tmp_path.iterdir()) == [path]


def test_size_counts_all_files(done: Path, tmp_path: Path) -> None:
    marker = (done / folders.MARKER).stat().st_size
    assert folders.size_of(done) == 6000 + len("weights") + marker
    (tmp_path / "one").write_text("12345")
    assert folders.size_of(tmp_path / "one") == 5


def test_delete_takes_folders_files_links_and_nothing(done: Path, tmp_path: Path) -> None:
    link = tmp_path / "last.ckpt"
    link.symlink_to(done.name)
    folders.delete(link)
    assert done.is_dir()
    folders.delete(done)
    folders.delete(tmp_path / "gone.ckpt")
    (tmp_path / "file.ckpt").write_text("x")
    folders.delete(tmp_path / "file.ckpt")
    assert list(tmp_path.iterdir()) == []
