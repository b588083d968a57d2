"""`fit`, `validate`, `test`, `predict`: run a phase from configs and options."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from lightning.pytorch.utilities.exceptions import MisconfigurationException

from sk2d.commands.command_line import RunCommandLine, first_line, say
from sk2d.commands.config_check import check_settings
from sk2d.commands.config_files import (
    Setting,
    expand_configs,
    last_values,
    read_settings,
    replaced_lists,
)
from sk2d.commands.config_rules import broken_rules
from sk2d.corpus.files import write_jsonl_atomic
from sk2d.errors import ConfigError, TrainingStopped, UserError, UserErrors
from sk2d.phases.run_folder import MODEL

RUN_FOLDERS = ("checkpoints", MODEL, "tensorboard", "base")
RUN_FILES = ("config.yaml", "run.json", "metrics.csv", "validation.csv", "samples.jsonl", "loss.png")


def prepare(command: str, arguments: Sequence[str]) -> list[str]:
    """Find the configs of a command and every mistake in them.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.

    Returns:
        The options, configs as paths.

    Raises:
        UserErrors: Something is wrong; all of it is listed.
    """
    expanded = expand_configs(arguments)
    settings = read_settings(expanded)
    values, problems = check_settings(settings)
    found: list[UserError] = [*problems]
    if {"model", "data"} <= set(values.sections):
        found += broken_rules(values, command)
    if found:
        raise UserErrors(found)
    for line in replaced_lists(settings):
        say(line)
    return phase_first(expanded, settings)


def phase_first(arguments: list[str], settings: Sequence[Setting]) -> list[str]:
    """Name the classes before anything else, so that the order of the configs does not matter.

    Args:
        arguments: Options of a command.
        settings: The settings that they make.

    Returns:
        The options, with `--model CLASS --data CLASS` put before them.
    """
    last = last_values(settings)
    first: list[str] = []
    for section in ("model", "data"):
        setting = last.get(f"{section}.class_path") or last.get(section)
        first += [f"--{section}", str(setting.value)] if setting else []
    return first + arguments


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


def build(command: str, arguments: Sequence[str]) -> RunCommandLine | None:
    """Check a command's options and build module, data and trainer.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.

    Returns:
        The command line with its parts, or None when only the config was asked for.
    """
    if {"-h", "--help"} & set(arguments):
        RunCommandLine([command, "--help"])
    only_print, rest = take_flag(arguments, "--print_config")
    ready = prepare(command, rest)
    line = RunCommandLine([command, *ready], only_print=only_print)
    if only_print:
        sys.stdout.write(line.config_text())
        return None
    return line


def fit(arguments: Sequence[str]) -> None:
    """Train a phase.

    Args:
        arguments: Options of the command.

    Raises:
        TrainingStopped: No optimiser step was taken.
    """
    line = build("fit", arguments)
    if line is None:
        return
    root = Path(line.trainer.default_root_dir)
    if line.chosen.overwrite and not line.chosen.ckpt_path:
        clear_run(root)
    with told_by_lightning():
        line.trainer.fit(
            line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path, weights_only=True
        )
    if line.model.boundary is None:
        raise TrainingStopped("no optimiser step was taken, so nothing was trained")
    say(f"the trained model is in {root / MODEL}")


def clear_run(root: Path) -> None:
    """Delete what an earlier run left in a folder, and nothing else.

    Args:
        root: The run folder.
    """
    for name in RUN_FOLDERS:
        shutil.rmtree(root / name, ignore_errors=True)
    for name in RUN_FILES:
        (root / name).unlink(missing_ok=True)


@contextlib.contextmanager
def told_by_lightning() -> Iterator[None]:
    """Turn Lightning's complaints about a config into one line.

    Yields:
        Nothing.

    Raises:
        ConfigError: Lightning refused the combination of settings.
    """
    try:
        yield
    except MisconfigurationException as error:
        raise ConfigError(first_line(error), where="trainer") from error


def validate(arguments: Sequence[str]) -> None:
    """Measure a phase on its validation rows.

    Args:
        arguments: Options of the command.
    """
    line = build("validate", arguments)
    if line is not None:
        with told_by_lightning():
            line.trainer.validate(
                line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path
            )


def test(arguments: Sequence[str]) -> None:
    """Measure a phase on its test rows.

    Args:
        arguments: Options of the command.
    """
    line = build("test", arguments)
    if line is not None:
        with told_by_lightning():
            line.trainer.test(
                line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path
            )


def predict(arguments: Sequence[str]) -> None:
    """Answer the test rows and write `predictions.jsonl` (id, code) into the run folder.

    Args:
        arguments: Options of the command.
    """
    line = build("predict", arguments)
    if line is None:
        return
    with told_by_lightning():
        batches = line.trainer.predict(
            line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path
        )
    answers = [answer for batch in batches or [] for answer in batch]
    rows = [{"id": answer.id, "code": answer.code, "finished": answer.finished} for answer in answers]
    path = Path(line.trainer.default_root_dir) / "predictions.jsonl"
    write_jsonl_atomic(path, rows)
    say(f"{len(rows)} answers are in {path}")
