"""Starts a training command anew with an allocator that does not waste memory.

glibc puts small free blocks aside for reuse. Those that it cuts off from the aligned blocks of
tensors are lost to their neighbours that way: a block of the same size then finds no room in the
hole that the last one left. Without that the memory of a run on a CPU is a third smaller, in the
same time (benchmarks/memory_truth.py). It can only be said in the environment, before the start.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from typing import Final

VARIABLE: Final = "GLIBC_TUNABLES"
TUNABLES: Final = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"
COMMANDS: Final = frozenset(("fit", "validate", "test", "predict", "demo"))


def wants_restart(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Tell whether a command should be started anew.

    Args:
        arguments: The command and its options.
        environment: The environment; tunables that the user has set are left alone.

    Returns:
        Whether it trains or answers, on Linux with glibc, and nothing is set.
    """
    if not arguments or arguments[0] not in COMMANDS or VARIABLE in environment:
        return False
    return platform.libc_ver()[0] == "glibc"


def restart_with_allocator() -> None:
    """Replace this process by itself with the allocator's settings, where that is of use."""
    if wants_restart(sys.argv[1:], os.environ):
        os.environ[VARIABLE] = TUNABLES
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
