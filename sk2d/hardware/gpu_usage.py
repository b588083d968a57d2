"""Who uses the GPUs, and how much: read from `nvidia-smi`, never waited for.

The driver's tool is asked because it sees every process and how busy a GPU is, which torch does
not, and because it comes with each driver. It may take a second on a machine with many GPUs, so a
query is started and collected later. Where it is missing, nothing is known and nothing fails.
"""

from __future__ import annotations

import contextlib
import csv
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import psutil

MIB = 2**20
LIMIT_S = 20.0
"""How long a query that is waited for may take: a GPU that hangs lets the tool hang, too."""

USE_QUERY = ("--query-gpu=index,uuid,name,memory.used,memory.total,utilization.gpu",)
HOLDER_QUERY = ("--query-compute-apps=gpu_uuid,pid,process_name,used_memory",)
FORMAT = "--format=csv,noheader,nounits"


@dataclass(frozen=True)
class GpuUse:
    """What is in use of one GPU, by all processes together.

    Args:
        index: Number that the driver gives; torch may count in another order.
        uuid: Its identity, such as `GPU-5f2c...`.
        name: Its name.
        used_bytes: Memory in use, or None where the driver does not tell.
        total_bytes: All memory, or None where the driver does not tell.
        busy: Share of the last second in which a kernel ran, 0 to 1, or None.
    """

    index: int
    uuid: str
    name: str
    used_bytes: int | None
    total_bytes: int | None
    busy: float | None


@dataclass(frozen=True)
class GpuHolder:
    """A process that computes on a GPU.

    Args:
        uuid: Identity of the GPU.
        pid: Number of the process, as the driver sees it.
        program: Name of its program.
        used_bytes: GPU memory that it holds, or None where the driver does not tell.
    """

    uuid: str
    pid: int
    program: str
    used_bytes: int | None


def parse_uses(text: str) -> list[GpuUse]:
    """Read the answer to `USE_QUERY`.

    Args:
        text: What `nvidia-smi` printed: lines with commas, memory in MiB, use in percent.

    Returns:
        One entry per GPU; lines that are no entry (messages of the driver) are left out.
    """
    found = []
    for index, uuid, name, used, total, busy in _records(text, 6):
        percent = _number(busy)
        share = None if percent is None else percent / 100
        if index.isdigit():
            found.append(GpuUse(int(index), uuid, name, _mib(used), _mib(total), share))
    return found


def parse_holders(text: str) -> list[GpuHolder]:
    """Read the answer to `HOLDER_QUERY`.

    Args:
        text: What `nvidia-smi` printed.

    Returns:
        One entry per process and GPU.
    """
    return [
        GpuHolder(uuid, int(pid), program, _mib(used))
        for uuid, pid, program, used in _records(text, 4)
        if pid.isdigit()
    ]


def _records(text: str, columns: int) -> Iterable[list[str]]:
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    return ([cell.strip() for cell in row] for row in rows if len(row) == columns)


def _number(text: str) -> int | None:
    """Read a number; `[N/A]`, `[Not Supported]` and `[Insufficient Permissions]` are none."""
    return int(text) if text.isdigit() else None


def _mib(text: str) -> int | None:
    number = _number(text)
    return None if number is None else number * MIB


class SmiQuery:
    """A question to `nvidia-smi` that does not keep anybody waiting.

    Args:
        question: `USE_QUERY` or `HOLDER_QUERY`.
        program: The program; looked up in PATH when None.
    """

    def __init__(self, question: Sequence[str], program: str | None = None) -> None:
        self.program = program or shutil.which("nvidia-smi")
        self.question = question
        self._running: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Ask, unless the last question is still open or there is nobody to ask."""
        if self.program is None or self._running is not None:
            return
        command = [self.program, *self.question, FORMAT]
        with contextlib.suppress(OSError):  # a tool that cannot be run answers nothing
            self._running = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )

    def answer(self) -> str | None:
        """Give the answer if it is there by now.

        Returns:
            What was printed, or None while it is not there and where the tool failed.
        """
        if self._running is None or self._running.poll() is None:
            return None
        return self._collect()

    def wait(self, seconds: float = LIMIT_S) -> str | None:
        """Wait for the answer.

        Args:
            seconds: How long at most; the tool is ended then.

        Returns:
            What was printed, or None.
        """
        if self._running is None:
            return None
        try:
            self._running.wait(seconds)
        except subprocess.TimeoutExpired:
            self.close()
            return None
        return self._collect()

    def _collect(self) -> str | None:
        assert self._running is not None, "there is an open question"
        text, _ = self._running.communicate()
        code, self._running = self._running.returncode, None
        return text if code == 0 else None

    def close(self) -> None:
        """End an open question."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None


def ask_uses(program: str | None = None) -> list[GpuUse]:
    """Ask once how much of each GPU is in use, and wait for the answer.

    Args:
        program: The program to ask; `nvidia-smi` when None.

    Returns:
        One entry per GPU of the machine; empty where nobody can be asked.
    """
    return parse_uses(_ask(USE_QUERY, program))


def ask_holders(program: str | None = None) -> list[GpuHolder]:
    """Ask once which processes compute on the GPUs, and wait for the answer.

    Args:
        program: The program to ask; `nvidia-smi` when None.

    Returns:
        One entry per process and GPU; in a container only those of the container.
    """
    return parse_holders(_ask(HOLDER_QUERY, program))


def _ask(question: Sequence[str], program: str | None) -> str:
    query = SmiQuery(question, program)
    query.start()
    return query.wait() or ""


def held_by_others(
    use: GpuUse, holders: Iterable[GpuHolder], own_pid: int, own_bytes: int = 0
) -> str | None:
    """Say in one line who else holds memory of a GPU.

    Args:
        use: What is in use of the GPU.
        holders: Processes on all GPUs.
        own_pid: Process that does not count.
        own_bytes: Memory that this process holds there.

    Returns:
        The line, or None when next to nothing (5 %) is held by others.
    """
    others = [h for h in holders if h.uuid == use.uuid and h.pid != own_pid]
    used, total = use.used_bytes, use.total_bytes
    if used is None or not total or used - own_bytes < 0.05 * total:
        return None
    gib = f"{(used - own_bytes) / 2**30:.1f} of {total / 2**30:.1f} GiB"
    who = ", ".join(map(_who, sorted(others, key=lambda h: h.used_bytes or 0, reverse=True)))
    unseen = "processes that cannot be seen from here (another container, or another user's)"
    return f"GPU {use.index} ({use.name}): {gib} are held by {who or unseen}"


def _who(holder: GpuHolder) -> str:
    size = "" if holder.used_bytes is None else f", {holder.used_bytes / 2**30:.1f} GiB"
    return f"process {holder.pid} ({holder.program}{_owner(holder.pid)}{size})"


def _owner(pid: int) -> str:
    """Name the user of a process where the system tells."""
    try:
        return f" of {psutil.Process(pid).username()}"
    except (psutil.Error, KeyError):  # gone, not ours to ask, or a user without a name
        return ""
