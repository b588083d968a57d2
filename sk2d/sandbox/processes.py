"""Finding and ending what a command started, also what it detached from itself.

In a pid namespace process 1 can signal all the others at once. Elsewhere orphans come back to the
nearest subreaper, however often they forked and called setsid, so its children are ended round
after round until none is left. Never is a signal sent to "all processes" outside of a namespace.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from typing import Final

OTHERS_MARGIN: Final = 1000
"""Threads that a user may start outside while a jail stands."""

_NAMESPACES_COUNT_FROM: Final = (5, 14)
"""Linux from which on a user namespace has its own count of a user's processes."""


def has_children() -> bool:
    """Tell whether this process has children that are still running; ended ones are reaped.

    Returns:
        Whether one is running.
    """
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def end_all(*, owns_all: bool) -> None:
    """End all other processes of the jail, and wait until they are gone.

    Args:
        owns_all: Whether this is process 1 of a pid namespace; else its descendants are ended.
    """
    while has_children():
        if owns_all:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            _kill_children()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _kill_children() -> None:
    for pid in children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def children() -> list[int]:
    """List the children of this process, which has one thread.

    Returns:
        Their ids.
    """
    own = os.getpid()
    with open(f"/proc/{own}/task/{own}/children") as file:
        return [int(pid) for pid in file.read().split()]


def others_that_count(*, own_namespace: bool, own_user: bool) -> int:
    """Tell how many threads outside of a jail the kernel counts against its limit on processes.

    Without a user of its own, nor a user namespace that counts for itself, a jail shares the count
    with all that its user runs. The limit is raised by that, else honest compilers could not fork.

    Args:
        own_namespace: Whether the jail has a user namespace.
        own_user: Whether the jail's user owns nothing outside.

    Returns:
        Their number, with a margin for those to come; 0 where they do not count.
    """
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if own_user or (own_namespace and release >= _NAMESPACES_COUNT_FROM):
        return 0
    return _threads_of_user(os.geteuid()) + OTHERS_MARGIN


def _threads_of_user(user: int) -> int:
    count = 0
    for name in os.listdir("/proc"):
        # A process may end while we look.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count
