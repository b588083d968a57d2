"""`metrics.csv`, `validation.csv` and a picture of both, kept up to date while a run goes on."""

from __future__ import annotations

import csv
import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer
from matplotlib.figure import Figure

from sk2d.corpus.files import atomic_file, write_text_atomic
from sk2d.phases.attached import data_of, is_trial
from sk2d.phases.resume import make_up_validation
from sk2d.phases.step_meter import StepRow

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

STEP_FILE = "metrics.csv"
VALIDATION_FILE = "validation.csv"
LOSS_PICTURE = "loss.png"
Rows = list[dict[str, str]]
Draw = Callable[[Rows, Rows, Path], None]


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
    """Writes the tables and draws them.

    Args:
        row: Class of the rows that the module publishes.
        draw: Draws the rows of both tables into a file.
        picture: Name of that file.
        seconds: Shortest time between two drawings.
    """

    def __init__(
        self,
        row: type[StepRow] = StepRow,
        draw: Draw | None = None,
        picture: str = LOSS_PICTURE,
        seconds: float = 30.0,
    ) -> None:
        self.columns = columns_of(row)
        self.picture = picture
        self.seconds = seconds
        self._draw = draw or draw_loss
        self._drawn = 0.0

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Open the tables, cut back to the step that the run stands on.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        root = Path(trainer.default_root_dir)
        self.root = root
        self.steps = StepTable(root / STEP_FILE, self.columns)
        measures = [f"val_{name}" for name in module.measures]
        self.validations = StepTable(root / VALIDATION_FILE, ["step", "epoch", *measures])
        if writes(trainer):
            root.mkdir(parents=True, exist_ok=True)
            self.steps.cut_after(trainer.global_step)
            self.validations.cut_after(trainer.global_step)
        self._drawn = time.monotonic()
        validated = {int(row["step"]) for row in self.validations.rows()}
        make_up_validation(module, trainer.strategy.broadcast(validated))

    def on_train_batch_end(self, trainer: Trainer, module: PhaseModule, *args: Any) -> None:
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

    def on_validation_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Write the validation's row; a step that has one already is not validated twice.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if trainer.state.fn != "fit" or trainer.sanity_checking or not writes(trainer):
            return
        step = trainer.global_step
        self.validations.cut_after(step - 1)
        metrics = trainer.callback_metrics
        row: dict[str, Any] = {"step": step, "epoch": data_of(trainer).position.epoch}
        for name in module.measures:
            found = metrics.get(f"val/{name}")
            row[f"val_{name}"] = "" if found is None else float(found)
        self.validations.append(row)

    def on_train_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Draw the whole run.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if writes(trainer):
            self.draw()

    def on_exception(self, trainer: Trainer, module: PhaseModule, exception: BaseException) -> None:
        """Draw what there is when a run ends early.

        Args:
            trainer: The trainer.
            module: The module in training.
            exception: What ended the run.
        """
        if writes(trainer) and hasattr(self, "steps"):
            self.draw()

    def draw(self) -> None:
        """Draw the picture from the tables."""
        self._drawn = time.monotonic()
        self._draw(self.steps.rows(), self.validations.rows(), self.root / self.picture)


def columns_of(row: type[StepRow]) -> list[str]:
    """Name the columns of a table of steps.

    Args:
        row: Class of its rows.

    Returns:
        The fields, the step first.
    """
    return [field.name for field in dataclasses.fields(row)]


def writes(trainer: Trainer) -> bool:
    """Tell whether this process is the one that writes, and the run one that leaves files.

    Args:
        trainer: The trainer.

    Returns:
        Whether it is.
    """
    return bool(trainer.is_global_zero) and not is_trial(trainer)


def draw_loss(steps: Rows, validations: Rows, path: Path) -> None:
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
