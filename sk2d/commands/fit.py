"""`fit`, `validate`, `test`, `predict`: run a phase from configs and options."""

from __future__ import annotations

import logging
import shutil
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from sk2d.commands.command_line import RunCommandLine
from sk2d.commands.devices import is_first_process
from sk2d.commands.late_errors import told_by_key
from sk2d.commands.prepare import prepare, say, take_flag, wants_help
from sk2d.corpus.files import write_jsonl_atomic
from sk2d.errors import TrainingStopped
from sk2d.hardware.memory import keep_freed_memory
from sk2d.phases.run_folder import MODEL

RUN_FOLDERS = ("checkpoints", MODEL, "tensorboard")
RUN_FILES = (
    "config.yaml",
    "run.json",
    "metrics.csv",
    "validation.csv",
    "samples.jsonl",
    "loss.png",
)


def build(command: str, arguments: Sequence[str]) -> RunCommandLine | None:
    """Check a command's options and build module, data and trainer.

    Args:
        command: `fit`, `validate`, `test` or `predict`.
        arguments: Its options.

    Returns:
        The command line with its parts, or None when only the config was asked for.
    """
    if wants_help(arguments):
        RunCommandLine([command, *arguments])
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    warnings.filterwarnings(
        "ignore", message=".*LeafSpec.*"
    )  # Lightning calls an old name of torch
    only_print, rest = take_flag(arguments, "--print_config")
    ready = prepare(command, rest, only_print=only_print)
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
    if line.trainer.strategy.root_device.type == "cpu":
        keep_freed_memory()
    root = Path(line.trainer.default_root_dir)
    if line.chosen.overwrite and not line.chosen.ckpt_path and is_first_process():
        clear_run(root)
    with told_by_key(line.chosen):
        line.trainer.fit(
            line.model,
            datamodule=line.datamodule,
            ckpt_path=line.chosen.ckpt_path,
            weights_only=True,
        )
    if line.chosen.trainer.fast_dev_run:
        say("this was a trial (trainer.fast_dev_run): nothing is kept")
        return
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


def validate(arguments: Sequence[str]) -> None:
    """Measure a phase on its validation rows.

    Args:
        arguments: Options of the command.
    """
    line = build("validate", arguments)
    if line is not None:
        with told_by_key(line.chosen):
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
        with told_by_key(line.chosen):
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
    with told_by_key(line.chosen):
        batches = line.trainer.predict(
            line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path
        )
    rows = [record for batch in batches or [] for record in batch]
    path = Path(line.trainer.default_root_dir) / "predictions.jsonl"
    write_jsonl_atomic(path, rows)
    say(f"{len(rows)} answers are in {path}")
