"""What suits a GPU: precision, attention and quantisation, each with the reason.

All of it follows from the compute capability. torch's own probe for bf16 says yes where bf16 is
only emulated, so it is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sk2d.hardware.findings import Finding
from sk2d.hardware.machine import BF16_FROM, Gpu

INT8_FROM = (7, 5)
"""Integer tensor cores, which int8 matrix products need to be of use."""

BF16 = ("bf16", "bf16-mixed", "bf16-true")
FP16 = ("16", "16-mixed", "16-true")


@dataclass(frozen=True)
class Choice:
    """Something that was chosen for a machine.

    Attributes:
        key: Config key that it is about.
        value: The value.
        reason: Why, in one sentence.
    """

    key: str
    value: str
    reason: str


def weakest(gpus: Sequence[Gpu]) -> Gpu | None:
    """Give the GPU that limits what all can do together.

    Args:
        gpus: The GPUs of a run.

    Returns:
        The one of the lowest capability, and among those with the least memory; None without any.
    """
    return min(gpus, key=lambda gpu: (gpu.capability, gpu.memory_bytes), default=None)


def choose_precision(gpu: Gpu | None) -> Choice:
    """Choose Lightning's precision for training.

    Args:
        gpu: The weakest GPU of the run, or None for a CPU.

    Returns:
        `bf16-mixed`, `16-mixed` or `32-true`.
    """
    key = "trainer.precision"
    if gpu is None:
        return Choice(key, "32-true", "CPUs without matrix units are slower in half precision")
    if gpu.bf16:
        reason = f"{gpu.name} ({gpu.architecture}) computes in bf16, which needs no loss scaling"
        return Choice(key, "bf16-mixed", reason)
    if gpu.fp16:
        reason = (
            f"{gpu.name} ({gpu.architecture}) has tensor cores for fp16 and only emulates bf16: "
            "frozen weights in fp16, trained ones in fp32, loss scaling"
        )
        return Choice(key, "16-mixed", reason)
    reason = f"{gpu.name} ({gpu.architecture}) has no tensor cores for half precision"
    return Choice(key, "32-true", reason)


def choose_attention(gpu: Gpu | None, precision: str) -> Choice:
    """Name the kernel that torch's attention comes down to.

    Args:
        gpu: The weakest GPU of the run, or None for a CPU.
        precision: Lightning's precision.

    Returns:
        `flash`, `memory-efficient` or `math` for key `model.attention`: the kernel, not a setting.
    """
    key = "model.attention"
    if gpu is None:
        return Choice(key, "flash", "torch's fused kernel for CPUs: no matrix of scores is held")
    if gpu.capability >= BF16_FROM and precision in (*BF16, *FP16):
        return Choice(key, "flash", f"torch's own flash kernel runs on {gpu.architecture}")
    reason = (
        f"torch's flash kernel needs capability 8.0 and half precision; on {gpu.architecture} in "
        f"{precision} its memory-efficient kernel runs, which holds no matrix of scores either"
    )
    return Choice(key, "memory-efficient", reason)


def unsuitable(
    gpu: Gpu, precision: str, attention: str, quantization: str | None
) -> Iterator[tuple[str, Finding]]:
    """Find settings that a GPU has no hardware for.

    Args:
        gpu: The weakest GPU of the run.
        precision: Lightning's precision.
        attention: Value of `model.attention`.
        quantization: Value of `model.quantization`.

    Yields:
        Config key and finding: an error where it cannot work, a warning where it is only slow.
    """
    instead = choose_precision(gpu).value
    if precision in BF16 and not gpu.bf16:
        what = (
            f"{gpu.name} ({gpu.architecture}) only emulates bf16, whatever torch says about it: "
            "it would be slow"
        )
        yield "trainer.precision", Finding("error", what, f"Use {instead}, or auto")
    if attention == "flash2" and gpu.capability < BF16_FROM:
        what = f"flash2 needs a GPU of capability 8.0 or more, {gpu.name} has {gpu.architecture}"
        yield "model.attention", Finding("error", what, "Use auto")
    if quantization == "int8" and gpu.capability < INT8_FROM:
        what = f"{gpu.name} ({gpu.architecture}) has no tensor cores for int8"
        yield "model.quantization", Finding("error", what, "Use nf4, or null")
    if precision == "32-true" and instead != "32-true":
        what = f"{gpu.name} is several times faster in {instead}"
        yield "trainer.precision", Finding("warning", what, f"Use {instead}, or auto")
