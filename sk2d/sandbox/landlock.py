"""What a command may touch under Landlock: the weakest back end that may execute.

The accesses are bits of Linux's `include/uapi/linux/landlock.h`. Signals to other processes are
kept in only from ABI 6 (Linux 6.12) on; an older Landlock is not used, because a command could
kill whatever else its user runs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from sk2d.sandbox import system

MIN_VERSION: Final = 6

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_TRUNCATE: Final = 1 << 14
_ALL_FILE_ACCESSES: Final = (1 << 16) - 1
_FOR_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15
_SPECIAL_FILES: Final = sum(1 << bit for bit in (6, 9, 10, 11))
"""Making character devices, sockets, pipes and block devices."""

_TCP: Final = 0b11
_SIGNALS_AND_ABSTRACT_SOCKETS: Final = 0b11

READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
WORK: Final = _ALL_FILE_ACCESSES & ~_SPECIAL_FILES & ~(1 << 15)
DEVICES: Final = {
    "/dev/null": _READ_FILE | _WRITE_FILE,
    "/dev/zero": _READ_FILE,
    "/dev/urandom": _READ_FILE,
    "/dev/random": _READ_FILE,
}


def confine(readable: Sequence[str], work: str) -> None:
    """Put this process and all that it will start under Landlock, for good.

    Args:
        readable: Folders and files that may be read and executed.
        work: The folder that may be written.
    """
    ruleset = system.landlock_ruleset(_ALL_FILE_ACCESSES, _TCP, _SIGNALS_AND_ABSTRACT_SOCKETS)
    rules = {**dict.fromkeys(readable, READ), **DEVICES, work: WORK}
    for path, allowed in rules.items():
        _allow(ruleset, path, allowed)
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    system.landlock_enter(ruleset)
    os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        plain = not os.path.isdir(path)
        system.landlock_allow(ruleset, folder, allowed & _FOR_FILES if plain else allowed)
    finally:
        os.close(folder)
