"""A plan: everything that a config would do, judged for a machine, without loading a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.classes import class_name
from sk2d.commands.config.devices import Site, device_count, on_gpu
from sk2d.commands.config.footprint import job_of, memory_limit
from sk2d.commands.config.prepare import Judged, judge
from sk2d.commands.plan.rows import RowFigures, count
from sk2d.commands.plan.timeline import Rate, Timeline, known_rate, timeline
from sk2d.errors import UserError
from sk2d.hardware import gibibytes
from sk2d.hardware.choices import FP16, Choice, choose_attention, choose_precision, weakest
from sk2d.models.memory import Estimate, Job, estimate, smallest_changes


@dataclass(frozen=True)
class Memory:
    """The memory of a planned run.

    Args:
        job: What was estimated.
        need: The estimate, per device.
        limit_bytes: Memory of a device; None where there is no such device.
    """

    job: Job
    need: Estimate
    limit_bytes: int | None

    @property
    def fits(self) -> bool:
        """Whether the estimated peak is within the device's memory."""
        return self.limit_bytes is not None and self.need.peak_bytes <= self.limit_bytes


@dataclass(frozen=True)
class Plan:
    """What a config would do.

    Args:
        errors: What keeps it from running.
        notes: What is worth knowing.
        choices: Precision, attention, strategy and more, each with its reason.
        memory: None where the config is broken or the model's figures are not known.
        rows: None where the config is broken or the rows are elsewhere.
        time: None without rows.
        rate: The speed behind the time.
        advice: The smallest changes that make it fit.
    """

    errors: list[str]
    notes: list[str]
    choices: list[Choice]
    memory: Memory | None = None
    rows: RowFigures | None = None
    time: Timeline | None = None
    rate: Rate | None = None
    advice: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether nothing keeps it from running, as far as can be told."""
        return not self.errors and (self.memory is None or self.memory.fits)


def make_plan(arguments: Sequence[str], site: Site, tokens_per_s: float | None = None) -> Plan:
    """Judge a config.

    Args:
        arguments: Options of `fit`.
        site: The machine.
        tokens_per_s: Speed per device, where the user knows it.

    Returns:
        The plan; mistakes of the user are in its errors.
    """
    judged = judge("fit", arguments, site)
    errors = judged.mistakes(judged.lacking)
    told = [str(error) for error in errors]
    if judged.mistakes():  # the rest would be guesses about a config that means something else
        return Plan(told, judged.notes() if judged.reading.complete else [], [])
    values = judged.values
    try:
        rows = None if _without_rows(errors) else count(values)
    except UserError as error:
        told, rows = [*told, str(error)], None
    memory = _memory(values, rows)
    rate = known_rate(values, tokens_per_s)
    return Plan(
        errors=told,
        notes=[*judged.notes(), *_warnings(values, memory, rows)],
        choices=_choices(judged),
        memory=memory,
        rows=rows,
        time=timeline(values, rows, rate) if rows and rows.rows else None,
        rate=rate,
        advice=_advice(memory),
    )


def _without_rows(errors: Sequence[UserError]) -> bool:
    """Tell whether something is wrong with the rows or with the base that counts them."""
    wheres = [(error.where or "").rpartition(" ")[2] for error in errors]
    texts = [error.where or "" for error in errors]
    return any("data." in text or "model.base" in text for text in (*wheres, *texts))


def _memory(values: Values, rows: RowFigures | None) -> Memory | None:
    longest = rows.longest if rows and rows.exact else None
    job = job_of(values, longest)
    if job is None:
        return None
    return Memory(job, estimate(job), memory_limit(values))


def _advice(memory: Memory | None) -> tuple[str, ...]:
    if memory is None or memory.fits or memory.limit_bytes is None:
        return ()
    changes = smallest_changes(memory.job, memory.limit_bytes)
    return tuple(
        f"--{change.key} {change.value}: {gibibytes(change.peak_bytes)}; {change.cost}"
        for change in changes
    )


def _choices(judged: Judged) -> list[Choice]:
    values, automatic = judged.values, {choice.key: choice for choice in judged.choices}
    uses_gpu = on_gpu(values.get("trainer.accelerator"), values.site)
    gpu = weakest(values.site.gpus()) if uses_gpu else None
    precision = str(values.get("trainer.precision") or "32-true")
    attention = str(values.get("model.attention"))
    best = choose_precision(gpu)
    reason = best.reason if best.value == precision else f"as configured; auto is {best.value}"
    kernel = choose_attention(gpu, precision)
    if attention == "flash2":
        kernel = Choice("model.attention", "flash2", "as configured")
    count = device_count(values.get, values.site)
    return [
        automatic.get("trainer.precision", Choice("trainer.precision", precision, reason)),
        kernel,
        _strategy(values, count),
        automatic.get("data.batch_size", _as_set(values, "data.batch_size")),
        _as_set(values, "model.quantization"),
        _as_set(values, "model.optimizer"),
        _as_set(values, "model.gradient_checkpointing"),
    ]


def _as_set(values: Values, key: str) -> Choice:
    value: Any = values.get(key)
    shown = "none" if value is None else str(value).lower() if isinstance(value, bool) else value
    return Choice(key, str(shown), "as configured" if key in values.given else "the default")


def _strategy(values: Values, count: int) -> Choice:
    given, key = class_name(values.get("trainer.strategy")) or "auto", "trainer.strategy"
    if count == 1 and given in ("auto", "ddp"):
        return Choice(key, "one device", "nothing has to be shared out")
    if given == "auto":
        return Choice(key, "ddp", f"{count} devices, each with the whole model")
    return Choice(key, str(given), f"as configured, on {count} device(s)")


def _warnings(values: Values, memory: Memory | None, rows: RowFigures | None) -> Iterator[str]:
    if values.get("model.lora") is None:
        yield (
            "full fine-tuning changes every weight: the model forgets what it is not trained on. "
            "Keep model.lr low, mix other data in, or use LoRA"
        )
    if memory is None:
        yield (
            f"the figures of {values.get('model.base')} are not known here, so its memory cannot "
            "be planned: fetch the model, or add a file to configs/models/"
        )
    elif memory.job.architecture.trained_in == "bfloat16" and memory.job.precision in FP16:
        yield (
            f"{memory.job.architecture.name} was trained in bf16, whose range fp16 does not have: "
            "the first batch is checked for layers that overflow"
        )
    if rows is None:
        yield "the rows are not on this machine: steps and time are not known"
    elif not rows.exact:
        yield (
            "the model's tokenizer is not on this machine: tokens are estimated from characters, "
            "and memory is that of rows as long as data.cutoff"
        )
    if rows is not None and rows.dropped:
        yield f"{rows.dropped} rows are longer than data.cutoff"
