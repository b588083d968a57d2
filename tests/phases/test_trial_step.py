from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from sk2d.errors import OutOfMemory
from sk2d.phases import trial_step
from sk2d.phases.out_of_memory import told_of_memory
from sk2d.phases.trial_step import TrialStep


def test_a_trial_leaves_no_trace(make_run: Callable[..., Any], tmp_path: Path) -> None:
    losses = []
    for name, callbacks in (("plain", []), ("tried", [TrialStep(1000)])):
        module, data, trainer = make_run(tmp_path / name, max_steps=3, callbacks=callbacks)
        trainer.fit(module, datamodule=data)
        table = (tmp_path / name / "metrics.csv").read_text(encoding="utf-8").splitlines()
        losses.append([line.split(",")[1:5] for line in table])
    assert losses[0] == losses[1]


def test_the_longest_rows_are_tried(
    make_run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, data, trainer = make_run(max_steps=1, callbacks=[TrialStep(0)])
    tried = []
    real = trial_step.supervised_loss

    def noted(model: Any, batch: Any, **settings: Any) -> Any:
        tried.append(batch["input_ids_BT"].numel())
        return real(model, batch, **settings)

    monkeypatch.setattr(trial_step, "supervised_loss", noted)
    trainer.fit(module, datamodule=data)
    lengths = sorted(data.sets.get("train").lengths.tolist())
    assert tried == [sum(lengths[-2:])]


def test_a_trial_that_does_not_fit_names_a_smaller_batch(
    make_run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.80 GiB.")

    monkeypatch.setattr(trial_step, "supervised_loss", full)
    module, data, trainer = make_run(max_steps=1, callbacks=[TrialStep(0)])
    with pytest.raises(OutOfMemory) as caught, told_of_memory(trainer):
        trainer.fit(module, datamodule=data)
    assert str(caught.value) == (
        "data.batch_size: auto chose 2 by the estimate, and a trial ran out of memory. "
        "Give --data.batch_size 1"
    )


def test_other_errors_of_a_trial_pass(
    make_run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("something else")

    monkeypatch.setattr(trial_step, "supervised_loss", broken)
    module, data, trainer = make_run(max_steps=1, callbacks=[TrialStep(0)])
    with pytest.raises(ValueError, match="something else"):
        trainer.fit(module, datamodule=data)
