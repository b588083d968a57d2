"""How a command ended, read from what the kernel says of its process."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from typing import Any


def ending(
    status: int, cpu_seconds: float, peak_bytes: int, stop: str | None, limits: Mapping[str, Any]
) -> dict[str, Any]:
    """Say how a command ended, and which limit it reached.

    Args:
        status: Its wait status.
        cpu_seconds: CPU time that it and its children used.
        peak_bytes: The most memory that it had.
        stop: The limit for which it was killed from outside.
        limits: Its limits, as `Limits.as_message` writes them.

    Returns:
        `exit_code`, `signal` and `stop`, as in `RunResult`.
    """
    code = os.waitstatus_to_exitcode(status)
    if stop is None and code:
        # A child that reached its limit shows in the time of the parent that waited for it.
        if -code == signal.SIGXCPU or cpu_seconds >= limits["cpu_seconds"]:
            stop = "cpu"
        elif -code == signal.SIGXFSZ:
            stop = "file"
        elif peak_bytes >= 0.8 * limits["memory_bytes"]:
            stop = "memory"
    return {
        "exit_code": code if code >= 0 else None,
        "signal": -code if code < 0 else None,
        "stop": stop,
    }
