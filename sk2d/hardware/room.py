"""How much memory and disk is left, and when that is too little to go on without a word."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import psutil

from sk2d.hardware.memory import usable_memory_bytes

SCARCE = 0.05
"""Share of the memory below which one more allocation may end the process."""

GIB = 2**30
CGROUPS = (
    # folder, file with the use, line of memory.stat with what the system can drop at once
    (Path("/sys/fs/cgroup"), "memory.current", "inactive_file"),
    (Path("/sys/fs/cgroup/memory"), "memory.usage_in_bytes", "total_inactive_file"),
)


@dataclass(frozen=True)
class Room:
    """What a store holds and what is left of it.

    Args:
        free_bytes: What can still be had.
        total_bytes: All of it.
    """

    free_bytes: int
    total_bytes: int

    @property
    def used_bytes(self) -> int:
        """What is in use, by all processes together."""
        return self.total_bytes - self.free_bytes


def memory_room(cgroups: tuple[tuple[Path, str, str], ...] = CGROUPS) -> Room:
    """Look how much memory this process can still have.

    Args:
        cgroups: Where the container's use is read.

    Returns:
        The machine's memory, or the container's where that is less.
    """
    machine = psutil.virtual_memory()
    total = usable_memory_bytes()
    free = int(machine.available)
    if total < machine.total:  # a container has a limit of its own
        free = min([free, *(total - used for used in _container_uses(cgroups))])
    return Room(max(0, free), total)


def _container_uses(cgroups: tuple[tuple[Path, str, str], ...]) -> list[int]:
    uses = []
    for folder, name, droppable in cgroups:
        path, statistics = folder / name, folder / "memory.stat"
        if path.is_file() and statistics.is_file():
            lines = dict(line.split(maxsplit=1) for line in statistics.read_text().splitlines())
            uses.append(int(path.read_text()) - int(lines.get(droppable, 0)))
    return uses


def disk_room(folder: Path) -> Room:
    """Look how much disk is left where a folder is, or is going to be.

    Args:
        folder: A folder that need not be there yet.

    Returns:
        The file system's room for an ordinary user.
    """
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    use = shutil.disk_usage(there)
    return Room(use.free, use.total)


def size_on_disk(path: Path) -> int:
    """Give the size of a file, or of all files in a folder.

    Args:
        path: A file or folder.

    Returns:
        Bytes; 0 when it is not there.
    """
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def memory_shortage(room: Room) -> str | None:
    """Say that memory runs short.

    Args:
        room: The memory.

    Returns:
        One sentence, or None while there is enough.
    """
    if room.free_bytes >= SCARCE * room.total_bytes:
        return None
    return (
        f"memory runs short: {room.free_bytes / GIB:.1f} of {room.total_bytes / GIB:.1f} GiB are "
        "left, and below nothing the system ends a process without a message"
    )


def disk_shortage(room: Room, needed_bytes: int, folder: Path) -> str | None:
    """Say that the disk will not hold what is going to be written.

    Args:
        room: The disk.
        needed_bytes: What is going to be written.
        folder: Where.

    Returns:
        One sentence, or None while there is enough.
    """
    if room.free_bytes >= needed_bytes:
        return None
    return (
        f"the disk runs short: {room.free_bytes / GIB:.2f} GiB are left in {folder}, and the "
        f"checkpoints and the model still to come need about {needed_bytes / GIB:.2f} GiB"
    )
