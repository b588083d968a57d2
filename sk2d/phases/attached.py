"""What is attached to a trainer, with its type: Lightning keeps only the general one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from lightning.pytorch import Callback, Trainer

from sk2d.data import SupervisedData
from sk2d.data.phase_data import PhaseData

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

C = TypeVar("C", bound=Callback)


def data_of(trainer: Trainer) -> PhaseData:
    """Give the data module of a run.

    Args:
        trainer: A trainer that is running.

    Returns:
        Its data module.
    """
    data = trainer.datamodule  # type: ignore[attr-defined]
    assert isinstance(data, PhaseData), "a phase trains on data of its own"
    return data


def supervised_data_of(trainer: Trainer) -> SupervisedData:
    """Give the data module of a supervised run.

    Args:
        trainer: A trainer that is running.

    Returns:
        Its data module.
    """
    data = data_of(trainer)
    assert isinstance(data, SupervisedData), "supervised training is on SupervisedData"
    return data


def has_data(trainer: Trainer) -> bool:
    """Tell whether a data module is attached to a trainer.

    Args:
        trainer: A trainer.

    Returns:
        Whether it has one.
    """
    return isinstance(getattr(trainer, "datamodule", None), PhaseData)


def module_of(trainer: Trainer) -> PhaseModule:
    """Give the module of a run.

    Args:
        trainer: A trainer that is running.

    Returns:
        Its module.
    """
    return cast("PhaseModule", trainer.lightning_module)


def callback_of(trainer: Trainer, kind: type[C]) -> C:
    """Find a callback that every run has.

    Args:
        trainer: A trainer.
        kind: Class of the callback.

    Returns:
        The first callback of that class.
    """
    callbacks = trainer.callbacks  # type: ignore[attr-defined]
    found = [callback for callback in callbacks if isinstance(callback, kind)]
    assert found, f"the trainer has no {kind.__name__}"
    return found[0]


def is_trial(trainer: Trainer) -> bool:
    """Tell whether a run is Lightning's `fast_dev_run`, which leaves no files.

    Args:
        trainer: A trainer.

    Returns:
        Whether it is.
    """
    return bool(trainer.fast_dev_run)  # type: ignore[attr-defined]
