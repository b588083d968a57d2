"""The peak of a run's memory: the largest of what the parts of a step hold at once.

A sum of everything would be too much: activations are gone when the optimiser steps, and answers
are generated when neither is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sk2d.models.memory.activations import (
    kept_bytes,
    loss_bytes,
    passing_bytes,
    score_bytes,
    span_bytes,
)
from sk2d.models.memory.allocators import ALLOCATORS
from sk2d.models.memory.job import SINGLE, Job
from sk2d.models.memory.weights import (
    adapter_bytes,
    copy_bytes,
    exchange_bytes,
    file_bytes,
    gradient_bytes,
    optimizer_bytes,
    packing_bytes,
    unpacked_bytes,
    update_bytes,
    weight_bytes,
)

PARTS = (
    "weights",
    "adapters",
    "gradients",
    "optimizer",
    "activations",
    "attention_scores",
    "logits",
    "kv_cache",
    "weight_copies",
    "unpacked_weights",
    "update",
    "freed",
    "files",
    "exchange",
    "margin",
)
Parts = dict[str, int]


@dataclass(frozen=True)
class Estimate:
    """What a run needs of a device's memory.

    Args:
        moments: Bytes by part (all of `PARTS`) for each moment of a step: `forward`, `loss`,
            `backward`, `optimizer` and `sampling`, on a CPU also `loading`. The margin is what the
            allocator and the libraries take besides.
        offloaded: Bytes in the computer's memory by part, for all devices of one computer.
    """

    moments: dict[str, Parts]
    offloaded: Parts = field(default_factory=dict)

    @property
    def totals(self) -> Parts:
        """Bytes of each moment."""
        return {name: sum(parts.values()) for name, parts in self.moments.items()}

    @property
    def moment(self) -> str:
        """The moment in which most is held."""
        totals = self.totals
        return max(totals, key=lambda name: totals[name])

    @property
    def parts(self) -> Parts:
        """Bytes by part in that moment."""
        return self.moments[self.moment]

    @property
    def peak_bytes(self) -> int:
        """The most that a device holds."""
        return max(self.totals.values())


def estimate(job: Job) -> Estimate:
    """Estimate the memory of a run.

    Args:
        job: The run.

    Returns:
        What one device holds, by moment and part.
    """
    always = {
        "weights": weight_bytes(job),
        "adapters": adapter_bytes(job),
        "optimizer": 0 if _offloads(job) else optimizer_bytes(job),
        "exchange": exchange_bytes(job),
    }
    allocator = ALLOCATORS[job.device]
    moments = {}
    found = _moments(job)
    if allocator.keeps(job):
        found["optimizer"]["freed"] = max(_freed(found[name]) for name in ("loss", "backward"))
    for name, passing in found.items():
        moving = sum(size for part, size in passing.items() if part not in ("files", "gradients"))
        margin = allocator.fixed(job) + round(allocator.holes(job) * moving)
        held = always | passing | {"margin": margin}
        moments[name] = {part: held.get(part, 0) for part in PARTS}
    return Estimate(moments, _offloaded(job))


def _freed(parts: Parts) -> int:
    """Give what a moment frees before the optimiser steps."""
    return sum(size for part, size in parts.items() if part not in ("gradients", "files"))


def _moments(job: Job) -> dict[str, Parts]:
    """Give what each moment of a step holds besides what is always there."""
    gradients = gradient_bytes(job)
    logits, left = loss_bytes(job)
    kept = kept_bytes(job)
    forward = {
        "gradients": gradients if job.accumulates else 0,
        "weight_copies": copy_bytes(job),
        "attention_scores": score_bytes(job),
    }
    unpacked = {"unpacked_weights": unpacked_bytes(job)}
    backward = [  # its begin, and its end, where all gradients are there and no activations
        {"activations": kept + passing_bytes(job), "gradients": forward["gradients"]},
        {"activations": passing_bytes(job), "gradients": gradients},
    ]
    larger = max(backward, key=lambda parts: sum(parts.values()))
    loading: dict[str, Parts] = {}
    if job.device == "cpu":
        files = {"files": file_bytes(job), "unpacked_weights": packing_bytes(job), "optimizer": 0}
        loading = {"loading": files}
    return loading | {
        "forward": forward | unpacked | {"activations": kept + span_bytes(job)},
        "loss": forward | {"activations": kept, "logits": logits + left},
        "backward": forward | unpacked | larger | {"logits": left},
        "optimizer": {"gradients": gradients, "update": update_bytes(job)},
        "sampling": {"gradients": gradients, **_sampling(job)},
    }


def _sampling(job: Job) -> Parts:
    """Give what generating answers holds: keys and values of every position, and last logits."""
    if not job.samples:
        return {}
    arch = job.architecture
    prompt = job.length if job.sample_prompt is None else job.sample_prompt
    prompts = job.samples if job.sample_prompts is None else job.sample_prompts
    positions = job.samples * (prompt + job.sample_tokens)
    cache = 2 * arch.layers * arch.kv_heads * arch.head_dim * positions * job.compute_bytes
    return {
        "kv_cache": cache,
        "activations": span_bytes(replace(job, length=prompt), rows=prompts),
        "logits": job.samples * arch.vocab * 2 * SINGLE,  # and their copy
        "weight_copies": copy_bytes(job),
        "unpacked_weights": unpacked_bytes(job),
    }


def _offloads(job: Job) -> bool:
    return bool(job.zero_stage) and job.offload_optimizer


def _offloaded(job: Job) -> Parts:
    if not _offloads(job):
        return {}
    kept = {"optimizer": optimizer_bytes(job) * job.share(1)}
    kept["gradients"] = job.trained * job.trained_bytes
    if job.zero_stage == 3 and job.offload_param:
        kept["weights"] = job.architecture.parameters * job.stored_bytes
    return kept
