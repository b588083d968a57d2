"""Starting DeepSpeed itself, on the device that the trainer computes on."""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from datetime import timedelta
from typing import Any


def start_deepspeed(backend: str, timeout: timedelta, *, shared_memory: bool) -> None:
    """Start DeepSpeed on the process group.

    Args:
        backend: torch's name of the communication library.
        timeout: How long a collective operation may take.
        shared_memory: Use its own compiled exchange on the CPU.
    """
    import deepspeed

    module: Any = importlib.import_module("deepspeed.comm.torch")
    build = module.build_shm_op

    def built_in_silence() -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return build() if shared_memory else None

    module.build_shm_op = built_in_silence
    # DeepSpeed calls torch by an old name
    warnings.filterwarnings("ignore", message=".*`torch.distributed.* is deprecated")
    try:
        deepspeed.init_distributed(backend, verbose=False, timeout=timeout)
    finally:
        module.build_shm_op = build


def compute_on_the_cpu() -> None:
    """Make DeepSpeed compute on the CPU also where it would find a GPU."""
    from deepspeed.accelerator import get_accelerator, set_accelerator

    if get_accelerator().device_name() != "cpu":
        from deepspeed.accelerator.cpu_accelerator import CPU_Accelerator

        set_accelerator(CPU_Accelerator())
