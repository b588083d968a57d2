"""Commands that are functions: misspelt options and subcommands, bare flags."""

from __future__ import annotations

import pytest

from sk2d.commands import merge, models
from sk2d.commands.functions import bare_flags, run_function
from sk2d.commands.main import main


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["models", "fech"], "cli.py models: argument subcommand: invalid choice: 'fech'"),
        (["models"], "cli.py models: expected"),
        (["models", "tiny", "--hiden", "3"], "cli.py models: unrecognized arguments: --hiden 3"),
        (["models", "tiny", "--hidden", "x"], 'cli.py models: Parser key "hidden": Expected'),
        (["merge"], "cli.py merge: "),
    ],
)
def test_one_line_and_exit_code_2(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    streams = capsys.readouterr()
    [told] = streams.err.splitlines()
    assert told.startswith(f"error: {line}")
    assert ". Did you mean " in told or "--help tells the usage" in told
    assert streams.out == ""


def test_the_functions_are_those_of_the_commands() -> None:
    assert set(models.COMMANDS) == {"fetch", "tiny"}
    assert callable(merge.merge)


def test_a_flag_stands_alone_and_a_value_is_never_made_up() -> None:
    words = ["--json", "--output", "x", "--overwrite", "false", "--base"]
    flags = ["--json", "--overwrite"]
    assert list(bare_flags(words, flags)) == ["--json=true", *words[1:]]


def test_a_number_is_the_exit_code() -> None:
    def command(code: int = 3, loud: bool = False) -> int:
        """Give a number.

        Args:
            code: The number.
            loud: Whether to add one.
        """
        return code + loud

    assert run_function("command", command, []) == 3
    assert run_function("command", command, ["--code", "4", "--loud"]) == 5
