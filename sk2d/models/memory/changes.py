"""The smallest changes of a run that make it fit, each with what it costs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sk2d.models.memory.estimate import estimate
from sk2d.models.memory.job import Job, Lora

SHORTEST = 256
MOST_ROWS = 4096


@dataclass(frozen=True)
class Change:
    """One change of a config, or several together, that make a run fit.

    Args:
        key: Config key; several are joined by a comma.
        value: Its value; several are joined by a comma.
        peak_bytes: Peak of a device with it.
        cost: What is lost by it.
    """

    key: str
    value: str
    peak_bytes: int
    cost: str

    @property
    def options(self) -> str:
        """The change as options of a command line."""
        pairs = zip(self.key.split(", "), self.value.split(", "), strict=True)
        return " ".join(f"--{key} {value}" for key, value in pairs)


@dataclass(frozen=True)
class Step:
    """A change that could be made.

    Args:
        key: Config key.
        value: Its value.
        cost: What is lost by it.
        job: The run with it.
    """

    key: str
    value: str
    cost: str
    job: Job


def _checkpointing(job: Job) -> Iterator[Step]:
    if not job.gradient_checkpointing:
        changed = dataclasses.replace(job, gradient_checkpointing=True)
        cost = "each forward pass is computed twice, about a third more time"
        yield Step("model.gradient_checkpointing", "true", cost, changed)


def _one_row(job: Job) -> Iterator[Step]:
    if job.batch_size > 1:
        changed = dataclasses.replace(job, batch_size=1)
        yield Step("data.batch_size", "1", "the same training, slower", changed)


def _adapters(job: Job) -> Iterator[Step]:
    if job.lora is None and not job.quantization:
        changed = dataclasses.replace(job, lora=Lora())
        cost = "adapters are trained instead of every weight"
        yield Step("model.lora.rank", str(Lora().rank), cost, changed)


def _packed_weights(job: Job) -> Iterator[Step]:
    if job.lora is not None and not job.quantization and job.zero_stage < 3:
        changed = dataclasses.replace(job, quantization="nf4")
        cost = "frozen weights are rounded to 4 bits; slower, for each use unpacks them"
        yield Step("model.quantization", "nf4", cost, changed)


def _small_states(job: Job) -> Iterator[Step]:
    if job.optimizer == "adamw" and not job.zero_stage:
        changed = dataclasses.replace(job, optimizer="adamw8bit")
        yield Step("model.optimizer", "adamw8bit", "the optimiser's states are rounded", changed)


def _half(job: Job) -> Iterator[Step]:
    if not job.half and job.device == "cuda":
        changed = dataclasses.replace(job, precision="16-mixed")
        cost = "products in 16 bits, which the GPU is made for; auto says which kind"
        yield Step("trainer.precision", "auto", cost, changed)


def _offload(job: Job) -> Iterator[Step]:
    if job.device == "cuda" and not job.quantization and not job.offload_optimizer:
        changed = dataclasses.replace(job, zero_stage=2, offload_optimizer=True, optimizer="adamw")
        cost = "every step updates on the CPU, whose memory holds the optimiser's states"
        yield Step("trainer.strategy", "deepspeed_stage_2_offload", cost, changed)


def _offload_weights(job: Job) -> Iterator[Step]:
    if job.device == "cuda" and not job.quantization and not job.offload_param:
        changed = dataclasses.replace(
            job, zero_stage=3, offload_optimizer=True, offload_param=True, optimizer="adamw"
        )
        cost = "the weights pass from the CPU's memory in every pass: several times slower"
        yield Step("trainer.strategy", "deepspeed_stage_3_offload", cost, changed)


def _shorter(job: Job) -> Iterator[Step]:
    length = job.length // 2
    while length >= SHORTEST:
        changed = dataclasses.replace(job, length=length)
        yield Step("data.cutoff", str(length), "longer rows are left out", changed)
        length //= 2


# From the change that costs least to the one that costs most.
STEPS: tuple[Callable[[Job], Iterator[Step]], ...] = (
    _half,
    _one_row,
    _checkpointing,
    _small_states,
    _packed_weights,
    _adapters,
    _offload,
    _shorter,
    _offload_weights,
)


def smallest_changes(job: Job, limit_bytes: int) -> list[Change]:
    """Find what makes a run fit.

    Args:
        job: A run that does not fit.
        limit_bytes: Memory of a device.

    Returns:
        Every single change that is enough, the one that costs least first; where none is, the
        fewest changes in that order that are enough together; empty where even all are not.
    """
    alone = [_change([step]) for step in _enough(job, limit_bytes)]
    return alone or _together(job, limit_bytes)


def _enough(job: Job, limit_bytes: int) -> Iterator[Step]:
    for steps in STEPS:
        for step in steps(job):
            if estimate(step.job).peak_bytes <= limit_bytes:
                yield step
                break  # a weaker form of the same change is enough


def _together(job: Job, limit_bytes: int) -> list[Change]:
    taken = _greedy(job, limit_bytes)
    for step in taken:
        fewer = _walk(job, [(each.key, each.value) for each in taken if each.key != step.key])
        if fewer and estimate(fewer[-1].job).peak_bytes <= limit_bytes:
            taken = fewer
    return [_change(taken)] if taken else []


def _greedy(job: Job, limit_bytes: int) -> list[Step]:
    """Make every change that saves something until the run fits; nothing if it never does."""
    taken: list[Step] = []
    for steps in STEPS:
        before = taken[-1].job if taken else job
        for step in steps(before):
            if estimate(step.job).peak_bytes < 0.98 * estimate(before).peak_bytes:
                taken = [*(each for each in taken if each.key != step.key), step]
            if taken and estimate(taken[-1].job).peak_bytes <= limit_bytes:
                return taken
    return []


def _walk(job: Job, wanted: list[tuple[str, str]]) -> list[Step]:
    """Make some changes one after the other; those that no longer apply are left out."""
    made: list[Step] = []
    for steps in STEPS:
        for step in steps(made[-1].job if made else job):
            if (step.key, step.value) in wanted:
                made.append(step)
    return made


def _change(steps: list[Step]) -> Change:
    return Change(
        ", ".join(step.key for step in steps),
        ", ".join(step.value for step in steps),
        estimate(steps[-1].job).peak_bytes,
        "; ".join(step.cost for step in steps),
    )


def largest_batch(job: Job, limit_bytes: int) -> int:
    """Find how many rows of a micro-batch fit.

    Args:
        job: The run.
        limit_bytes: Memory of a device.

    Returns:
        Rows; 0 where not even one fits.
    """

    def fits(rows: int) -> bool:
        peak = estimate(dataclasses.replace(job, batch_size=rows)).peak_bytes
        return peak <= limit_bytes

    low, high = 0, 1
    while high <= MOST_ROWS and fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
