"""The precisions that are compared, as data."""

from __future__ import annotations

from dataclasses import dataclass

FP32 = "fp32"


@dataclass(frozen=True)
class Mode:
    """A way to hold and to multiply the weights.

    Args:
        name: Name in the table.
        precision: Lightning's precision.
        quantization: How the frozen weights are packed, or None.
        refused: Whether `fit` refuses it; it is then run past the check, to show why.
    """

    name: str
    precision: str
    quantization: str | None = None
    refused: bool = False


MODES = (
    Mode(FP32, "32-true"),
    Mode("bf16-mixed", "bf16-mixed"),
    Mode("fp16-mixed", "16-mixed"),
    Mode("bf16-true", "bf16-true"),
    Mode("fp16-true", "16-true", refused=True),
    # The rest is computed in what suits the device.
    Mode("int8", "auto", quantization="int8"),
    Mode("nf4", "auto", quantization="nf4"),
)
KINDS = ("lora", "full")


@dataclass(frozen=True)
class Case:
    """One run of the benchmark.

    Args:
        mode: The precision.
        kind: `lora` or `full`.
    """

    mode: Mode
    kind: str

    @property
    def name(self) -> str:
        """Name in files and messages."""
        return f"{self.mode.name}, {self.kind}"


def cases(modes: list[str], kinds: list[str]) -> list[Case]:
    """Give the runs that are wanted.

    Args:
        modes: Names of modes.
        kinds: Names of kinds.

    Returns:
        The runs, those that the others are compared with first.
    """
    wanted = [mode for mode in MODES if mode.name in modes]
    return [Case(mode, kind) for kind in KINDS if kind in kinds for mode in wanted]
