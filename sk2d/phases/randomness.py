"""The random states of a process as plain types, so that a checkpoint needs no pickled objects."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch


def capture() -> dict[str, Any]:
    """Take the state of every global random generator.

    Returns:
        Plain types and byte tensors only: `torch.load(..., weights_only=True)` reads it back.
    """
    version, internal, gauss = random.getstate()
    name, keys, position, has_gauss, cached = np.random.get_state()
    return {
        "python": [version, list(internal), gauss],
        "numpy": [str(name), [int(key) for key in keys], position, has_gauss, cached],
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def restore(state: dict[str, Any]) -> None:
    """Set every global random generator to a captured state.

    Args:
        state: What `capture` returned.
    """
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    name, keys, position, has_gauss, cached = state["numpy"]
    np.random.set_state((name, np.array(keys, dtype=np.uint32), position, has_gauss, cached))
    torch.set_rng_state(state["torch"].cpu())
    if state["cuda"]:
        torch.cuda.set_rng_state_all([part.cpu() for part in state["cuda"]])
