"""The jailer: a small process beside sk2d that builds jails by forking.

sk2d itself cannot fork safely once it has threads, and starting Python for every jail would cost
more than the compiler run in it. The jailer has one thread and imports as little as it can, for
every page more makes its forks slower (`dataclasses` and `tempfile` alone double their time). Each
request comes as a socket of its own and is kept by a child of its own. It ends with sk2d, however
sk2d ends; its keepers get SIGTERM then, end their jails and clean up.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import select
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from sk2d.sandbox import system
from sk2d.sandbox.bubblewrap import become_bubblewrap
from sk2d.sandbox.folder import remove_folder
from sk2d.sandbox.frames import BrokenFrame, Frame, pack, receive
from sk2d.sandbox.landlock import confine
from sk2d.sandbox.namespaces import (
    WORK,
    become_inside_user,
    build_file_system,
    enter_namespaces,
    jail_user,
)
from sk2d.sandbox.processes import end_all, others_that_count
from sk2d.sandbox.supervisor import Surroundings, guard_supervisor, serve_requests


def serve(control: socket.socket, owner: int) -> None:
    """Take requests until the owner ends.

    Args:
        control: Each byte on it brings the socket of one request.
        owner: Process id of the sk2d that started this jailer.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are reaped by the kernel
    gc.disable()  # children live for milliseconds and must not copy the pages that gc touches
    watch = os.pidfd_open(owner)
    poller = select.poll()
    poller.register(watch, select.POLLIN)
    poller.register(control, select.POLLIN)
    while True:
        ready = {file for file, _ in poller.poll()}
        if watch in ready:
            return
        _, files, _, _ = socket.recv_fds(control, 1, 1)
        if not files:
            return
        os.set_inheritable(files[0], False)  # received descriptors are open to programs otherwise
        with socket.socket(fileno=files[0]) as channel:
            own = os.getpid()
            if os.fork() == 0:
                control.close()
                _keep(channel, own)


def _keep(channel: socket.socket, jailer: int) -> NoReturn:
    """Keep one request, in a process of its own."""
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: (_ for _ in ()).throw(SystemExit))
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _die_with_parent(signal.SIGTERM, jailer)
        request = receive(channel.recv)
        if request is not None:
            _jail(channel, request)
    except (OSError, BrokenFrame) as error:
        with contextlib.suppress(OSError):
            channel.sendall(pack({"failed": f"{type(error).__name__}: {error}"}))
    except SystemExit:
        pass
    finally:
        os._exit(0)


def _die_with_parent(number: int, parent: int) -> None:
    system.prctl(system.PR_SET_PDEATHSIG, number)
    if os.getppid() not in (parent, 0):
        os._exit(1)


def _jail(channel: socket.socket, request: Frame) -> None:
    start = STARTS[request.message["backend"]]
    with start(channel, request) as supervisor:
        _wait(channel, supervisor)


def _wait(channel: socket.socket, supervisor: int) -> None:
    """Wait until the supervisor has ended or the client has gone."""
    ended = os.pidfd_open(supervisor)
    poller = select.poll()
    poller.register(ended, select.POLLIN)
    poller.register(channel, select.POLLRDHUP)
    if ended in {file for file, _ in poller.poll()}:
        status = os.waitid(os.P_PID, supervisor, os.WEXITED | os.WNOWAIT)
        if status is not None and status.si_status:
            channel.sendall(pack({"failed": f"the supervisor ended with {status.si_status}"}))


@contextlib.contextmanager
def _in_namespaces(channel: socket.socket, request: Frame) -> Iterator[int]:
    user = jail_user()
    others = others_that_count(own_namespace=True, own_user=user != os.geteuid())
    enter_namespaces(user)

    def inside() -> Surroundings:
        """Finish the jail from within."""
        become_inside_user()
        build_file_system(request.message["readable"], request.message["folder_bytes"])
        return Surroundings(WORK, owns_all=True, count_processes=user == 0, others=others)

    with _ended_at_exit(_fork_supervisor(channel, request, inside)) as pid:
        yield pid


@contextlib.contextmanager
def _in_bubblewrap(channel: socket.socket, request: Frame) -> Iterator[int]:
    pid = os.fork()
    if pid == 0:
        try:
            _die_with_parent(signal.SIGKILL, os.getppid())
            _come_first()
            become_bubblewrap(channel, request)
        finally:
            os._exit(1)
    with _ended_at_exit(pid):
        yield pid


def _come_first() -> None:
    """Put the supervisor before its jail's processes, so that a fork bomb cannot starve it.

    Only root may, and only for root does the supervisor have to count processes.
    """
    if os.geteuid() == 0:
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, -20)


@contextlib.contextmanager
def _in_folder(channel: socket.socket, request: Frame, *, landlock: bool) -> Iterator[int]:
    """A jail without namespaces: a folder of the host, and this process to bury all orphans."""
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    user = jail_user()
    others = others_that_count(own_namespace=False, own_user=user != os.geteuid())
    work = f"{request.message['temporary']}/sk2d-jail-{os.getpid()}-{os.urandom(6).hex()}"
    os.mkdir(work, 0o700)
    try:
        if os.geteuid() == 0:
            os.chown(work, user, user)
        inside = functools.partial(_enter_folder, work, user, request, landlock, others)
        with _ended_at_exit(_fork_supervisor(channel, request, inside)) as pid:
            yield pid
    finally:
        remove_folder(work)


def _enter_folder(
    work: str, user: int, request: Frame, landlock: bool, others: int
) -> Surroundings:
    if os.geteuid() == 0 and user != 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)  # changing the user cleared it
    os.chdir(work)
    readable = request.message["readable"]
    inside = functools.partial(confine, readable, work) if landlock else None
    return Surroundings(work, owns_all=False, confine=inside, others=others)


def _fork_supervisor(
    channel: socket.socket, request: Frame, inside: Callable[[], Surroundings]
) -> int:
    """Fork the supervisor; a failure of it is told to the client, never taken for a verdict."""
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _die_with_parent(signal.SIGKILL, keeper)
            around = inside()
            guard_supervisor(subreaper=not around.owns_all)
            serve_requests(channel, around)
        except BaseException as error:
            with contextlib.suppress(OSError):
                channel.sendall(pack({"failed": f"{type(error).__name__}: {error}"}))
        finally:
            os._exit(0)
    return pid


@contextlib.contextmanager
def _ended_at_exit(supervisor: int) -> Iterator[int]:
    try:
        yield supervisor
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with contextlib.suppress(ProcessLookupError):
            os.kill(supervisor, signal.SIGKILL)
        os.waitpid(supervisor, 0)
        end_all(owns_all=False)


STARTS: Final[dict[str, Callable[[socket.socket, Frame], Any]]] = {
    "namespaces": _in_namespaces,
    "bubblewrap": _in_bubblewrap,
    "landlock": functools.partial(_in_folder, landlock=True),
    "limits": functools.partial(_in_folder, landlock=False),
}
"""Back end -> what builds a jail of it and gives the supervisor's process id."""
