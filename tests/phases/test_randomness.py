"""All random generators go on from a captured state."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch

from sk2d.phases import randomness


def draw() -> tuple[float, float, float]:
    return random.random(), float(np.random.rand()), float(torch.rand(()))


def test_restored_generators_draw_the_same(tmp_path: Path) -> None:
    random.gauss(0, 1)
    np.random.standard_normal()  # leaves a second, cached draw behind
    state = randomness.capture()
    torch.save(state, tmp_path / "state.pt")
    first = [draw() for _ in range(3)]
    randomness.restore(torch.load(tmp_path / "state.pt", weights_only=True))
    assert [draw() for _ in range(3)] == first
