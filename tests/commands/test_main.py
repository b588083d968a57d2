"""Exit codes and lines of the command line."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sk2d.commands import main as module
from sk2d.commands.main import COMMANDS, Command, main
from sk2d.errors import ConfigError, Interrupted, TrainingStopped, UserErrors
from tests.imports import ROOT


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["fti"], "fti: there is no such command. Did you mean fit?"),
        (["xyz"], "xyz: there is no such command. python cli.py --help lists the commands"),
        (["--config", "x"], "--config: there is no such command. The command comes first"),
        (["doctor", "--jsn"], "cli.py doctor: unrecognized arguments: --jsn. Did you mean --json?"),
        (["doctor", "stray"], "cli.py doctor: unrecognized arguments: stray"),
    ],
)
def test_one_line_and_exit_code_2(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    streams = capsys.readouterr()
    [told] = streams.err.splitlines()
    assert told.startswith(f"error: {line}")
    assert streams.out == ""


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert main([]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)


def ends_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    def run(*_: Any) -> int:
        raise error

    monkeypatch.setattr(module, "run", run)
    return main(["fit"])


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (ConfigError("a", where="k", remedy="Do"), 2, "error: k: a. Do\n"),
        (UserErrors([ConfigError("a"), ConfigError("b")]), 2, "error: a\nerror: b\n"),
        (TrainingStopped("the loss became nan"), 1, "error: the loss became nan\n"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "error: No space left on device. "),
        (PermissionError(errno.EACCES, "Permission denied", "f"), 2, "error: f: Permission denied"),
        (Interrupted(15, None), 143, "error: stopped by signal 15"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_and_their_codes(
    error: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ends_with(error, monkeypatch) == code
    assert capsys.readouterr().err.startswith(text)


def test_mistakes_of_our_own_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        ends_with(ZeroDivisionError(), monkeypatch)


def test_a_missing_package_is_told_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "needy.py").write_text("import package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(COMMANDS, "needy", Command("needy", "run", "needs a package"))
    assert main(["needy"]) == 2
    assert capsys.readouterr().err == (
        "error: this command needs the package package_that_nobody_has. "
        "Install the extra with: pip install -e '.[train]'\n"
    )


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = (
        "import sys; from sk2d.commands import main as m\n"
        "m.run = lambda *_: sys.stdout.write('x' * 100_000) and 0\n"
        "sys.exit(m.main(['fit']))"
    )
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b""
