"""How many devices a config trains on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch

GPU = ("gpu", "cuda")


def on_gpu(accelerator: Any) -> bool:
    """Tell whether a config trains on GPUs.

    Args:
        accelerator: Value of `trainer.accelerator`.

    Returns:
        Whether it asks for GPUs, or takes what is there and GPUs are.
    """
    return accelerator in GPU or (accelerator == "auto" and torch.cuda.is_available())


def device_count(value: Callable[[str], Any]) -> int:
    """Count the devices that a config trains on, over all nodes.

    Args:
        value: Looks a config key up.

    Returns:
        A number of at least 1.
    """
    nodes = int(value("trainer.num_nodes") or 1)
    devices = value("trainer.devices")
    text = str(devices)
    if isinstance(devices, list | tuple) or "," in text:
        given = devices if isinstance(devices, list | tuple) else text.split(",")
        return max(1, len([part for part in given if str(part).strip()])) * nodes
    if text.isdigit() and int(text) > 0:
        return int(text) * nodes
    gpus = torch.cuda.device_count() if on_gpu(value("trainer.accelerator")) else 1
    return max(1, gpus) * nodes


def is_first_process() -> bool:
    """Tell whether this process started the run, or was started by one that did.

    Lightning's launcher starts the processes of the other devices with the same command line; they
    find the files of the first one.

    Returns:
        True unless the launcher's environment says that this is another process.
    """
    return os.environ.get("LOCAL_RANK", "0") == "0" and os.environ.get("NODE_RANK", "0") == "0"
