"""The callbacks and plugins that every run has, whatever its config says."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

from sk2d.phases.checkpoint_files import AtomicCheckpointIO
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.guard import LossGuard
from sk2d.phases.phase_module import PhaseModule
from sk2d.phases.resources import ResourceWatch
from sk2d.phases.run_folder import RunRecord
from sk2d.phases.stop_signals import StopSignals


def run_callbacks(
    module: PhaseModule, guard: LossGuard, config: str | None = None
) -> list[Callback]:
    """Build the callbacks that are not in the config, in the order in which they depend on another.

    The meter publishes the row that the guard judges and the curves write; signals come last, so
    that a run that is told to stop is saved with all that the others know.

    Args:
        module: What is trained.
        guard: When to stop.
        config: The resolved config as YAML.

    Returns:
        Callbacks for `Trainer(callbacks=...)`.
    """
    return [*module.watchers(guard), ResourceWatch(), RunRecord(config), StopSignals()]


def run_trainer_settings(
    module: PhaseModule,
    checkpoint: RunModelCheckpoint | None = None,
    guard: LossGuard | None = None,
) -> dict[str, Any]:
    """Give the trainer arguments of a run that does not come from the command line.

    Args:
        module: What is trained.
        checkpoint: When to save; the default saves every 100 steps.
        guard: When to stop; the default stops on non-finite, zero or diverging loss.

    Returns:
        Arguments for `lightning.Trainer`.
    """
    callbacks = [*run_callbacks(module, guard or LossGuard()), checkpoint or RunModelCheckpoint()]
    return {
        "callbacks": callbacks,
        "plugins": [AtomicCheckpointIO()],
        "use_distributed_sampler": False,
    }
