"""The command line: finds the command, runs it, and turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sk2d import __version__
from sk2d.commands.allocator import restart_with_allocator
from sk2d.errors import Sk2dError, UserError, did_you_mean

# What the operating system refuses that a user can mend.
OF_THE_MACHINE = {
    errno.ENOSPC: "Free some disk space, or choose a folder on another disk",
    errno.EDQUOT: "Free some disk space, or choose a folder on another disk",
    errno.EROFS: "Choose a folder that can be written to",
    errno.EACCES: "Check the permissions, or choose another file or folder",
    errno.EPERM: "Check the permissions, or choose another file or folder",
    errno.ENOENT: "Check the path",
    errno.ENOTDIR: "Part of the path is a file: choose another folder",
    errno.EISDIR: "This is a folder: name a file",
    errno.EEXIST: "It is there already, as a file: choose another name",
    errno.ENAMETOOLONG: "Choose a shorter name",
}
# Commands whose options are keys of a config.
CONFIG_COMMANDS = ("fit", "validate", "test", "predict", "plan")


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
    "plan": Command("sk2d.commands.plan.command", "plan", "will a config run, on which memory"),
    "decompile": Command(
        "sk2d.commands.decompile", "decompile", "a binary -> C, with or without models"
    ),
    "corpus": Command("sk2d.commands.corpus", "corpus", "a tree of C sources -> raw pairs"),
    "preprocess": Command(
        "sk2d.commands.preprocess", "preprocess", "raw pairs -> rows for both phases and for RL"
    ),
    "evaluate": Command(
        "sk2d.commands.evaluate", "evaluate", "what systems make of a set -> numbers and a page"
    ),
    "report": Command("sk2d.commands.report", "report", "the page of a run or of an evaluation"),
    "reward": Command("sk2d.commands.reward", "reward", "score candidates as RL does"),
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
        if name.startswith("-"):
            hint = "The command comes first: python cli.py COMMAND [options]"
        raise UserError("there is no such command", where=name, remedy=hint)
    function = load(COMMANDS[name])
    if name in CONFIG_COMMANDS:
        return function(list(arguments)) or 0
    from sk2d.commands.functions import run_function

    return run_function(name, function, arguments)


def start() -> int:
    """Run the command line of this process, with the allocator that suits it.

    Returns:
        The exit code.
    """
    restart_with_allocator()
    return main()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the program's name; the process's own when None.

    Returns:
        The exit code: 0, 2 for a mistake of the user, 1 for a run that was stopped, 128 + signal.

    Raises:
        OSError: The machine refused something that is none of the user's mistakes.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(usage())
        return 0
    if arguments[0] == "--version":
        sys.stdout.write(f"sk2d {__version__}\n")
        return 0
    try:
        code = run(arguments[0], arguments[1:])
        sys.stdout.flush()
        return code
    except Sk2dError as error:
        lines = str(error).splitlines()
        sys.stderr.write("".join(f"error: {line}\n" for line in lines))
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`, `| grep -q`) has what it wanted; nothing is left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in OF_THE_MACHINE:
            raise
        sys.stderr.write(f"error: {machine_problem(error)}\n")
        return UserError.exit_code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def machine_problem(error: OSError) -> UserError:
    """Say in one line what the machine refused.

    Args:
        error: An error of the operating system.

    Returns:
        The error with its file and a remedy.
    """
    assert error.errno is not None, "only errors with a known number come here"
    return UserError(str(error.strerror), where=error.filename, remedy=OF_THE_MACHINE[error.errno])
