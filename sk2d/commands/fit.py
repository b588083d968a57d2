"""`fit`, `validate`, `test`, `predict`: run a phase from configs and options."""

from __future__ import annotations

import contextlib
import logging
import shutil
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from lightning.pytorch.utilities.exceptions import SIGTERMException

from sk2d.commands.command_line import RunCommandLine
from sk2d.commands.config.devices import is_first_process
from sk2d.commands.config.late_errors import told_by_key
from sk2d.commands.config.prepare import prepare, say, take_flag, wants_help
from sk2d.corpus.files import write_jsonl_atomic
from sk2d.errors import ConfigError, DataError, Interrupted, TrainingStopped
from sk2d.hardware import set_allocator
from sk2d.models.memory.weights import optimizer_bytes
from sk2d.phases.curves import LOSS_PICTURE
from sk2d.phases.out_of_memory import told_of_memory
from sk2d.phases.run_folder import MODEL, RunRecord
from sk2d.phases.trial_step import TrialStep
from sk2d.rl.journal import LEFT_OUT, ROLLOUTS
from sk2d.rl.pictures import REWARD_PICTURE

PREDICTIONS = "predictions.jsonl"
RUN_FOLDERS = ("checkpoints", MODEL, "tensorboard")
RUN_FILES = (
    "config.yaml",
    "run.json",
    "metrics.csv",
    "validation.csv",
    "resources.csv",
    "samples.jsonl",
    PREDICTIONS,
    LOSS_PICTURE,
    REWARD_PICTURE,
    ROLLOUTS,
    LEFT_OUT,
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
    # Lightning calls torch by an old name
    warnings.filterwarnings("ignore", message=".*LeafSpec.*")
    only_print, rest = take_flag(arguments, "--print_config")
    ready = prepare(command, rest, only_print=only_print)
    line = RunCommandLine([command, *ready.arguments], only_print=only_print, job=ready.job)
    if only_print:
        sys.stdout.write(line.config_text())
        return None
    if ready.tries_batch and ready.job is not None:
        line.trainer.callbacks.append(TrialStep(optimizer_bytes(ready.job)))  # type: ignore[attr-defined]
    return line


def fit(arguments: Sequence[str]) -> None:
    """Train a phase.

    Args:
        arguments: Options of the command.
    """
    line = build("fit", arguments)
    if line is None:
        return
    if line.trainer.strategy.root_device.type == "cpu":
        # Who has activations recomputed wants memory more than time.
        set_allocator(sparing=line.model.gradient_checkpointing)
    root = Path(line.trainer.default_root_dir)
    if line.chosen.overwrite and not line.chosen.ckpt_path and is_first_process():
        clear_run(root)
    with ended_by_signals(), told_by_key(line.chosen), told_of_memory(line.trainer, line.job):
        line.trainer.fit(
            line.model,
            datamodule=line.datamodule,
            ckpt_path=line.chosen.ckpt_path,
            weights_only=True,
        )
    if line.chosen.trainer.fast_dev_run:
        say("this was a trial (trainer.fast_dev_run): nothing is kept")
        return
    close_run(line)
    if is_first_process():
        say(f"the trained model is in {root / MODEL}")


def close_run(line: RunCommandLine) -> None:
    """See that a run has trained something and left its model.

    A run that was killed between its last step and its end has nothing left to train when it is
    resumed, and Lightning then ends it without a word.

    Args:
        line: The command line of a run that has ended.

    Raises:
        TrainingStopped: No optimiser step was taken.
    """
    if line.model.boundary is None:
        raise TrainingStopped("no optimiser step was taken, so nothing was trained")
    record = RunRecord.of(line.trainer)
    if not record.left_model:
        say(f"the checkpoint is at step {line.model.boundary.step}: nothing was left to train")
        record.leave_model(line.trainer, line.model)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Give a run that a signal ended outside of training the exit code that belongs to it.

    Yields:
        Nothing.

    Raises:
        Interrupted: Lightning ended the run because of SIGTERM.
    """
    try:
        yield
    except SIGTERMException as ended:
        raise Interrupted(signal.SIGTERM, None) from ended


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
    measure("validate", arguments)


def test(arguments: Sequence[str]) -> None:
    """Measure a phase on its test rows.

    Args:
        arguments: Options of the command.
    """
    measure("test", arguments)


def measure(command: str, arguments: Sequence[str]) -> None:
    """Run Lightning's validation or test.

    Args:
        command: `validate` or `test`.
        arguments: Options of the command.

    Raises:
        DataError: There was no row to measure on.
    """
    line = build(command, arguments)
    if line is None:
        return
    run = getattr(line.trainer, command)
    with ended_by_signals(), told_by_key(line.chosen), told_of_memory(line.trainer, line.job):
        figures = run(
            line.model,
            datamodule=line.datamodule,
            ckpt_path=line.chosen.ckpt_path,
            verbose=line.chosen.verbose,
        )
    if not any(figures):
        key = "data.val" if command == "validate" else "data.test"
        raise DataError("there was no row to measure on", where=key, remedy=f"Give {key} FILE")


def predict(arguments: Sequence[str]) -> None:
    """Answer the test rows and write `predictions.jsonl` into the run folder.

    Each line has `id`, `code`, and `finished` (false when the answer was cut off).

    Args:
        arguments: Options of the command.

    Raises:
        ConfigError: Several devices are asked for, or there are predictions already.
    """
    line = build("predict", arguments)
    if line is None:
        return
    path = Path(line.trainer.default_root_dir) / PREDICTIONS
    if line.trainer.world_size > 1:
        raise ConfigError(
            "rows are answered on one device", where="trainer.devices", remedy="Give 1"
        )
    if path.exists() and not line.chosen.overwrite:
        raise ConfigError(
            f"{path} is there already",
            where="trainer.default_root_dir",
            remedy="Choose another folder, or give --overwrite",
        )
    with ended_by_signals(), told_by_key(line.chosen), told_of_memory(line.trainer, line.job):
        batches = line.trainer.predict(
            line.model, datamodule=line.datamodule, ckpt_path=line.chosen.ckpt_path
        )
    rows = [record for batch in batches or [] for record in batch]
    write_jsonl_atomic(path, rows)
    say(f"{len(rows)} answers are in {path}")
