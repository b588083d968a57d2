"""How many threads a process of a run computes with: the cores, shared out among the processes.

torchrun and others set OMP_NUM_THREADS to 1 when several processes are started, which makes an
optimiser on the CPU many times slower.
"""

from __future__ import annotations

import os

import psutil
import torch

VARIABLE = "OMP_NUM_THREADS"


def usable_cores() -> int:
    """Count the physical cores that this process may use.

    Returns:
        A number of at least 1; logical cores where the system does not tell the physical ones.
    """
    logical = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    physical = psutil.cpu_count(logical=False)
    return max(1, min(logical or 1, physical or logical or 1))


def share_threads(processes: int) -> tuple[int, str]:
    """Set the threads of this process and of those that it starts, unless the user has set them.

    Libraries that are loaded later read the environment; torch is loaded and is told.

    Args:
        processes: Processes of the run on this machine.

    Returns:
        The threads per process, and where the number comes from.
    """
    given = os.environ.get(VARIABLE, "")
    if given.isdigit() and int(given) > 0:
        torch.set_num_threads(int(given))
        return int(given), f"{VARIABLE} is set"
    cores = usable_cores()
    threads = max(1, cores // processes)
    os.environ[VARIABLE] = str(threads)
    torch.set_num_threads(threads)
    return threads, f"{cores} cores for {processes} process{'es' if processes > 1 else ''}"
