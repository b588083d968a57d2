"""A limit of CPU time around one step of one row, which a busy machine does not shorten."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sk2d.errors import Reason, SourceError

STEP_SECONDS: Final = 5.0
"""CPU time that one step may take for one row."""

# An exception can be raised only between two steps of the interpreter. Where a call into C code
# does not come back, the kernel ends the process at this multiple, and the pool goes on without it.
_HARD: Final = 3.0


@contextmanager
def cpu_limit(seconds: float = STEP_SECONDS) -> Iterator[None]:
    """Raise when the block takes more CPU time than it may; main thread only.

    Args:
        seconds: The limit.

    Yields:
        Nothing.
    """

    def too_long(*_: Any) -> None:
        """Take the signal.

        Raises:
            SourceError: Always.
        """
        raise SourceError(Reason.STEP_TIMEOUT, f"this took more than {seconds:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * _HARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGPROF, before)
