import os
import subprocess
import sys

import pytest

from sk2d.commands.allocator import VARIABLE, wants_restart
from tests.imports import ROOT


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        (["fit", "--config", "x"], {}, True),
        (["demo"], {}, True),
        (["fit"], {VARIABLE: "glibc.malloc.check=1"}, False),
        (["doctor"], {}, False),
        ([], {}, False),
    ],
)
def test_training_commands_are_started_anew_once(
    arguments: list[str],
    environment: dict[str, str],
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.libc_ver", lambda: ("glibc", "2.36"))
    assert wants_restart(arguments, environment) is expected
    monkeypatch.setattr("platform.libc_ver", lambda: ("", ""))
    assert not wants_restart(arguments, environment)


def test_the_command_line_survives_the_restart() -> None:
    pytest.importorskip("lightning")
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    command = [sys.executable, str(ROOT / "cli.py"), "fit", "--model.lrr", "a b", "--config"]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "lrr" in done.stderr
