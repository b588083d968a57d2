"""The ladder of jail back ends, strongest first, and which of them works here.

Each is tried once by really running a program in it. A back end that fails is passed over for the
next one and `doctor` says so; what the last one may not do is refused, not done without a jail.
"""

from __future__ import annotations

import functools
import os
import tempfile
import warnings
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sk2d.errors import JailError
from sk2d.sandbox.client import Setup, exchange
from sk2d.sandbox.landlock import MIN_VERSION
from sk2d.sandbox.limits import Limits
from sk2d.sandbox.system import landlock_version
from sk2d.sandbox.toolchain import environment, readable_paths

WITHOUT: Final = "SK2D_JAIL_WITHOUT"
"""Environment variable: back ends that are not to be used, separated by commas."""


class Backend(NamedTuple):
    """One way to build a jail.

    Attributes:
        name: Its name.
        executes: Whether compiled programs may run in it; compilers run in each.
        what: What it is made of.
        needs: What a machine needs to have it.
    """

    name: str
    executes: bool
    what: str
    needs: str


LADDER: Final = (
    Backend(
        "namespaces",
        True,
        "user, pid, net, mount, ipc and uts namespaces, own file system",
        "Linux 5.12 and leave to make user namespaces (sysctl user.max_user_namespaces, "
        "kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns)",
    ),
    Backend(
        "bubblewrap",
        True,
        "the same namespaces, made by the program bwrap",
        "the package bubblewrap, with leave to make user namespaces",
    ),
    Backend(
        "landlock",
        True,
        "Landlock, limits, all descendants ended; no own network or process namespace",
        f"Landlock in version {MIN_VERSION} or newer (Linux 6.12)",
    ),
    Backend(
        "limits",
        False,
        "limits and a folder of its own; compilers only, running programs is refused",
        "Linux 5.3",
    ),
)


def active_backend() -> Backend:
    """Tell which back end runs commands here: the strongest that works.

    Returns:
        The back end.

    Raises:
        JailError: None of them works.
    """
    for backend in LADDER:
        if failure(backend.name) is None:
            return backend
    reasons = "; ".join(f"{b.name}: {failure(b.name)}" for b in LADDER)
    raise JailError(f"no jail can be built on this machine ({reasons})")


def failure(name: str) -> str | None:
    """Try a back end; what the machine allows is tried once.

    Args:
        name: Its name.

    Returns:
        Why it cannot be used; None when it can.
    """
    if name in os.environ.get(WITHOUT, "").split(","):
        return f"switched off by {WITHOUT}"
    return _trial(name)


@functools.cache
def _trial(name: str) -> str | None:
    if name == "landlock" and landlock_version() < MIN_VERSION:
        return f"this kernel has version {landlock_version()} of Landlock"
    try:
        request = {"env": environment(), "jobs": [job_of(["true"], Limits())]}
        reports = list(exchange(setup_of(name, Limits().folder_bytes), request, [b""]))
    except JailError as error:
        return str(error)
    code = reports[0].message["exit_code"]
    return None if code == 0 else f"a program in it ended with exit code {code}"


def backend_for(*, executes: bool) -> str:
    """Choose the back end for a command; says once when there is only the weakest.

    Args:
        executes: Whether the command runs a program that was compiled from the text to judge.

    Returns:
        Its name.

    Raises:
        JailError: Executing is refused here, or no back end works.
    """
    backend = active_backend()
    if backend.executes:
        return backend.name
    if executes:
        raise JailError(
            "running compiled programs is refused: this machine allows no jail that could hold "
            "them (`python cli.py doctor` says what is missing)"
        )
    _warn_once(backend.what)
    return backend.name


@functools.cache
def _warn_once(what: str) -> None:
    warnings.warn(
        f"compilers run in a weak jail here ({what}): a hostile text could show this machine's "
        "files in its messages. `python cli.py doctor` says what is missing",
        stacklevel=4,
    )


def job_of(command: list[str], limits: Limits, **more: Any) -> dict[str, Any]:
    """Write a job as the supervisor reads it.

    Args:
        command: Program and arguments.
        limits: What it may use.
        **more: `files` (name -> number of the blob), `stdin` and `word` (numbers of blobs),
            `collect` (names of files to give back), `needs_earlier` (skip it after a failure).

    Returns:
        The job.
    """
    fixed = {"files": {}, "stdin": 0, "word": None, "collect": [], "needs_earlier": False}
    return {**fixed, "command": command, "limits": limits.as_message(), **more}


def setup_of(backend: str, folder_bytes: int, readable: Sequence[str] = ()) -> Setup:
    """Describe a jail to the jailer.

    Args:
        backend: Name of the back end.
        folder_bytes: Size of its work folder.
        readable: Folders that it shows besides the system's, read-only.

    Returns:
        The description.
    """
    seen = (*readable_paths(), *readable)
    return Setup(backend, folder_bytes, seen, tempfile.gettempdir())
