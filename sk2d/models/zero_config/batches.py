"""Batch sizes and clipping: DeepSpeed's arithmetic, and what the trainer says."""

from __future__ import annotations

from typing import Any

from sk2d.models.zero_config.conditions import Settings
from sk2d.models.zero_config.verdict import Context, Verdict

TRAIN = "train_batch_size"
MICRO = "train_micro_batch_size_per_gpu"
STEPS = "gradient_accumulation_steps"
CLIP = "gradient_clipping"


def train_batch(value: int, settings: Settings, context: Context) -> Verdict:
    """Judge `train_batch_size`, which must be rows × micro-batches × devices.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict.
    """
    micro, steps, value = _rows(settings, context), _steps(settings, context), int(value)
    devices = context.devices
    if devices is None:
        parts = (_count(micro, "rows"), _count(steps, "micro-batches"), "devices")
        says = f"must be {' × '.join(parts)}, or DeepSpeed raises"
        return _owned(TRAIN, value, says, "data.effective_batch")
    micro, steps = _completed(value, micro, steps, devices)
    total = micro * steps * devices
    counts = (_count(micro, "rows"), _count(steps, "micro-batches"), _count(devices, "devices"))
    product = f"{' × '.join(counts)} = {total}"
    if total != value:
        says = f"DeepSpeed raises: {product}, not {value}"
        return Verdict(
            TRAIN, value, "contradiction", says, _leave_out("data.effective_batch"), "error"
        )
    return _owned(TRAIN, value, product, "data.effective_batch")


def _completed(train: int, micro: int | None, steps: int | None, devices: int) -> tuple[int, int]:
    """Fill in what is not given, as DeepSpeed does (`_set_batch_related_parameters`)."""
    if micro is None:
        return train // devices // (steps or 1), steps or 1
    return micro, train // micro // devices if steps is None else steps


def _rows(settings: Settings, context: Context) -> int | None:
    given = _whole(settings.get(MICRO))
    return given or (context.trainer.batch_size if context.trainer else None)


def _steps(settings: Settings, context: Context) -> int | None:
    """Give the micro-batches of a step: the trainer's, which Lightning puts over the file's."""
    trainers = context.trainer.accumulation if context.trainer else None
    return trainers or _whole(settings.get(STEPS))


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and value > 0 else None


def _count(number: int | None, what: str) -> str:
    what = what.removesuffix("s") if number == 1 else what
    return f"{number} {what}" if number else what


def micro_batch(value: int, settings: Settings, context: Context) -> Verdict:
    """Judge `train_micro_batch_size_per_gpu`.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict.
    """
    wanted = context.trainer.batch_size if context.trainer else None
    if wanted and wanted != value:
        return _contradiction(MICRO, value, f"data.batch_size is {wanted}", "data.batch_size")
    says = "rows that a device takes at once; only figures of throughput and the sum in "
    return _owned(MICRO, value, f"{says}train_batch_size use it", "data.batch_size")


def accumulation(value: int, settings: Settings, context: Context) -> Verdict:
    """Judge `gradient_accumulation_steps`, which Lightning's own strategy refuses in any file.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict.
    """
    wanted, owner = (
        context.trainer.accumulation if context.trainer else None,
        "data.effective_batch",
    )
    if wanted and wanted != value:
        return _contradiction(STEPS, value, f"{owner} makes it {wanted}", owner)
    says = (
        "micro-batches of an optimiser step; sk2d sets it, and Lightning's own strategy refuses "
        "any file that does"
    )
    return _owned(STEPS, value, says, owner)


def clipping(value: float, settings: Settings, context: Context) -> Verdict:
    """Judge `gradient_clipping`.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict.
    """
    owner = "trainer.gradient_clip_val"
    if context.trainer and float(context.trainer.gradient_clip_val or 0) != float(value):
        wanted = context.trainer.gradient_clip_val
        return _contradiction(CLIP, value, f"{owner} is {wanted}", owner)
    says = (
        "largest norm of the gradients; sk2d sets it, under Lightning's own strategy the file wins"
    )
    return _owned(CLIP, value, says, owner)


def _contradiction(key: str, value: Any, says: str, owner: str) -> Verdict:
    return Verdict(key, value, "contradiction", says, _leave_out(owner), "error")


def _owned(key: str, value: Any, says: str, owner: str) -> Verdict:
    return Verdict(key, value, "owned by the trainer", says, _leave_out(owner), "warning")


def _leave_out(owner: str) -> str:
    return f"Leave it out: {owner} decides"
