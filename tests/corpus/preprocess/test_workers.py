"""A process that dies costs the row that killed it, and only that one."""

from __future__ import annotations

import os
import signal
import time

import pytest

from sk2d.corpus.preprocess.cpu_limit import cpu_limit
from sk2d.errors import Reason, SourceError
from tests.corpus.preprocess.fake_tools import pair


def test_a_row_that_kills_its_process_twice_is_rejected(run, rows):
    pairs = [pair(f"f{n}", seed=n) for n in range(70)]
    pairs[5] = pair("dies", "ALWAYS_DIES", seed=5)
    report = run(pairs, workers=2)
    assert report["rows_out"] == 69
    [reject] = rows("rejects.jsonl")
    assert (reject["id"], reject["reason"], reject["step"]) == ("dies:O0", "worker_died", "worker")
    assert "SIGKILL" in reject["message"]


def test_a_row_that_survives_alone_is_kept(run):
    pairs = [pair(f"f{n}", seed=n) for n in range(4)] + [pair("g", "DIES_IN_COMPANY", seed=9)]
    assert run(pairs, workers=1)["rows_out"] == 5


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_step_has_a_limit_of_processor_time():
    with pytest.raises(SourceError) as caught, cpu_limit(0.05):
        burn(5)
    assert caught.value.reason is Reason.STEP_TIMEOUT


def test_waiting_is_not_counted():
    with cpu_limit(0.05):
        time.sleep(0.2)
    burn(0.1)  # and the limit ends with its block


def test_the_kernel_ends_what_python_cannot_interrupt():
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        with cpu_limit(0.03):
            signal.signal(signal.SIGPROF, signal.SIG_IGN)
            burn(20)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGVTALRM
