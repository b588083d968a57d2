"""What is said about a key of a DeepSpeed config, and what is known of the run it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

Effect = Literal[
    "used",
    "ignored",
    "no effect",
    "refused",
    "contradiction",
    "owned by the trainer",
    "unknown",
]
Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Verdict:
    """What DeepSpeed does with one key.

    Args:
        key: Dotted key, such as `zero_optimization.stage`.
        value: Its value in the file.
        effect: `used`; `ignored` (read and thrown away); `no effect` (read, and nothing here
            depends on it); `refused` (DeepSpeed, Lightning or sk2d raises); `contradiction` (with
            another key or the trainer); `owned by the trainer` (decided elsewhere in a config of
            sk2d); `unknown` (read by nothing).
        says: What happens, without a full stop at the end.
        remedy: What to do, without a full stop at the end.
        level: `error` where a run with this file would stop, or would not do what the file says;
            `warning` where the key is merely superfluous.
    """

    key: str
    value: Any
    effect: Effect
    says: str
    remedy: str | None = None
    level: Level = "ok"


@dataclass(frozen=True)
class TrainerValues:
    """What a config of sk2d decides, and a DeepSpeed config could contradict.

    Args:
        precision: `trainer.precision`.
        gradient_clip_val: `trainer.gradient_clip_val`; None does not clip.
        batch_size: `data.batch_size`, rows that a device takes at once; None where not known.
        accumulation: Micro-batches of an optimiser step; None where not known.
    """

    precision: str = "32-true"
    gradient_clip_val: float | None = None
    batch_size: int | None = None
    accumulation: int | None = None


@dataclass(frozen=True)
class Context:
    """The run that a DeepSpeed config is judged for.

    Args:
        devices: Devices over all nodes; None where not known.
        trainer: The trainer's values; None for a file by itself.
    """

    devices: int | None = None
    trainer: TrainerValues | None = None


BY_ITSELF: Final = Context()
"""A file of which only is known what it says."""
