"""Who is told what when a process of a run is lost."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from sk2d.errors import TrainingStopped
from sk2d.models.strategies import launcher
from sk2d.models.strategies.launcher import RunLauncher, told
from sk2d.models.strategies.rendezvous import HELD


class Cluster:
    """Lightning's view of one machine."""

    creates_processes_externally = True

    def validate_settings(self, processes: int, nodes: int) -> None:
        pass


def process(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code])


def make(processes: int = 2) -> RunLauncher:
    made = RunLauncher(Cluster(), processes, 1, lambda: None)
    made.procs = []
    return made


def test_one_sentence_tells_who_was_lost_and_how() -> None:
    assert told(1, -9).startswith("process 1 of the run has ended (signal 9), so the others were")
    assert "(exit code 2)" in told(3, 2)
    assert told(0, None).startswith("process 0 of the run has ended, so")
    assert "--ckpt_path last" in told(0, None)


def test_a_process_that_ended_well_is_not_lost() -> None:
    made = make()
    made.procs = [process("")]
    made.procs[0].wait()
    assert made._lost() is None


def test_an_error_after_a_loss_is_told_as_the_loss() -> None:
    made = make()
    made.procs = [process("import sys; sys.exit(3)")]

    def exchange() -> None:
        raise RuntimeError("Connection closed by peer")

    with pytest.raises(TrainingStopped, match=r"process 1 of the run has ended \(exit code 3\)"):
        made.launch(exchange)


def test_an_error_of_its_own_stays_what_it_is_and_ends_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launcher, "AFTERMATH_S", 0.3)
    made = make()
    made.procs = [process("import time; time.sleep(60)")]

    def fail() -> None:
        raise RuntimeError("of its own")

    with pytest.raises(RuntimeError, match="of its own"):
        made.launch(fail)
    assert made.procs[0].poll() == -15


def test_a_run_of_one_process_watches_nobody() -> None:
    def fail() -> None:
        raise RuntimeError("as it is")

    with pytest.raises(RuntimeError, match="as it is"):
        make(1).launch(fail)
    assert make(1).launch(lambda: 7) == 7


def test_a_process_whose_starter_is_gone_says_so_only_as_the_first_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(HELD, "1")
    made = make()
    lost = made._lost(parent=-1)
    assert lost is not None
    assert lost.startswith("process 0")

    def exchange() -> None:
        raise RuntimeError("Connection reset")

    monkeypatch.setattr(made, "_lost", lambda: lost)
    errors: dict[str, Any] = {"1": TrainingStopped, "2": SystemExit}
    for rank, error in errors.items():
        monkeypatch.setenv("LOCAL_RANK", rank)
        with pytest.raises(error):
            made.launch(exchange)


def test_the_run_is_prepared_before_other_processes_start(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    cluster = Cluster()
    cluster.creates_processes_externally = False
    made = RunLauncher(cluster, 1, 1, lambda: order.append("prepare"))
    monkeypatch.setattr(made, "_call_children_scripts", lambda: order.append("start"))
    made.launch(lambda: order.append("run"))
    assert order == ["prepare", "start", "run"]
