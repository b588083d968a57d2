"""The peak of a run's memory: the largest of what the parts of a step hold at once.

A sum of everything would be too much: activations are gone when the optimiser steps, and answers
are generated when neither is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sk2d.models.memory.activations import (
    kept_bytes,
    loss_bytes,
    passing_bytes,
    score_bytes,
    span_bytes,
)
from sk2d.models.memory.allocators import ALLOCATORS
from sk2d.models.memory.job import Job
from sk2d.models.memory.weights import (
    adapter_bytes,
    copy_bytes,
    exchange_bytes,
    gradient_bytes,
    optimizer_bytes,
    unpacked_bytes,
    update_bytes,
    weight_bytes,
)


@dataclass(frozen=True)
class Estimate:
    """What a run needs of a device's memory.

    Args:
        parts: Bytes by part, those of the moment in which most is held; the margin is what the
            allocator and the libraries take besides.
        moment: That moment: `forward`, `loss`, `backward`, `optimizer` or `sampling`.
        moments: Bytes of every moment, without the margin.
        offloaded: Bytes in the computer's memory by part, for all devices of one computer.
    """

    parts: dict[str, int]
    moment: str
    moments: dict[str, int]
    offloaded: dict[str, int] = field(default_factory=dict)

    @property
    def peak_bytes(self) -> int:
        """The most that a device holds."""
        return sum(self.parts.values())


def estimate(job: Job) -> Estimate:
    """Estimate the memory of a run.

    Args:
        job: The run.

    Returns:
        The peak of one device by part.
    """
    always = {
        "weights": weight_bytes(job),
        "adapters": adapter_bytes(job),
        "optimizer": 0 if _offloads(job) else optimizer_bytes(job),
        "exchange": exchange_bytes(job),
    }
    found = {name: always | parts for name, parts in _moments(job).items()}
    totals = {name: sum(parts.values()) for name, parts in found.items()}
    moment = max(totals, key=lambda name: totals[name])
    passing = totals[moment] - sum(always.values())
    allocator = ALLOCATORS[job.device]
    margin = allocator.fixed_bytes + round(allocator.waste(job) * passing)
    return Estimate(found[moment] | {"margin": margin}, moment, totals, _offloaded(job))


def _moments(job: Job) -> dict[str, dict[str, int]]:
    """Give what each part of a step holds besides what is always there."""
    gradients = gradient_bytes(job)
    before = gradients if job.accumulates else 0
    forward = {
        "gradients": before,
        "weight_copies": copy_bytes(job),
        "activations": kept_bytes(job),
        "attention_scores": score_bytes(job),
        "unpacked_weights": unpacked_bytes(job),
    }
    logits, left = loss_bytes(job)
    return {
        "forward": forward | {"passing": span_bytes(job)},
        "loss": forward | {"logits": logits + left, "unpacked_weights": 0},
        "backward": forward | {"logits": left, "passing": passing_bytes(job)},
        "backward_end": forward
        | {"gradients": gradients, "activations": 0, "passing": passing_bytes(job)},
        "optimizer": {"gradients": gradients, "update": update_bytes(job)},
        "sampling": {"gradients": gradients, **_sampling(job)},
    }


def _sampling(job: Job) -> dict[str, int]:
    """Give what generating answers holds: keys and values of every position, and last logits."""
    if not job.samples:
        return {}
    arch = job.architecture
    positions = job.samples * (job.length + job.sample_tokens)
    cache = 2 * arch.layers * arch.kv_heads * arch.head_dim * positions * job.compute_bytes
    return {
        "kv_cache": cache,
        "passing": span_bytes(job, rows=job.samples),
        "logits": job.samples * arch.vocab * 8,  # and their copy in 32 bits
        "weight_copies": copy_bytes(job),
        "unpacked_weights": unpacked_bytes(job),
    }


def _offloads(job: Job) -> bool:
    return bool(job.zero_stage) and job.offload_optimizer


def _offloaded(job: Job) -> dict[str, int]:
    if not _offloads(job):
        return {}
    kept = {"optimizer": optimizer_bytes(job) * job.share(1)}
    kept["gradients"] = job.trained * job.trained_bytes
    if job.zero_stage == 3 and job.offload_param:
        kept["weights"] = job.architecture.parameters * job.stored_bytes
    return kept
