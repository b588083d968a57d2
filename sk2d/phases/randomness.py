"""The random states of a process as plain types, so that a checkpoint needs no pickled objects."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch


def capture(device: torch.device | None = None) -> dict[str, Any]:
    """Take the state of every global random generator of this process.

    Args:
        device: Device of the model; the generator of a GPU is taken besides the CPU's.

    Returns:
        Plain types and byte tensors only: `torch.load(..., weights_only=True)` reads it back.
    """
    version, internal, gauss = random.getstate()
    name, keys, position, has_gauss, cached = np.random.get_state()
    return {
        "python": [version, list(internal), gauss],
        "numpy": [str(name), [int(key) for key in keys], position, has_gauss, cached],
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state(device) if device and device.type == "cuda" else None,
    }


def restore(state: dict[str, Any], device: torch.device | None = None) -> None:
    """Set every global random generator of this process to a captured state.

    Args:
        state: What `capture` returned.
        device: Device of the model.
    """
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    name, keys, position, has_gauss, cached = state["numpy"]
    np.random.set_state((name, np.array(keys, dtype=np.uint32), position, has_gauss, cached))
    torch.set_rng_state(state["torch"].cpu())
    if state["cuda"] is not None and device is not None:
        torch.cuda.set_rng_state(state["cuda"].cpu(), device)
