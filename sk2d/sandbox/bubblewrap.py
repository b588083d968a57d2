"""A jail built by bubblewrap, for systems that let only its own program make namespaces.

bubblewrap starts programs, so the supervisor runs in a Python of its own inside; that makes this
back end slower by the start of a Python.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
from typing import Final, NoReturn

from sk2d.sandbox.frames import Frame, pack
from sk2d.sandbox.landlock import DEVICES
from sk2d.sandbox.namespaces import INSIDE, WORK
from sk2d.sandbox.processes import others_that_count
from sk2d.sandbox.supervisor import Surroundings, guard_supervisor, serve_requests

_CODE: Final = "/sk2d-code"
_PYTHON: Final = "/sk2d-python"
_PROGRAMS: Final = ("/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap")
_CHANNEL_FD: Final = 9


def bare_package(folder: str) -> str:
    """Write Python code that makes this package importable without running its `__init__` files.

    Those import sk2d's side, which a jailer and a supervisor have no use for.

    Args:
        folder: Where the package `sk2d` lies.

    Returns:
        Lines of code; they import `sys`.
    """
    return f"""
import sys
from types import ModuleType
for name, path in (("sk2d", {folder!r}), ("sk2d.sandbox", {folder + "/sandbox"!r})):
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [path]
"""


def become_bubblewrap(channel: socket.socket, request: Frame) -> NoReturn:
    """Turn this process into bubblewrap with the supervisor in it.

    Args:
        channel: Where the supervisor reports.
        request: What the jail shall be like.

    Raises:
        FileNotFoundError: bubblewrap is not installed.
    """
    program = next((path for path in _PROGRAMS if os.access(path, os.X_OK)), None)
    if program is None:
        raise FileNotFoundError("bwrap is not installed")
    os.dup2(channel.fileno(), _CHANNEL_FD)
    os.execve(program, [program, *_arguments(request)], {})


def _arguments(request: Frame) -> list[str]:
    seen = [word for path in request.message["readable"] for word in _show(path)]
    shows_tmp = any(path.startswith("/tmp/") for path in request.message["readable"])
    python = os.path.realpath(sys.executable)
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    others = others_that_count(own_namespace=True, own_user=False)
    start = f"from sk2d.sandbox.bubblewrap import supervise\nsupervise({others})"
    if not python.startswith("/usr/"):
        # Its folder may lie in a home, whose name is nobody's business inside.
        folder = os.path.dirname(os.path.dirname(python))
        seen += ["--ro-bind", folder, _PYTHON]
        python = _PYTHON + python.removeprefix(folder)
    return [
        *("--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1"),
        *("--uid", str(INSIDE), "--gid", str(INSIDE), "--hostname", "jail"),
        *seen,
        *("--ro-bind", package, _CODE),
        *("--proc", "/proc"),
        *(word for path in DEVICES for word in ("--dev-bind", path, path)),
        *("--size", str(request.message["folder_bytes"]), "--tmpfs", WORK),
        *(() if shows_tmp else ("--symlink", WORK[1:], "/tmp")),
        *("--chdir", WORK, "--remount-ro", "/"),
        *("--", python, "-I", "-S", "-c", bare_package(_CODE) + start),
    ]


def _show(path: str) -> list[str]:
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path]


def supervise(others: int) -> None:
    """Serve the requests on the channel; called inside of bubblewrap.

    Args:
        others: Threads outside that count against the limit on processes.
    """
    around = Surroundings(WORK, owns_all=True, count_processes=True, others=others)
    with socket.socket(fileno=_CHANNEL_FD) as channel:
        channel.set_inheritable(False)
        gc.disable()
        guard_supervisor(subreaper=False)
        try:
            serve_requests(channel, around)
        except OSError as error:
            with contextlib.suppress(OSError):
                channel.sendall(pack({"failed": f"{type(error).__name__}: {error}"}))
