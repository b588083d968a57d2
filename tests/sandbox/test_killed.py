"""sk2d itself is killed in the middle of a run."""

import signal
import subprocess
import sys

import psutil
import pytest

from tests.imports import ROOT
from tests.sandbox.conftest import comes_true, jail_folders, processes_with

CODE = """
import sys
from sk2d.sandbox import run
run(["true"])
script = "echo x >file; setsid sleep {marker} & while :; do : {marker}; done"
run(["sh", "-c", script], executes=True)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_sk2d_leaves_no_process_and_no_file(
    number: signal.Signals, backend: str, marker: str
) -> None:
    before = jail_folders()
    code = CODE.replace("{marker}", marker)
    child = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.DEVNULL)

    def running() -> bool:
        found = processes_with(marker)
        return any(line.startswith("sleep") for line in found) and len(found) >= 3

    assert comes_true(running)
    helpers = psutil.Process(child.pid).children(recursive=True)
    assert len(helpers) >= 4
    child.send_signal(number)
    child.wait(20)
    assert comes_true(lambda: processes_with(marker) == [])
    assert comes_true(lambda: jail_folders() <= before)
    assert comes_true(lambda: not any(map(alive, helpers)))


def alive(process: psutil.Process) -> bool:
    """Tell whether a process runs; who has ended waits for its new parent to take note."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
