"""The command line: finds the command, runs it, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sk2d import __version__
from sk2d.errors import Sk2dError, UserError, did_you_mean

TRAINER_COMMANDS = ("fit", "validate", "test", "predict")


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    Args:
        module: Module that has it; imported only when the command is run.
        function: Function in that module, or a table of subcommands.
        help: One line.
    """

    module: str
    function: str
    help: str


COMMANDS = {
    "fit": Command("sk2d.commands.fit", "fit", "train a phase from a config"),
    "validate": Command("sk2d.commands.fit", "validate", "measure a phase on its validation rows"),
    "test": Command("sk2d.commands.fit", "test", "measure a phase on its test rows"),
    "predict": Command("sk2d.commands.fit", "predict", "answer rows and write predictions.jsonl"),
    "demo": Command("sk2d.commands.demo", "demo", "train both phases on the shipped examples"),
    "merge": Command("sk2d.commands.merge", "merge", "adapter + base -> a model folder"),
    "export": Command("sk2d.commands.export", "export", "model or run folder -> a plain folder"),
    "models": Command("sk2d.commands.models", "COMMANDS", "get the small models (fetch, tiny)"),
    "doctor": Command("sk2d.commands.doctor", "doctor", "what this machine can do"),
}


def usage() -> str:
    """Give the text of `--help`.

    Returns:
        Several lines.
    """
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "\n".join(
        ["usage: python cli.py COMMAND [options]", "", "commands:", *lines, ""]
        + ["python cli.py COMMAND --help lists the options of a command.", ""]
    )


def load(command: Command) -> Any:
    """Import a command.

    Args:
        command: The command.

    Returns:
        Its function, or its table of subcommands.

    Raises:
        UserError: A package that only an extra brings is not installed.
        ModuleNotFoundError: A module of our own is missing.
    """
    try:
        return getattr(importlib.import_module(command.module), command.function)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "sk2d":
            raise
        raise UserError(
            f"this command needs the package {error.name}",
            remedy="Install the extra with: pip install -e '.[train]'",
        ) from error


def run(name: str, arguments: Sequence[str]) -> int:
    """Run a command.

    Args:
        name: Name of the command.
        arguments: Its options.

    Returns:
        The exit code.

    Raises:
        UserError: There is no such command.
    """
    if name not in COMMANDS:
        hint = did_you_mean(name, COMMANDS) or "python cli.py --help lists the commands"
        raise UserError("no such command", where=name, remedy=hint)
    function = load(COMMANDS[name])
    if name in TRAINER_COMMANDS:
        function(list(arguments))
        return 0
    from jsonargparse import auto_cli

    result = auto_cli(
        function,
        args=bare_flags(arguments),
        prog=f"cli.py {name}",
        as_positional=isinstance(function, dict),  # models fetch NAME
    )
    return result if isinstance(result, int) else 0


def bare_flags(arguments: Sequence[str]) -> list[str]:
    """Let a flag stand without a value: `--json` means `--json=true`.

    Args:
        arguments: Options of a command.

    Returns:
        The same options, each with a value.
    """
    following = [*arguments[1:], "--"]
    pairs = zip(arguments, following, strict=True)
    return [
        f"{part}=true" if _is_bare(part) and after.startswith("--") else part
        for part, after in pairs
    ]


def _is_bare(part: str) -> bool:
    return part.startswith("--") and "=" not in part and part != "--help"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the program's name; the process's own when None.

    Returns:
        The exit code: 0, 2 for a mistake of the user, 1 for a run that was stopped, 128 + signal.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(usage())
        return 0
    if arguments[0] == "--version":
        sys.stdout.write(f"sk2d {__version__}\n")
        return 0
    try:
        return run(arguments[0], arguments[1:])
    except Sk2dError as error:
        lines = str(error).splitlines()
        sys.stderr.write("".join(f"error: {line}\n" for line in lines))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
