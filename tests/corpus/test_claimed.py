"""A folder belongs to the run that began there."""

import os
import signal
import subprocess
import sys
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


def test_results_of_an_earlier_run_go_before_the_folder_changes_hands(tmp_path: Path) -> None:
    claim(tmp_path, {"x": 1}, results=["rows"])
    (tmp_path / "rows").touch()
    claim(tmp_path, {"x": 1}, results=["rows"])
    assert (tmp_path / "rows").exists()
    claim(tmp_path, {"x": 2}, overwrite=True, results=["rows"])
    assert not (tmp_path / "rows").exists()


KILLED_WHILE_CLAIMING = """
import os, signal, sys
from pathlib import Path
from sk2d.corpus import claimed
os.fsync = lambda stream: os.kill(os.getpid(), signal.SIGKILL)
claimed.claim(Path(sys.argv[1]), {"x": 1})
"""


def test_a_kill_while_the_folder_is_taken_does_not_close_it(tmp_path: Path) -> None:
    """A second start of `decompile` said that the folder was not empty."""
    command = [sys.executable, "-c", KILLED_WHILE_CLAIMING, str(tmp_path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert [path.suffix for path in tmp_path.iterdir()] == [".tmp"]
    assert not claim(tmp_path, {"x": 1})
    assert os.listdir(tmp_path) == [RUN]
