"""What allocators and libraries take besides the tensors: measured, and named here alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sk2d.models.memory.job import Job

MB: Final = 10**6
CPU_KEPT: Final = 240 * MB
"""Libraries, tokenizer and first uses, where freed memory stays with the process."""

CPU_RETURNED: Final = 85 * MB
"""The same where it is given back, and `PER_WORD` bytes for each entry of the vocabulary."""

PER_WORD: Final = 2600
BITSANDBYTES: Final = 90 * MB
HOLES: Final = 0.1
"""Lost between tensors that come and go, as a share of them, where glibc keeps what is freed."""

HOLES_UNPACKED: Final = 0.35
"""The same where weights are unpacked from 4 bits for every product in 32 bits."""

GPU_CONTEXT: Final = 500 * MB
"""A GPU's context and libraries: an allowance, not measured here."""

GPU_HOLES: Final = 0.08
"""What torch's caching allocator loses by splitting and rounding: an allowance, too."""


@dataclass(frozen=True)
class Allocator:
    """The memory of a device.

    Args:
        fixed: Gives the bytes that are there before a tensor is.
        holes: Gives the share that is lost between tensors that come and go.
        keeps: Tells whether freed activations are no room for the optimiser's larger states.
    """

    fixed: Callable[[Job], int]
    holes: Callable[[Job], float]
    keeps: Callable[[Job], bool]


def _returns(job: Job) -> bool:
    """Tell whether large tensors have pages of their own (`sk2d.hardware.set_allocator`)."""
    return job.gradient_checkpointing


def _cpu_fixed(job: Job) -> int:
    kept = CPU_RETURNED + PER_WORD * job.architecture.vocab if _returns(job) else CPU_KEPT
    return kept + (BITSANDBYTES if job.quantization or job.optimizer != "adamw" else 0)


def _cpu_holes(job: Job) -> float:
    if _returns(job):
        return 0.0
    return HOLES_UNPACKED if job.quantization and not job.half else HOLES


ALLOCATORS: Final = {
    "cpu": Allocator(_cpu_fixed, _cpu_holes, lambda job: not _returns(job)),
    "cuda": Allocator(lambda job: GPU_CONTEXT, lambda job: GPU_HOLES, lambda job: False),
}
