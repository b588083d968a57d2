"""From the words of a command line to options that the parser takes, every mistake found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sk2d.commands.config.check import Values, check_settings
from sk2d.commands.config.files import Setting
from sk2d.commands.config.keys import DATA_CLASS
from sk2d.commands.config.machine import missing_here
from sk2d.commands.config.options import last_values, read_settings, replaced_lists
from sk2d.commands.config.rules import broken_rules
from sk2d.errors import UserError, UserErrors

# A number of rows per step that cannot be made, because the number of devices is wrong.
FOLLOWS = {"data.effective_batch": ("trainer.devices", "trainer.num_nodes")}


def prepare(command: str, arguments: Sequence[str], *, only_print: bool = False) -> list[str]:
    """Find the configs of a command and every mistake in them.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.
        only_print: Whether the config is only printed; what this machine lacks is then said, and
            no error.

    Returns:
        The options for the parser: the classes first, configs as paths.

    Raises:
        UserErrors: Something is wrong; all of it is listed.
    """
    reading = read_settings(arguments)
    values, problems = check_settings(reading, command)
    if reading.complete:
        problems += map(values.located, broken_rules(values, command))
        lacking = distinct(map(values.located, missing_here(values, command)))
        for problem in lacking if only_print else ():
            say(str(problem))
        problems += [] if only_print else lacking
    told = own_mistakes(distinct(problems), values)
    if told:
        raise UserErrors(told)
    for line in (*replaced_lists(reading.settings), *odd_choices(values)):
        say(line)
    return phase_first(reading.arguments, reading.settings)


def distinct(problems: Iterator[UserError] | Sequence[UserError]) -> list[UserError]:
    """Leave out problems that are told already.

    Args:
        problems: Problems in the order in which they are to be read.

    Returns:
        One per message.
    """
    return list({str(problem): problem for problem in problems}.values())


def own_mistakes(problems: Sequence[UserError], values: Values) -> list[UserError]:
    """Leave out what only follows from another problem.

    Args:
        problems: All problems.
        values: The values of the config.

    Returns:
        Those that the user has to mend.
    """
    wheres = [(problem.where or "").rpartition(" ")[2].lstrip("-") for problem in problems]
    wrong = values.broken | set(wheres)
    return [
        problem
        for problem, where in zip(problems, wheres, strict=True)
        if problem.where not in values.broken and not wrong & set(FOLLOWS.get(where, ()))
    ]


def odd_choices(values: Values) -> Iterator[str]:
    """Find settings that are allowed and perhaps not meant.

    Args:
        values: The values of a config without mistakes.

    Yields:
        One sentence each.
    """
    train, val = values.get("data.train"), values.get("data.val")
    if val and Path(val).exists() and Path(val).resolve() == Path(train).resolve():
        yield (
            "data.val is the file that data.train is: the validation loss tells nothing about "
            "unseen functions (say train to mean it, or leave data.val out to hold some back)"
        )
    share = values.sections["data"].parameters()["val_share"]
    if val and values.get("data.val_share") != share.default:
        yield f"data.val_share has no effect, since data.val is {val}"


def phase_first(arguments: Sequence[str], settings: Sequence[Setting]) -> list[str]:
    """Name the classes before anything else, so that the order of the configs does not matter.

    Args:
        arguments: Options of a command.
        settings: The settings that they make.

    Returns:
        The options, with `--model=CLASS --data=CLASS` put before them.
    """
    last = last_values(settings)
    data = last.get("data.class_path")
    name = data.value if data else DATA_CLASS
    return [f"--model={last['model.class_path'].value}", f"--data={name}", *arguments]


def take_flag(arguments: Sequence[str], flag: str) -> tuple[bool, list[str]]:
    """Take a flag out of a list of options.

    Args:
        arguments: Options of a command.
        flag: The flag.

    Returns:
        Whether it was there, and the other options.
    """
    rest = [part for part in arguments if part.split("=")[0] != flag]
    return len(rest) < len(arguments), rest


def wants_help(arguments: Sequence[str]) -> bool:
    """Tell whether a command line asks for help: `--help`, or `--model.help CLASS`.

    Args:
        arguments: Options of a command.

    Returns:
        Whether it does.
    """
    names = {part.split("=")[0] for part in arguments}
    return bool(names & {"-h", "--help"}) or any(
        name.startswith("--") and name.endswith(".help") for name in names
    )


def say(text: str) -> None:
    """Tell the user something on standard error.

    Args:
        text: One line.
    """
    sys.stderr.write(f"note: {text}\n")
