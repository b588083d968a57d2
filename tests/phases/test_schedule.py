"""The learning-rate curve, and that it moves with optimiser steps."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.phases.schedule import Schedule


def test_cosine_ends_at_a_tenth_after_a_warm_up_of_two_percent() -> None:
    schedule = Schedule()
    assert schedule.factor(0, 100) == pytest.approx(0.5)
    assert schedule.factor(1, 100) == pytest.approx(1.0)
    assert schedule.factor(51, 100) == pytest.approx(0.55)
    assert schedule.factor(100, 100) == pytest.approx(0.1)


@given(st.sampled_from(["cosine", "linear", "constant"]), st.integers(1, 500), st.integers(0, 999))
def test_factor_stays_between_floor_and_one(kind: Any, total: int, step: int) -> None:
    factor = Schedule(kind=kind, warmup=0.0).factor(step, total)
    assert 0.1 - 1e-12 <= factor <= 1.0


def test_c3_rate_moves_within_the_first_epoch(make_run: Any, tmp_path: Path) -> None:
    module, data, trainer = make_run(tmp_path, max_epochs=1)
    trainer.fit(module, datamodule=data)
    rates = [float(row["lr"]) for row in csv.DictReader((tmp_path / "metrics.csv").open())]
    assert rates[0] == max(rates)
    assert rates[-1] < rates[-2] < rates[0]
