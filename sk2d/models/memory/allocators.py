"""What allocators and libraries take besides the tensors: measured, and named here alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sk2d.models.memory.job import Job


@dataclass(frozen=True)
class Allocator:
    """The memory of a device.

    Args:
        fixed_bytes: What is there before a tensor is: libraries, a GPU's context.
        waste: Gives the share that is lost between tensors that come and go.
    """

    fixed_bytes: int
    waste: Callable[[Job], float]


def _of_glibc(job: Job) -> float:
    """The C library cannot put an aligned block into a hole of its own size that others surround.

    With adapters tensors that stay alternate with tensors that go, which leaves most such holes.
    """
    if job.lora is None:
        return 0.2
    return 0.9


def _of_cuda(job: Job) -> float:
    """The caching allocator splits and rounds blocks."""
    return 0.08


ALLOCATORS = {
    "cpu": Allocator(fixed_bytes=200_000_000, waste=_of_glibc),
    "cuda": Allocator(fixed_bytes=500_000_000, waste=_of_cuda),
}
