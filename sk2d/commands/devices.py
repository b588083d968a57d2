"""How many devices a config trains on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def device_count(value: Callable[[str], Any]) -> int:
    """Count the devices that a config trains on, over all nodes.

    Args:
        value: Looks a config key up.

    Returns:
        A number of at least 1.
    """
    nodes = int(value("trainer.num_nodes") or 1)
    devices = value("trainer.devices")
    if isinstance(devices, list | tuple):
        return len(devices) * nodes
    text = str(devices)
    if "," in text:
        return len([part for part in text.split(",") if part.strip()]) * nodes
    if text.isdigit() and int(text) > 0:
        return int(text) * nodes
    on_gpu = value("trainer.accelerator") in ("auto", "gpu", "cuda")
    return max(1, torch.cuda.device_count() if on_gpu else 1) * nodes
