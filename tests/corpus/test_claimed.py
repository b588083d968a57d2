"""A folder belongs to the run that began there."""

from pathlib import Path

import pytest

from sk2d.corpus.claimed import RUN, claim
from sk2d.errors import UserError


def test_the_same_run_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert not claim(folder, {"x": (1, 2), "y": 1})
    assert claim(folder, {"x": (1, 2), "y": 1})
    with pytest.raises(UserError, match=r"differing: y, z\)"):
        claim(folder, {"x": [1, 2], "z": 1})
    assert not claim(folder, {"z": 1}, overwrite=True)
    assert claim(folder, {"z": 1})
    assert not claim(folder, {"z": 1}, overwrite=True)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="not empty"):
        claim(tmp_path, {})
    (tmp_path / RUN).write_text("{damaged")
    with pytest.raises(UserError, match="not empty"):
        claim(tmp_path, {})
    assert not claim(tmp_path, {}, overwrite=True)
    assert (tmp_path / "letter.txt").exists()
