"""The callbacks of reinforcement learning: figures of each step, the journal, and when to stop."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer
from lightning.pytorch.utilities.rank_zero import rank_zero_warn

from sk2d.corpus.files import write_jsonl_atomic
from sk2d.phases.attached import data_of
from sk2d.phases.curves import writes
from sk2d.phases.guard import LossGuard, stop_run
from sk2d.phases.phase_module import PhaseModule
from sk2d.phases.step_meter import StepMeter
from sk2d.rl.figures import RolloutRow
from sk2d.rl.journal import LEFT_OUT, ROLLOUTS, append, cut_after
from sk2d.rl.scoring import TOO_MANY_FAILURES

if TYPE_CHECKING:
    from sk2d.phases.step_meter import StepRow

TRUNCATED_STEPS = 5
"""Steps in a row that taught nothing, since no answer came to its end, before a run is stopped."""

FLAT = 0.8
"""Share of prompts from which nothing can be learned, above which that is said."""

SHOWN = ("reward", "compiles", "cosine", "truncated", "flat_groups", "length", "kl")
JUDGING = "Read the messages of its answers in rollouts.jsonl, and run python cli.py doctor"
LONGER = "Raise model.max_new_tokens, or train the model longer before reinforcement learning"


class RolloutMeter(StepMeter):
    """Puts a row with the figures of the answers on the module after each step.

    Args:
        row: Class of the rows.
    """

    def __init__(self, row: type[RolloutRow]) -> None:
        super().__init__()
        self.row = row

    def _row(self, trainer: Trainer, module: PhaseModule, outputs: dict[str, Any]) -> StepRow:
        found = dataclasses.asdict(super()._row(trainer, module, outputs))
        return self.row(**found, **outputs["figures"])

    @staticmethod
    def _log(module: PhaseModule, row: StepRow) -> None:
        for name, value in dataclasses.asdict(row).items():
            if name not in ("step", "epoch"):
                module.log(name, float(value), prog_bar=name in SHOWN)


class JournalWriter(Callback):
    """Keeps `rollouts.jsonl`: every answer, its verdict and the parts of its score."""

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:  # type: ignore[override]
        """Cut the journal back to the step that the run stands on, and list the rows left out.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        self.path = Path(trainer.default_root_dir) / ROLLOUTS
        if writes(trainer):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            cut_after(self.path, trainer.global_step)
            left_out: list[dict[str, str]] = data_of(trainer).left_out  # type: ignore[attr-defined]
            write_jsonl_atomic(self.path.parent / LEFT_OUT, left_out)

    def on_train_batch_end(  # type: ignore[override]
        self, trainer: Trainer, module: PhaseModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Write the answers of a step.

        Args:
            trainer: The trainer.
            module: The module in training.
            outputs: What `training_step` returned.
            batch: The prompts.
            batch_idx: Number of the step in the epoch.
        """
        if writes(trainer):
            append(self.path, outputs["journal"])


class RolloutGuard(LossGuard):
    """Ends a run that cannot learn: answers that cannot be judged, or that never end.

    Args:
        max_skipped: Steps in a row that the loss scaler may leave out in fp16.
    """

    def __init__(self, max_skipped: int = 20) -> None:
        super().__init__(max_skipped=max_skipped)
        self.truncated = 0
        self.told: set[str] = set()

    def state_dict(self) -> dict[str, Any]:
        """Give the number of steps in a row that cut-off answers made useless."""
        return {"truncated": self.truncated}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take up the count of a resumed run.

        Args:
            state_dict: What `state_dict` returned.
        """
        self.truncated = state_dict["truncated"]

    def on_train_batch_end(  # type: ignore[override]
        self, trainer: Trainer, module: PhaseModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Look at the figures of a step.

        Args:
            trainer: The trainer.
            module: The module in training.
            outputs: What `training_step` returned.
            batch: The prompts.
            batch_idx: Number of the step in the epoch.
        """
        row = module.step_row
        if not isinstance(row, RolloutRow):
            return
        self.check_skips(trainer, module)
        if row.failed > TOO_MANY_FAILURES:
            stop_run(trainer, f"{row.failed:.0%} of the answers could not be judged", JUDGING)
        self.truncated = self.truncated + 1 if row.truncated == 1.0 and not row.learned else 0
        if self.truncated >= TRUNCATED_STEPS:
            what = f"all answers of {self.truncated} steps in a row were cut off"
            stop_run(trainer, what, LONGER)
        if row.truncated == 1.0:
            self._tell("truncated", f"all answers of step {row.step} were cut off. {LONGER}")
        if row.flat_groups > FLAT:
            what = f"{row.flat_groups:.0%} of the prompts of step {row.step} have answers that all "
            what += "score the same, so little is learned: raise model.rollouts.answers or "
            self._tell("flat", what + "model.rollouts.temperature, or choose other prompts")

    def _tell(self, key: str, what: str) -> None:
        if key not in self.told:
            self.told.add(key)
            rank_zero_warn(what)
