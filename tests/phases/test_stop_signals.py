"""Signals are taken while a run trains, and given back whichever way it ends."""

import signal
from pathlib import Path
from typing import Any

import pytest
from lightning.pytorch import Callback

from sk2d.phases.stop_signals import WATCHED


def handlers() -> list[Any]:
    return [signal.getsignal(number) for number in WATCHED]


class Breaks(Callback):
    def on_train_batch_start(self, *args: Any) -> None:
        raise RuntimeError("a batch that breaks")


class Looks(Callback):
    def on_train_batch_start(self, *args: Any) -> None:
        self.seen = handlers()


def test_signals_are_ours_in_training_and_as_before_after_it(make_run: Any, tmp_path: Path) -> None:
    before, looks = handlers(), Looks()
    module, data, trainer = make_run(tmp_path, callbacks=[looks])
    trainer.fit(module, datamodule=data)
    assert {each.__qualname__ for each in looks.seen} == {"StopSignals._note"}
    assert handlers() == before


def test_signals_are_as_before_after_a_run_that_broke(make_run: Any, tmp_path: Path) -> None:
    before = handlers()
    module, data, trainer = make_run(tmp_path, callbacks=[Breaks()])
    with pytest.raises(RuntimeError, match="a batch that breaks"):
        trainer.fit(module, datamodule=data)
    assert handlers() == before
