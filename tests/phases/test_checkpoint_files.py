"""Checkpoint files are whole or not there, and a damaged one is named."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import torch

from sk2d.errors import ResumeError, UserError
from sk2d.phases.checkpoint_files import (
    AtomicCheckpointIO,
    find_checkpoint,
    is_intact,
    link_atomically,
    newest_first,
)


def save(folder: Path, step: int) -> Path:
    path = folder / f"step{step:08d}.ckpt"
    AtomicCheckpointIO().save_checkpoint({"x": torch.arange(1000)}, path)
    return path


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def test_a_saved_checkpoint_is_intact_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = save(tmp_path / "new", 3)
    assert is_intact(path)
    assert os.listdir(path.parent) == [path.name]
    assert torch.equal(torch.load(path, weights_only=True)["x"], torch.arange(1000))


def test_a_failed_write_keeps_the_old_file_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path, 3)
    before = path.read_bytes()

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(UserError, match=r"No space left.*Free some disk space"):
        save(tmp_path, 3)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_last_is_the_newest_step_whatever_the_link_says(tmp_path: Path) -> None:
    old, new = save(tmp_path, 9), save(tmp_path, 10)
    link_atomically(tmp_path / "last.ckpt", old)
    assert newest_first(tmp_path) == [new, old]
    assert find_checkpoint("last", tmp_path) == new


@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_offered(
    tmp_path: Path, cut: bool
) -> None:
    old, new = save(tmp_path, 1), save(tmp_path, 2)
    if cut:
        new.write_bytes(new.read_bytes()[:-100])
    else:
        damage(new)
    assert not is_intact(new)
    with pytest.raises(ResumeError, match=f"{new.name}: the checkpoint is damaged.*{old.name}"):
        find_checkpoint("last", tmp_path)
    damage(old)
    with pytest.raises(ResumeError, match="No other intact checkpoint"):
        find_checkpoint(str(new), tmp_path)


def test_nothing_to_resume_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ResumeError, match="no checkpoint to resume from"):
        find_checkpoint("last", tmp_path)
    with pytest.raises(ResumeError, match="no such checkpoint"):
        find_checkpoint(str(tmp_path / "nothing.ckpt"), tmp_path)
