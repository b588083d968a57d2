"""`metrics.csv`, `validation.csv` and `loss.png`, kept up to date while a run goes on."""

from __future__ import annotations

import csv
import dataclasses
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer
from matplotlib.figure import Figure

from sk2d.corpus.files import atomic_file, write_text_atomic
from sk2d.phases.answer_metrics import NAMES
from sk2d.phases.attached import data_of, is_trial
from sk2d.phases.resume import make_up_validation
from sk2d.phases.step_meter import StepRow

if TYPE_CHECKING:
    from sk2d.phases.supervised import SupervisedModule

STEP_COLUMNS = [field.name for field in dataclasses.fields(StepRow)]
STEP_FILE = "metrics.csv"
VALIDATION_COLUMNS = ["step", "epoch", "val_loss", "val_accuracy"]
VALIDATION_COLUMNS += [f"val_{name}" for name in NAMES]


class StepTable:
    """A CSV file with at most one row per optimiser step, appended to and flushed.

    Args:
        path: The file.
        columns: Names of the columns; the first is the step.
    """

    def __init__(self, path: Path, columns: list[str]) -> None:
        self.path = path
        self.columns = columns

    def rows(self) -> list[dict[str, str]]:
        """Read the complete rows; half a row at the end of a killed run is left out."""
        if not self.path.exists():
            return []
        text = self.path.read_text(encoding="utf-8")
        complete = text[: text.rfind("\n") + 1].splitlines()
        return [row for row in csv.DictReader(complete) if None not in row.values()]

    def cut_after(self, step: int) -> None:
        """Drop the rows after a step: the resumed run writes them again.

        Args:
            step: Last step whose row is kept.
        """
        kept = [row for row in self.rows() if int(row["step"]) <= step]
        lines = [",".join(self.columns)]
        lines += [",".join(row.get(name, "") for name in self.columns) for row in kept]
        write_text_atomic(self.path, "\n".join(lines) + "\n")

    def append(self, row: dict[str, Any]) -> None:
        """Write one row; one with the same step must not be there.

        Args:
            row: Values by column.
        """
        with self.path.open("a", encoding="utf-8", newline="") as stream:
            stream.write(",".join(str(row[name]) for name in self.columns) + "\n")


class CurveWriter(Callback):
    """Writes the tables and draws the loss.

    Args:
        seconds: Shortest time between two drawings.
    """

    def __init__(self, seconds: float = 30.0) -> None:
        self.seconds = seconds
        self._drawn = 0.0

    def on_train_start(self, trainer: Trainer, module: SupervisedModule) -> None:
        """Open the tables, cut back to the step that the run stands on.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        root = Path(trainer.default_root_dir)
        self.root = root
        self.steps = StepTable(root / STEP_FILE, STEP_COLUMNS)
        self.validations = StepTable(root / "validation.csv", VALIDATION_COLUMNS)
        if writes(trainer):
            root.mkdir(parents=True, exist_ok=True)
            self.steps.cut_after(trainer.global_step)
            self.validations.cut_after(trainer.global_step)
        self._drawn = time.monotonic()
        validated = {int(row["step"]) for row in self.validations.rows()}
        make_up_validation(module, trainer.strategy.broadcast(validated))

    def on_train_batch_end(self, trainer: Trainer, module: SupervisedModule, *args: Any) -> None:
        """Write the step's row, and draw from time to time.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.
        """
        if module.step_row is None or not writes(trainer):
            return
        self.steps.append(dataclasses.asdict(module.step_row))
        if time.monotonic() - self._drawn > self.seconds:
            self.draw()

    def on_validation_end(self, trainer: Trainer, module: SupervisedModule) -> None:
        """Write the validation's row; a step that has one already is not validated twice.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if trainer.state.fn != "fit" or trainer.sanity_checking or not writes(trainer):
            return
        step = trainer.global_step
        self.validations.cut_after(step - 1)
        values = {name.replace("_", "/", 1): name for name in VALIDATION_COLUMNS[2:]}
        metrics = trainer.callback_metrics
        row: dict[str, Any] = {"step": step, "epoch": data_of(trainer).position.epoch}
        row |= {name: float(metrics[key]) if key in metrics else "" for key, name in values.items()}
        self.validations.append(row)

    def on_train_end(self, trainer: Trainer, module: SupervisedModule) -> None:
        """Draw the whole run.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if writes(trainer):
            self.draw()

    def on_exception(
        self, trainer: Trainer, module: SupervisedModule, exception: BaseException
    ) -> None:
        """Draw what there is when a run ends early.

        Args:
            trainer: The trainer.
            module: The module in training.
            exception: What ended the run.
        """
        if writes(trainer) and hasattr(self, "steps"):
            self.draw()

    def draw(self) -> None:
        """Draw `loss.png` from the tables."""
        self._drawn = time.monotonic()
        draw_loss(self.steps.rows(), self.validations.rows(), self.root / "loss.png")


def writes(trainer: Trainer) -> bool:
    """Tell whether this process is the one that writes, and the run one that leaves files.

    Args:
        trainer: The trainer.

    Returns:
        Whether it is.
    """
    return bool(trainer.is_global_zero) and not is_trial(trainer)


def draw_loss(steps: list[dict[str, str]], validations: list[dict[str, str]], path: Path) -> None:
    """Draw training loss, validation loss and learning rate over the optimiser steps.

    Args:
        steps: Rows of `metrics.csv`.
        validations: Rows of `validation.csv`.
        path: Picture to write (PNG), replaced atomically.
    """
    if not steps:
        return
    figure = Figure(figsize=(8, 5), layout="constrained")
    loss, rate = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    numbers = [int(row["step"]) for row in steps]
    loss.plot(numbers, [float(row["loss"]) for row in steps], label="training", linewidth=1)
    if validations:
        at = [int(row["step"]) for row in validations]
        loss.plot(at, [float(row["val_loss"]) for row in validations], "o-", label="validation")
    loss.set_ylabel("loss (nats per token)")
    loss.grid(alpha=0.3)
    loss.legend()
    rate.plot(numbers, [float(row["lr"]) for row in steps], color="tab:gray", linewidth=1)
    rate.set_ylabel("learning rate")
    rate.set_xlabel("optimiser step")
    with atomic_file(path) as stream:
        figure.savefig(stream, format="png", dpi=120)
