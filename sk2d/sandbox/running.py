"""Running commands in a jail, each in its turn and within its limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sk2d.errors import JailError
from sk2d.sandbox.backends import backend_for, job_of, setup_of
from sk2d.sandbox.client import exchange
from sk2d.sandbox.frames import Frame
from sk2d.sandbox.limits import Limits, RunResult
from sk2d.sandbox.toolchain import environment


@dataclass(frozen=True)
class Job:
    """A command to run in a jail.

    Attributes:
        command: Program (looked up in the system's folders) and arguments.
        files: Files that are written into the work folder before it starts: name -> content.
        limits: What it may use.
        stdin: What it reads from stdin.
        word: What it may read from file descriptor 3; None for no such descriptor.
        collect: Files of the work folder that are given back.
        needs_earlier: Whether it is skipped when an earlier job of the same jail failed.
    """

    command: Sequence[str]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    limits: Limits = Limits()
    stdin: bytes = b""
    word: bytes | None = None
    collect: Sequence[str] = ()
    needs_earlier: bool = False


def run(
    command: Sequence[str],
    files: Mapping[str, str | bytes] | None = None,
    limits: Limits | None = None,
    *,
    executes: bool = False,
    stdin: bytes = b"",
    collect: Sequence[str] = (),
    readable: Sequence[str] = (),
) -> RunResult:
    """Run one command in a jail of its own.

    Its working folder holds the files and vanishes afterwards. It sees the system's programs and
    libraries, no network, an almost empty environment, and no other process.

    Args:
        command: Program (looked up in the system's folders) and arguments.
        files: Files of the working folder: name without `/` -> content.
        limits: What it may use.
        executes: Whether it runs a program compiled from untrusted text, rather than a compiler.
        stdin: What it reads from stdin.
        collect: Names of files of the working folder that are given back.
        readable: Folders that it may read besides the system's, such as a tree of sources.

    Returns:
        How it ended.

    Raises:
        JailError: The jail failed, or executing is refused here; nothing is known of the command.
    """  # noqa: DOC502
    job = Job(command, files or {}, limits or Limits(), stdin, None, collect)
    (result,) = run_jobs([job], executes=executes, readable=readable)
    assert result is not None, "a first job is never skipped"
    return result


def run_jobs(
    jobs: Sequence[Job], *, executes: bool = False, readable: Sequence[str] = ()
) -> Iterator[RunResult | None]:
    """Run several commands one after the other in one jail, with one work folder.

    No process of a job lives on when the next one starts; its files do.

    Args:
        jobs: The commands; at least one.
        executes: Whether one of them runs a program compiled from untrusted text.
        readable: Folders that they may read besides the system's.

    Yields:
        How each ended, as soon as it did; None for a job that was skipped.

    Raises:
        JailError: The jail failed, or executing is refused here.
    """
    blobs: list[bytes] = [b""]
    messages = [_as_message(job, blobs) for job in jobs]
    folder_bytes = max(job.limits.folder_bytes for job in jobs)
    setup = setup_of(backend_for(executes=executes), folder_bytes, readable)
    request = {"env": environment(), "jobs": messages}
    count = 0
    for frame in exchange(setup, request, blobs, reuse=not executes):
        count += 1
        yield _as_result(frame)
    if count != len(jobs):
        raise JailError(f"the jail reported {count} of {len(jobs)} jobs")


def _as_message(job: Job, blobs: list[bytes]) -> dict[str, Any]:
    """Write a job as the supervisor reads it; its contents are added to the blobs."""

    def add(content: str | bytes) -> int:
        """Add a byte string and give its number."""
        blobs.append(as_bytes(content))
        return len(blobs) - 1

    return job_of(
        list(job.command),
        job.limits,
        files={name: add(content) for name, content in job.files.items()},
        stdin=add(job.stdin) if job.stdin else 0,
        word=None if job.word is None else add(job.word),
        collect=list(job.collect),
        needs_earlier=job.needs_earlier,
    )


def as_bytes(text: str | bytes) -> bytes:
    """Give the bytes of a text; surrogate escapes become the bytes that they stand for.

    Args:
        text: Text or bytes.

    Returns:
        Bytes. Half of a surrogate pair becomes a question mark, which is no valid C either.
    """
    if isinstance(text, bytes):
        return text
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _as_result(frame: Frame) -> RunResult | None:
    message = frame.message
    if "skipped" in message:
        return None
    stdout, stderr, *contents = frame.blobs
    return RunResult(
        exit_code=message["exit_code"],
        signal=message["signal"],
        stop=message["stop"],
        stdout=stdout,
        stderr=stderr,
        cpu_seconds=message["cpu_seconds"],
        wall_seconds=message["wall_seconds"],
        left_processes=message["left_processes"],
        files=dict(zip(message["files"], contents, strict=True)),
    )
