"""sk2d's side: starts the jailer of this process and exchanges messages with it.

Safe from any thread: each request has a socket of its own. A process that was forked from one
with a jailer starts its own at its first request.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sk2d.errors import JailError
from sk2d.sandbox.bubblewrap import bare_package
from sk2d.sandbox.frames import BrokenFrame, Frame, pack, receive

_MAIN: Final = f"""
{bare_package(str(Path(__file__).parents[1]))}
from socket import socket
from sk2d.sandbox.jailer import serve
serve(socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
"""


MAX_IDLE: Final = 16
"""Jails of one setup that wait for work; each is two small processes."""

_SLACK_SECONDS: Final = 60
_SECONDS_TO_END: Final = 5


class _Jailer:
    """A running jailer and the socket that requests are handed over on."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _MAIN, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd="/",
                env={},
                start_new_session=True,  # Ctrl-C is for sk2d, which then lets go of its jails
            )

    def hand_over(self, channel: socket.socket) -> None:
        """Bring it a request's socket."""
        socket.send_fds(self.control, [b"r"], [channel.fileno()])

    def close(self) -> None:
        """Let the jailer end."""
        self.control.close()
        try:
            self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:  # a foreign fork may hold our end of the socket open
            self.process.kill()
            self.process.wait()


class Setup(NamedTuple):
    """What a jail shall be like; two jails of one setup can stand for each other.

    Attributes:
        backend: Name of the back end.
        folder_bytes: Size of the work folder.
        readable: Paths of the host that are seen, read-only.
        temporary: Where a work folder is made by back ends without an own file system.
    """

    backend: str
    folder_bytes: int
    readable: tuple[str, ...]
    temporary: str


class _State:
    """The jailer of this process, made at the first request, and jails that wait for work."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.jailer: _Jailer | None = None
        self.idle: dict[Setup, list[socket.socket]] = {}

    def open(self, setup: Setup) -> socket.socket:
        """Have a new jail built; a jailer that was killed is replaced once."""
        channel, theirs = socket.socketpair()
        with theirs:
            self._hand_over(theirs)
        channel.sendall(pack(setup._asdict()))
        return channel

    def _hand_over(self, channel: socket.socket) -> None:
        with self.lock:
            if self.jailer is not None:
                with contextlib.suppress(OSError):
                    self.jailer.hand_over(channel)
                    return
                self.jailer.close()
            self.jailer = _Jailer()
            self.jailer.hand_over(channel)

    def take_idle(self, setup: Setup) -> socket.socket | None:
        """Take a jail that waits; one that has ended meanwhile is thrown away."""
        while True:
            with self.lock:
                waiting = self.idle.get(setup)
                if not waiting:
                    return None
                channel = waiting.pop()
            if not select.select([channel], [], [], 0)[0]:
                return channel
            channel.close()

    def put_idle(self, setup: Setup, channel: socket.socket) -> None:
        """Keep a jail for the next request of its kind."""
        with self.lock:
            waiting = self.idle.setdefault(setup, [])
            if len(waiting) < MAX_IDLE:
                waiting.append(channel)
                return
        channel.close()

    def forget(self) -> None:
        """Let go of the parent's jailer in a forked child, which would keep it alive for ever."""
        self.lock = threading.Lock()
        self._close_idle()
        if self.jailer is not None:
            self.jailer.control.close()
            self.jailer.process.returncode = 0  # the parent's to wait for, not ours
        self.jailer = None

    def close(self) -> None:
        """Let go of all jails and of the jailer."""
        with self.lock:
            self._close_idle()
            if self.jailer is not None:
                self.jailer.close()
                self.jailer = None

    def _close_idle(self) -> None:
        for waiting in self.idle.values():
            for channel in waiting:
                channel.close()
        self.idle.clear()


_STATE: Final = _State()
os.register_at_fork(after_in_child=_STATE.forget)
atexit.register(_STATE.close)


def exchange(
    setup: Setup, request: dict[str, Any], blobs: Sequence[bytes], *, reuse: bool = False
) -> Iterator[Frame]:
    """Have jobs done in a jail, and give what its supervisor reports, one message a job.

    Leaving early, by an exception too, ends the jail.

    Args:
        setup: The jail.
        request: The jobs (see `supervisor`).
        blobs: The byte strings of the request.
        reuse: Whether the jail may have served earlier requests and may serve later ones.

    Yields:
        The reports as they come.

    Raises:
        JailError: The jail could not be built, or failed.
    """
    try:
        channel = (_STATE.take_idle(setup) if reuse else None) or _STATE.open(setup)
        with contextlib.ExitStack() as stack:
            stack.callback(channel.close)
            walls = sum(job["limits"]["wall_seconds"] for job in request["jobs"])
            channel.settimeout(_SLACK_SECONDS + walls)
            channel.sendall(pack(request, blobs))
            yield from _reports(channel)
            if reuse:
                stack.pop_all()
                _STATE.put_idle(setup, channel)
            else:
                _wait_for_end(channel)
    except (OSError, BrokenFrame) as error:
        raise JailError(f"the jail went away: {error}") from error


def _wait_for_end(channel: socket.socket) -> None:
    """Let a jail end, and wait until no process of it holds the channel any more."""
    channel.shutdown(socket.SHUT_WR)
    while channel.recv(1 << 16):
        pass


def _reports(channel: socket.socket) -> Iterator[Frame]:
    while (frame := receive(channel.recv)) is not None:
        if "failed" in frame.message:
            raise JailError(f"the jail failed: {frame.message['failed']}")
        if "done" in frame.message:
            return
        yield frame
    raise JailError("the jail ended before its work was done")
