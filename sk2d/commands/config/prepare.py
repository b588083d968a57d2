"""From the words of a command line to options that the parser takes, every mistake found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sk2d.commands.config.automatic import BATCH, resolve
from sk2d.commands.config.check import Values, check_settings
from sk2d.commands.config.devices import HERE, Site
from sk2d.commands.config.files import Reading, Setting
from sk2d.commands.config.fitting import memory_verdict
from sk2d.commands.config.keys import sections
from sk2d.commands.config.machine import missing_here, unwise_here
from sk2d.commands.config.options import last_values, read_settings, replaced_lists
from sk2d.commands.config.rules import broken_rules
from sk2d.errors import UserError, UserErrors
from sk2d.hardware.choices import Choice
from sk2d.models.memory import Job

# A number of rows per step that cannot be made, because the number of devices is wrong.
FOLLOWS = {"data.effective_batch": ("trainer.devices", "trainer.num_nodes")}


@dataclass(frozen=True)
class Ready:
    """A config that was checked.

    Args:
        arguments: Options for the trainer's command line.
        job: The run in the terms of the memory model; None where that is not known, or not asked.
        tries_batch: Whether the micro-batch was chosen by the estimate and has to be tried.
    """

    arguments: list[str]
    job: Job | None = None
    tries_batch: bool = False


def prepare(command: str, arguments: Sequence[str], *, only_print: bool = False) -> Ready:
    """Check the options of a trainer command, before anything heavy is loaded.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.
        only_print: The config is printed and nothing is run: what the machine lacks is said, and
            only mistakes of the config itself end it.

    Returns:
        What is to be run.

    Raises:
        UserErrors: Something is wrong; all of it is listed.
    """
    judged = judge(command, arguments)
    for problem in judged.lacking if only_print else ():
        say(str(problem))
    told = judged.mistakes() if only_print else judged.mistakes(judged.lacking)
    job, notes = None, judged.notes()
    if command == "fit" and judged.reading.complete and not judged.mistakes(judged.lacking):
        job, too_large, doubts = memory_verdict(judged.values)
        notes += [*doubts, *map(str, too_large if only_print else ())]
        told = [] if only_print else too_large
    if told:
        raise UserErrors(told)
    for line in notes:
        say(line)
    chosen = [f"--{choice.key}={choice.value}" for choice in judged.choices]
    ready = [*phase_first(judged.reading.arguments, judged.reading.settings), *chosen]
    return Ready(ready, job, any(choice.key == BATCH for choice in judged.choices))


@dataclass(frozen=True)
class Judged:
    """A config and all that is to be said about it.

    Args:
        reading: What configs and options set.
        values: The values, with `auto` replaced by what was chosen.
        problems: What is wrong with the config whatever the machine.
        lacking: What the machine does not have.
        choices: What was chosen for `auto`.
    """

    reading: Reading
    values: Values
    problems: list[UserError]
    lacking: list[UserError]
    choices: list[Choice]

    def mistakes(self, lacking: Sequence[UserError] = ()) -> list[UserError]:
        """List what has to be mended.

        Args:
            lacking: What the machine lacks and the command cannot do without.

        Returns:
            One error per mistake, without those that only follow from another.
        """
        return own_mistakes(distinct([*self.problems, *lacking]), self.values)

    def notes(self) -> list[str]:
        """List what is worth knowing and no mistake.

        Returns:
            One sentence each.
        """
        chosen = [f"{each.key} auto is {each.value}: {each.reason}" for each in self.choices]
        replaced = replaced_lists(self.reading.settings)
        return [*replaced, *chosen, *odd_choices(self.values), *unwise_here(self.values)]


def judge(command: str, arguments: Sequence[str], site: Site = HERE) -> Judged:
    """Read a config and check all of it; nothing raises for a mistake of the user.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.
        site: The machine that the config is judged for.

    Returns:
        The config and what is to be said about it.
    """
    reading = read_settings(arguments)
    values, problems = check_settings(reading, command, site)
    if not reading.complete:
        return Judged(reading, values, problems, [], [])
    values, choices, unresolved = resolve(values)
    problems += map(values.located, [*unresolved, *broken_rules(values, command)])
    lacking = distinct(map(values.located, missing_here(values, command)))
    return Judged(reading, values, problems, lacking, choices)


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
    data = sections(last)[0]["data"].owner
    name = f"{data.__module__}.{data.__qualname__}"
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
