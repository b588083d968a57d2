"""Saves a run that is told to stop (SIGTERM of a scheduler, Ctrl-C) and ends it cleanly."""

from __future__ import annotations

import signal
from types import FrameType
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer

from sk2d.errors import Interrupted
from sk2d.phases.checkpoints import RunModelCheckpoint

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

WATCHED = (signal.SIGTERM, signal.SIGINT)


class StopSignals(Callback):
    """Turns SIGTERM and SIGINT into a checkpoint and the exit code 128 + signal.

    The checkpoint describes the last optimiser step, so at most one step's work is done again. A
    second signal of the same kind acts at once, as if this callback were not there.
    """

    def __init__(self) -> None:
        self._signal: int | None = None
        self._before: dict[int, Any] = {}

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Take over the signals from Lightning, which has taken them by now.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        for number in WATCHED:
            self._before[number] = signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signal = number
        signal.signal(number, signal.SIG_DFL)

    def on_train_batch_end(self, trainer: Trainer, *args: Any) -> None:
        """Save and end the run when a signal has come.

        Args:
            trainer: The trainer.
            args: The other arguments of the hook.
        """
        self._end_if_told(trainer)

    def on_validation_batch_end(self, trainer: Trainer, *args: Any) -> None:
        """Save and end the run when a signal has come during validation.

        Args:
            trainer: The trainer.
            args: The other arguments of the hook.
        """
        self._end_if_told(trainer)

    def on_validation_end(self, trainer: Trainer, *args: Any) -> None:
        """Save and end the run when a signal has come while samples were generated.

        Args:
            trainer: The trainer.
            args: The other arguments of the hook.
        """
        self._end_if_told(trainer)

    def _end_if_told(self, trainer: Trainer) -> None:
        # Signals are only taken in training, so a validation of its own is never ended here.
        told = trainer.strategy.reduce_boolean_decision(self._signal is not None, all=False)
        if not told:
            return
        number = self._signal or signal.SIGTERM
        saved = RunModelCheckpoint.of(trainer).save_now(trainer)
        raise Interrupted(number, str(saved) if saved else None)

    def on_train_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Give the signals back to Lightning, before it gives them back itself.

        Its own teardown comes before a callback's: what `teardown` gave back would be Lightning's
        handler, which would swallow SIGTERM for the rest of the process.

        Args:
            trainer: The trainer.
            module: The module.
        """
        self._give_back()

    def on_exception(self, trainer: Trainer, module: PhaseModule, exception: BaseException) -> None:
        """Give the signals back where training ends early.

        Args:
            trainer: The trainer.
            module: The module.
            exception: What ends it.
        """
        self._give_back()

    def _give_back(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
