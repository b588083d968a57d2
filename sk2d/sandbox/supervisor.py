"""The supervisor inside a jail: runs one command after the other and reports each.

It is process 1 of the jail where there are namespaces, else the parent that all orphans come back
to. Commands run as the same user; what keeps it from them is said at `guard_supervisor`.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import socket
import stat
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from sk2d.sandbox import system
from sk2d.sandbox.endings import ending
from sk2d.sandbox.folder import empty_folder
from sk2d.sandbox.frames import Frame, pack, receive
from sk2d.sandbox.processes import end_all, has_children

WORD_FD: Final = 3
"""Where a command reads the secret word that its job gives it."""

_TICK_SECONDS: Final = 0.05
_COUNTING_TICK_SECONDS: Final = 0.005
_NICE_WHEN_COUNTED: Final = 15
_READ_BYTES: Final = 65_536
_XCPU_GRACE_SECONDS: Final = 1


class Surroundings(NamedTuple):
    """What the back end gives a supervisor.

    Attributes:
        work: The work folder, which is the working folder too.
        owns_all: Whether this process is process 1, so that all others belong to the jail.
        confine: What each command's process does to itself before it starts the command.
        count_processes: Whether the kernel's limit on processes does not bind in this jail.
        others: Threads outside that count against that limit (see `others_that_count`).
    """

    work: str
    owns_all: bool
    confine: Callable[[], None] | None = None
    count_processes: bool = False
    others: int = 0


class _Watched:
    """A running command: its process, what it wrote, and the limit that it reached."""

    def __init__(self, pid: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.streams = {stdout: bytearray(), stderr: bytearray()}
        self.open = {stdout, stderr}
        self.stop: str | None = None


def guard_supervisor(*, subreaper: bool) -> None:
    """Keep the commands from reaching their supervisor, and its orphans with it.

    A command runs as the same user, yet can neither trace it nor read its memory or files: it is
    not dumpable. Process 1 gets no signal from inside for which it has no handler, hence none has
    one here; under Landlock signals do not leave the command's own domain.

    Args:
        subreaper: Whether orphans shall become children of this process.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if subreaper:
        system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    system.prctl(system.PR_SET_DUMPABLE, 0)
    # No pipe may get a number that a command's own files are put on.
    while os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC) <= WORD_FD + 1:
        pass


def serve_requests(channel: socket.socket, around: Surroundings) -> None:
    """Serve one request after the other until the client closes the channel.

    Between two requests nothing is kept: all processes have been ended, the work folder is emptied.

    Args:
        channel: Brings the requests and takes the reports.
        around: What the back end gives.
    """
    while (request := receive(channel.recv)) is not None:
        _run_jobs(channel, request, around)
        empty_folder(".")
        channel.sendall(pack({"done": True}))


def _run_jobs(channel: socket.socket, request: Frame, around: Surroundings) -> None:
    """Run the jobs of a request in order and report each as soon as it is done."""
    failed = False
    for job in request.message["jobs"]:
        if failed and job["needs_earlier"]:
            channel.sendall(pack({"skipped": True}))
            continue
        report, blobs = _run_job(job, request, around)
        channel.sendall(pack(report, blobs))
        failed = failed or bool(report["exit_code"] or report["signal"] or report["stop"])


def _run_job(
    job: Mapping[str, Any], request: Frame, around: Surroundings
) -> tuple[dict[str, Any], list[bytes]]:
    for name, blob in job["files"].items():
        _write_file(name, request.blobs[blob])
    before = time.monotonic()
    watched = _start(job, request, around)
    status, usage, left = _watch(watched, job["limits"], around)
    stdout, stderr = watched.streams.values()
    cpu_seconds = usage.ru_utime + usage.ru_stime
    found = {name: content for name in job["collect"] if (content := _read_file(name)) is not None}
    report = {
        **ending(status, cpu_seconds, usage.ru_maxrss * 1024, watched.stop, job["limits"]),
        "cpu_seconds": cpu_seconds,
        "wall_seconds": time.monotonic() - before,
        "left_processes": left,
        "files": list(found),
    }
    return report, [bytes(stdout), bytes(stderr), *found.values()]


def _write_file(name: str, content: bytes) -> None:
    """Write a file of the work folder anew, never through something that a command put there."""
    assert "/" not in name, "files lie in the work folder itself"
    if os.path.lexists(name):
        os.unlink(name)
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    with open(file, "wb") as out:
        out.write(content)


def _read_file(name: str) -> bytes | None:
    """Read a plain file that a command left; anything else under that name is nothing."""
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return None
    with open(file, "rb") as source:
        return source.read()


def _start(job: Mapping[str, Any], request: Frame, around: Surroundings) -> _Watched:
    """Start a command; raises OSError when that fails, since then the jail is at fault."""
    word = None if job["word"] is None else _memory_file(request.blobs[job["word"]])
    stdin = _memory_file(request.blobs[job["stdin"]])
    stdout, stderr, failure = os.pipe(), os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(job, request.message["env"], around, (stdin, stdout[1], stderr[1], word), failure)
    for mine in (stdin, stdout[1], stderr[1], failure[1], *([] if word is None else [word])):
        os.close(mine)
    with open(failure[0], "rb") as told:
        said = told.read()
    if said:
        os.waitpid(pid, 0)
        raise OSError(f"cannot start {job['command'][0]}: {said.decode(errors='replace')}")
    return _Watched(pid, stdout[0], stderr[0])


def _memory_file(content: bytes) -> int:
    file = os.memfd_create("input", os.MFD_CLOEXEC)
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _become(
    job: Mapping[str, Any],
    env: Mapping[str, str],
    around: Surroundings,
    files: tuple[int, int, int, int | None],
    failure: tuple[int, int],
) -> NoReturn:
    """Turn this child into the command; says through the pipe `failure` why it could not."""
    told = failure[1]
    try:
        if os.getpriority(os.PRIO_PROCESS, 0) < 0:
            os.setpriority(os.PRIO_PROCESS, 0, 0)  # coming first is for the supervisor alone
        os.setsid()
        for number, file in enumerate(files):
            if file is not None:
                os.dup2(file, number)
        told = os.dup2(told, WORD_FD + 1, inheritable=False)
        os.closerange(told + 1, os.sysconf("SC_OPEN_MAX"))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        if around.count_processes:
            os.nice(_NICE_WHEN_COUNTED)  # else a fork bomb leaves no time to the one who counts
        if around.confine is not None:
            around.confine()
        system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
        with contextlib.suppress(OSError):  # a container may refuse it: no one is less safe then
            system.fix_addresses()
        _apply_limits(job["limits"], around.others)
        os.execvpe(job["command"][0], job["command"], env)
    except BaseException as error:  # whatever it is, it must be told and not run on as a copy
        os.write(told, f"{type(error).__name__}: {error}".encode())
    finally:
        os._exit(127)


def _apply_limits(limits: Mapping[str, Any], others: int) -> None:
    """Set the limits of this process; the hard ones are the same, but for SIGXCPU's grace."""
    cpu, processes = limits["cpu_seconds"], limits["processes"] + others
    rows = (
        (resource.RLIMIT_CPU, cpu, cpu + _XCPU_GRACE_SECONDS),
        (resource.RLIMIT_AS, limits["memory_bytes"], limits["memory_bytes"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"], limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"], limits["open_files"]),
        (resource.RLIMIT_NPROC, processes, processes),
        (resource.RLIMIT_STACK, limits["stack_bytes"], limits["stack_bytes"]),
        (resource.RLIMIT_CORE, 0, 0),
    )
    for kind, soft, hard in rows:
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def _watch(
    watched: _Watched, limits: Mapping[str, Any], around: Surroundings
) -> tuple[int, resource.struct_rusage, bool]:
    """Read what a command writes until it ends or reaches a limit; then end all that is left."""
    ended = os.pidfd_open(watched.pid)
    poller = select.poll()
    for file in (ended, *watched.open):
        poller.register(file, select.POLLIN)
    deadline = time.monotonic() + limits["wall_seconds"]
    tick = _COUNTING_TICK_SECONDS if around.count_processes else _TICK_SECONDS
    alive = True
    while alive and watched.stop is None:
        for file, _ in poller.poll(tick * 1000):
            if file == ended:
                alive = False
            else:
                _read(watched, file, poller, limits["output_bytes"])
        if alive:
            _check(watched, limits, around, deadline)
    os.close(ended)
    if watched.stop is not None:
        # A fork bomb would outrun one kill after another; counted is in pid namespaces only.
        os.kill(-1 if watched.stop == "processes" else watched.pid, signal.SIGKILL)
    _, status, usage = os.wait4(watched.pid, 0)
    left = has_children() or watched.stop == "processes"
    end_all(owns_all=around.owns_all)
    while watched.open:  # all writers are gone: what is in the pipes is the rest
        _read(watched, next(iter(watched.open)), poller, limits["output_bytes"])
    return status, usage, left


def _read(watched: _Watched, file: int, poller: select.poll, most: int) -> None:
    """Take what a stream holds; past its limit the rest is read and dropped."""
    piece = os.read(file, _READ_BYTES)
    if not piece:
        poller.unregister(file)
        watched.open.discard(file)
        os.close(file)
        return
    kept = watched.streams[file]
    if len(kept) + len(piece) > most:
        watched.stop = watched.stop or "output"
    kept.extend(piece[: most - len(kept)])


def _check(
    watched: _Watched, limits: Mapping[str, Any], around: Surroundings, deadline: float
) -> None:
    if time.monotonic() > deadline:
        watched.stop = "wall"
    elif around.count_processes and _processes_here() > limits["processes"]:
        watched.stop = "processes"


def _processes_here() -> int:
    return sum(name.isdigit() for name in os.listdir("/proc")) - 1
