"""The devices that a config trains on: those of this machine, or of one that is planned for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from sk2d.hardware import Gpu
from sk2d.hardware.gpus import named_gpu
from sk2d.hardware.probing import probe_torch

GPU = ("gpu", "cuda")
MANY = 1024


@dataclass(frozen=True)
class Site:
    """The machine that a config is judged for.

    Args:
        gpu: The kind of GPU that a planned machine has; None is the machine that this runs on.
        count: How many of them; None is as many as the config asks for.
    """

    gpu: Gpu | None = None
    count: int | None = None

    @property
    def is_here(self) -> bool:
        """Whether it is the machine that this runs on."""
        return self.gpu is None

    @property
    def has_gpu(self) -> bool:
        """Whether torch can use a GPU there."""
        return torch.cuda.is_available() if self.is_here else True

    @property
    def gpu_count(self) -> int:
        """How many GPUs there are at the most."""
        return torch.cuda.device_count() if self.is_here else self.count or MANY

    @property
    def default_count(self) -> int:
        """How many GPUs a config takes that does not say how many."""
        return torch.cuda.device_count() if self.is_here else self.count or 1

    def gpus(self) -> tuple[Gpu, ...]:
        """Give the kinds of GPUs there: all of this machine's, or the planned one."""
        return probe_torch(torch)[1] if self.gpu is None else (self.gpu,)


HERE = Site()


def planned_site(name: str | None) -> Site:
    """Read what `--gpu` names.

    Args:
        name: `v100-32gb`, or `4xa100-80gb` for four of them; None for this machine.

    Returns:
        The machine; an unknown name is a `ConfigError`.
    """
    if name is None:
        return HERE
    match = re.fullmatch(r"(?:(\d+) *[x×*] *)?(.+)", name.strip(), re.IGNORECASE)
    assert match, "the second part takes any text"
    return Site(named_gpu(match[2]), int(match[1]) if match[1] else None)


def on_gpu(accelerator: Any, site: Site = HERE) -> bool:
    """Tell whether a config trains on GPUs.

    Args:
        accelerator: Value of `trainer.accelerator`.
        site: The machine.

    Returns:
        Whether it asks for GPUs, or takes what is there and GPUs are.
    """
    return accelerator in GPU or (accelerator == "auto" and site.has_gpu)


def device_count(value: Callable[[str], Any], site: Site = HERE) -> int:
    """Count the devices that a config trains on, over all nodes.

    Args:
        value: Looks a config key up.
        site: The machine.

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
    gpus = site.default_count if on_gpu(value("trainer.accelerator"), site) else 1
    return max(1, gpus) * nodes


def is_first_process() -> bool:
    """Tell whether this process started the run, or was started by one that did.

    Lightning's launcher starts the processes of the other devices with the same command line; they
    find the files of the first one.

    Returns:
        True unless the launcher's environment says that this is another process.
    """
    return os.environ.get("LOCAL_RANK", "0") == "0" and os.environ.get("NODE_RANK", "0") == "0"
