"""Memory of this process: how much it holds, and how glibc's allocator gives it back."""

from __future__ import annotations

import ctypes
import sys

import psutil

M_TRIM_THRESHOLD = -1
M_MMAP_MAX = -4
NEVER = -1


def process_memory_bytes() -> int:
    """Give the resident memory of this process.

    Returns:
        Bytes.
    """
    return int(psutil.Process().memory_info().rss)


def keep_freed_memory() -> bool:
    """Tell glibc to keep freed memory for the next allocation instead of returning it.

    Training on a CPU allocates and frees the same large tensors in every step; each return to the
    system costs page faults at the next use. The same as `MALLOC_MMAP_MAX_=0` and a large
    `MALLOC_TRIM_THRESHOLD_` in the environment.

    Returns:
        Whether the allocator took it; False where the C library is not glibc.
    """
    if not sys.platform.startswith("linux"):
        return False
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt") or not hasattr(library, "gnu_get_libc_version"):
        return False
    taken = library.mallopt(M_MMAP_MAX, 0) and library.mallopt(M_TRIM_THRESHOLD, NEVER)
    return bool(taken)
