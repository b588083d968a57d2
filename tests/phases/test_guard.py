"""The guard lets ordinary losses through and stops the others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from sk2d.errors import TrainingStopped
from sk2d.phases.guard import LossGuard
from sk2d.phases.half_precision import Skips


def trainer(**more: Any) -> Any:
    plugin = SimpleNamespace(scaler=None)
    parts = {"checkpoint_callbacks": [], "precision_plugin": plugin, "strategy": None}
    return SimpleNamespace(global_step=5, **parts, **more)


def feed(guard: LossGuard, losses: list[float]) -> None:
    for loss in losses:
        row = SimpleNamespace(loss=loss, grad_norm=1.0)
        module = SimpleNamespace(step_row=row, skips=Skips())
        guard.on_train_batch_end(trainer(), module, None, None, 0)  # type: ignore[arg-type]


def test_a_falling_loss_with_spikes_passes() -> None:
    guard = LossGuard(window=3)
    feed(guard, [4.0, 3.0, 2.0, 1.0, 3.9, 0.5, 0.1, 0.02, 0.3, 0.01] * 3)
    assert guard.recent == [0.02, 0.3, 0.01]


def test_a_rising_loss_stops() -> None:
    with pytest.raises(TrainingStopped, match="from 2 at first to 9"):
        feed(LossGuard(window=3), [2.0, 2.0, 2.0, 9.0, 9.0])


def test_b8_a_loss_of_exactly_zero_stops() -> None:
    with pytest.raises(TrainingStopped, match="exactly 0.*--data.preview"):
        feed(LossGuard(), [0.0])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_non_finite_loss_stops(value: float) -> None:
    with pytest.raises(TrainingStopped, match="No checkpoint had been written"):
        LossGuard().on_before_backward(trainer(), None, torch.tensor(value))  # type: ignore[arg-type]


def test_a_non_finite_gradient_stops_unless_a_scaler_handles_it() -> None:
    module = torch.nn.Linear(2, 1)
    module.weight.grad = torch.full_like(module.weight, float("inf"))
    with pytest.raises(TrainingStopped, match="norm of the gradient became inf"):
        LossGuard().on_before_optimizer_step(trainer(), module, None)  # type: ignore[arg-type]
    scaled = trainer()
    scaled.precision_plugin.scaler = object()
    LossGuard().on_before_optimizer_step(scaled, module, None)  # type: ignore[arg-type]
    assert module.grad_norm == float("inf")


def test_a_resumed_guard_remembers() -> None:
    first, second = LossGuard(window=2), LossGuard(window=2)
    feed(first, [1.0, 1.0])
    second.load_state_dict(first.state_dict())
    with pytest.raises(TrainingStopped):
        feed(second, [5.0, 5.0])
