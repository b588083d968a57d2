"""A killed run goes on and ends with the same bytes; so do runs with other numbers of workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sk2d.corpus.preprocess.workfolder import WorkFolder
from sk2d.errors import DataError, UserError
from tests.corpus.preprocess.conftest import contents, run_here, write_rows
from tests.corpus.preprocess.fake_tools import pair
from tests.imports import ROOT

PAIRS = [
    pair(f"f{n}", *(["CLASH"] if n % 17 == 3 else []), seed=n, opt=level)
    for n in range(100)
    for level in ("O0", "O2")
] + [pair("f0", seed=0)]


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_at(stage: str, rows: int):
    left = rows

    def progress(name: str, done: int) -> None:
        nonlocal left
        if name == stage:
            left -= done
            if left <= 0:
                raise Killed

    return progress


@pytest.fixture(scope="module")
def straight(tmp_path_factory) -> dict[str, bytes]:
    """What a run in one go writes."""
    folder = tmp_path_factory.mktemp("straight")
    run_here(folder, PAIRS)
    return contents(folder / "out")


STAGES = [("rows", 64), ("rows", 128), ("decide", 100), ("write", 1), ("write", 150)]


@pytest.mark.parametrize(("stage", "rows"), STAGES)
def test_a_killed_run_goes_on_with_the_same_bytes(run, tmp_path, straight, stage, rows):
    with pytest.raises(Killed):
        run(PAIRS, progress=killed_at(stage, rows))
    left_over = next((tmp_path / "out" / ".work").glob("*/00000")) / ".00000003.jsonl.1-ab.tmp"
    left_over.write_bytes(b'{"half')
    done = []
    run(PAIRS, progress=lambda name, count: done.append(count) if name == "rows" else None)
    assert sum(done) == len(PAIRS)
    assert contents(tmp_path / "out") == straight


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_does_not_show(run, tmp_path, straight, workers):
    run(PAIRS, "parallel", workers=workers)
    assert contents(tmp_path / "parallel") == straight


SCRIPT = """
import os
from pathlib import Path
from sk2d.corpus.pipeline import preprocess_rows
from tests.corpus.preprocess.fake_tools import TOOLS
if __name__ == "__main__":
    preprocess_rows(["raw.jsonl"], Path("out"), workers=2, tools=TOOLS)
"""


def start(folder: Path, script: str) -> subprocess.Popen[bytes]:
    (folder / "script.py").write_text(script)
    command = [sys.executable, "script.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True)


def test_sigkill_of_parent_and_workers(run, tmp_path, straight):
    write_rows(tmp_path, PAIRS)
    process = start(tmp_path, SCRIPT)
    until = time.monotonic() + 60
    while not list(tmp_path.glob("out/.work/*/00000/*.jsonl")) and time.monotonic() < until:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if (tmp_path / "out" / ".work").exists():
        run(PAIRS, workers=2)
    assert contents(tmp_path / "out") == straight


def test_workers_go_when_their_parent_is_killed(tmp_path):
    write_rows(tmp_path, PAIRS[:130])
    suicide = "lambda *_: os.kill(os.getpid(), 9)"
    process = start(tmp_path, SCRIPT.replace("workers=2", f"workers=2, progress={suicide}"))
    assert process.wait() == -signal.SIGKILL
    until = time.monotonic() + 30
    while session_lives(process.pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not session_lives(process.pid)


def session_lives(session: int) -> bool:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            return True
    return False


def test_other_settings_or_rows_are_refused(run, tmp_path, straight):
    with pytest.raises(Killed):
        run(PAIRS, progress=killed_at("rows", 64))
    with pytest.raises(
        UserError, match=r"unfinished run .*--seed, --val_share|--val_share, --seed"
    ):
        run(PAIRS, seed=7, val_share=0.2)
    with pytest.raises(UserError, match="unfinished run lies here, with other inputs"):
        run(PAIRS[:-1])
    run(PAIRS[:-1], overwrite=True)
    assert contents(tmp_path / "out") != straight
    run(PAIRS, overwrite=True)
    assert contents(tmp_path / "out") == straight


def test_a_finished_run_is_not_written_over(run, tmp_path):
    run(PAIRS[:2])
    with pytest.raises(UserError, match=r"rows\.jsonl: the output of a run is here already"):
        run(PAIRS[:2])
    (tmp_path / "out" / "notes.txt").write_text("mine")
    assert run(PAIRS[:3], overwrite=True)["rows_in"] == 3
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_two_runs_do_not_work_in_one_folder(run, tmp_path):
    with (
        WorkFolder(tmp_path / "out" / ".work", {}).in_use(),
        pytest.raises(UserError, match="another run works"),
    ):
        run(PAIRS[:2])


def test_a_refused_run_leaves_nothing_behind(run, tmp_path):
    with pytest.raises(DataError):
        run([])
    assert not (tmp_path / "out").exists()
    run(PAIRS[:2])
    before = contents(tmp_path / "out")
    with pytest.raises(UserError):
        run(PAIRS[:2])
    assert contents(tmp_path / "out") == before
