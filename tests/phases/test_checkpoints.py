"""Which checkpoints a run keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sk2d.phases.checkpoints import RunModelCheckpoint, best_files, best_value


def names(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "checkpoints").glob("step*"))


def test_the_newest_two_the_best_and_a_link_are_kept(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path, every=1, max_epochs=3)
    trainer.fit(module, datamodule=data)
    assert names(tmp_path) == ["step00000011.ckpt", "step00000012.ckpt"]
    link = tmp_path / "checkpoints" / "last.ckpt"
    assert link.is_symlink()
    assert link.resolve().name == "step00000012.ckpt"
    losses = [best_value(path) for path in best_files(tmp_path / "checkpoints")]
    validated = (tmp_path / "validation.csv").read_text().splitlines()[1:]
    assert losses == [pytest.approx(min(float(row.split(",")[2]) for row in validated), abs=1e-6)]


def test_stale_temporary_files_are_cleared_and_checkpoints_of_before_set_aside(
    make_run: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    (folder / ".step00000001.ckpt.99.tmp").write_bytes(b"half")
    for step in (1, 2, 3):
        (folder / f"step{step:08d}.ckpt").write_bytes(b"old")
    module, data, trainer = make_run(tmp_path, every=4, max_steps=5)
    with pytest.warns(UserWarning, match="3 later checkpoint"):
        trainer.fit(module, datamodule=data)
    assert names(tmp_path) == ["step00000004.ckpt", "step00000005.ckpt"]
    assert not list(folder.glob(".*"))
    assert len(list(folder.glob("set-aside-*/*"))) == 3


def test_a_validation_in_the_middle_of_a_step_saves_the_step_before(
    make_run: Any, tmp_path: Path
) -> None:
    module, data, trainer = make_run(tmp_path, val_check_interval=3, max_steps=2)
    trainer.fit(module, datamodule=data)
    assert [path.name[-17:] for path in best_files(tmp_path / "checkpoints")] == [
        "step00000001.ckpt"
    ]


def test_bad_numbers_are_our_own_mistake() -> None:
    with pytest.raises(AssertionError):
        RunModelCheckpoint(every_n_train_steps=0)
