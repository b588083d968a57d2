"""Memory of this process: how much it holds, and how glibc's allocator gives it back."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import psutil

M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
M_MMAP_MAX = -4
NEVER = -1
LARGE = 256 * 1024  # bytes; a tensor of this size may have pages of its own

CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def usable_memory_bytes() -> int:
    """Give the memory that this machine, or the container around this process, has.

    Returns:
        Bytes; what other processes hold is not subtracted.
    """
    total = int(psutil.virtual_memory().total)
    for path in CGROUP_LIMITS:
        text = path.read_text().strip() if path.is_file() else ""
        if text.isdigit():  # "max" means no limit
            total = min(total, int(text))
    return total


def process_memory_bytes() -> int:
    """Give the resident memory of this process.

    Returns:
        Bytes.
    """
    return int(psutil.Process().memory_info().rss)


def set_allocator(*, sparing: bool) -> bool:
    """Set glibc's allocator for training on the CPU.

    Args:
        sparing: Take least memory (`return_freed_memory`), else least time (`keep_freed_memory`).

    Returns:
        Whether the allocator took it; False where the C library is not glibc.
    """
    return return_freed_memory() if sparing else keep_freed_memory()


def keep_freed_memory() -> bool:
    """Tell glibc to keep freed memory for the next allocation instead of returning it.

    Training on a CPU allocates and frees the same large tensors in every step; each return to the
    system costs page faults at the next use. The same as `MALLOC_MMAP_MAX_=0` and a large
    `MALLOC_TRIM_THRESHOLD_` in the environment.

    Returns:
        Whether the allocator took it; False where the C library is not glibc.
    """
    library = _glibc()
    if library is None:
        return False
    return bool(library.mallopt(M_MMAP_MAX, 0) and library.mallopt(M_TRIM_THRESHOLD, NEVER))


def return_freed_memory() -> bool:
    """Tell glibc to give every large tensor pages of its own, and to return them when it is freed.

    Kept memory is fastest, and up to half of it is holes: an aligned block does not fit into the
    hole that a block of its own size has left. This is the way that takes least memory.

    Returns:
        Whether the allocator took it; False where the C library is not glibc.
    """
    library = _glibc()
    return library is not None and bool(library.mallopt(M_MMAP_THRESHOLD, LARGE))


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    known = hasattr(library, "mallopt") and hasattr(library, "gnu_get_libc_version")
    return library if known else None
