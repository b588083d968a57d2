"""What a command in the jail may use, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

Stop = Literal["cpu", "wall", "memory", "output", "file", "processes"]
"""The limit that ended a command."""

_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class Limits:
    """What a command may use.

    CPU time decides, so that a verdict does not depend on what else the machine does; the wall
    clock only ends what sleeps.

    Attributes:
        cpu_seconds: CPU seconds of one process, at least 1.
        wall_seconds: Seconds on the clock; ten times the CPU seconds and ten more when None.
        memory_bytes: Address space of one process.
        file_bytes: Size of one file that it writes.
        folder_bytes: Size of its work folder, where that is a file system of its own.
        open_files: Open files of one process.
        processes: Processes and threads at a time.
        stack_bytes: Stack of a process.
        output_bytes: Bytes of stdout, and of stderr, that are read before it is ended.
    """

    cpu_seconds: int = 10
    wall_seconds: float | None = None
    memory_bytes: int = 2_000 * _MEGABYTE
    file_bytes: int = 64 * _MEGABYTE
    folder_bytes: int = 128 * _MEGABYTE
    open_files: int = 128
    processes: int = 64
    stack_bytes: int = 64 * _MEGABYTE
    output_bytes: int = 65_536

    def __post_init__(self) -> None:
        assert self.cpu_seconds >= 1, "the kernel counts whole seconds of CPU time"

    def as_message(self) -> dict[str, Any]:
        """Give them as the supervisor in the jail reads them.

        Returns:
            Name -> value, the wall clock's limit filled in.
        """
        wall = self.wall_seconds
        return {
            **asdict(self),
            "wall_seconds": 10 * self.cpu_seconds + 10 if wall is None else wall,
        }


@dataclass(frozen=True)
class RunResult:
    """What came of a command in the jail.

    Attributes:
        exit_code: Its exit code; None when a signal ended it.
        signal: The signal that ended it; None when it ended by itself.
        stop: The limit that it reached; None when it reached none.
        stdout: What it wrote to stdout, up to the limit.
        stderr: What it wrote to stderr, up to the limit.
        cpu_seconds: CPU time of the command and of its children that it waited for.
        wall_seconds: Time on the clock.
        left_processes: Whether processes of it were still there when it ended; they were killed.
        files: Content of the files that were asked for and that it left as plain files.
    """

    exit_code: int | None
    signal: int | None
    stop: Stop | None
    stdout: bytes
    stderr: bytes
    cpu_seconds: float
    wall_seconds: float
    left_processes: bool
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with exit code 0 and within its limits."""
        return self.exit_code == 0 and self.stop is None
