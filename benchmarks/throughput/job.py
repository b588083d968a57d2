"""What a contender is told and what it answers; nothing but the standard library, for all venvs."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

IGNORED = -100


@dataclass(frozen=True)
class Job:
    """One training run of one contender.

    Args:
        base: Folder of the base model.
        tokens: JSON file with `[input_ids, prompt_len]` of each row, in the order of training.
        texts: JSONL file with the same rows as text.
        output: Folder for what the run writes.
        steps: Optimiser steps, the cold first one included.
        rows_per_step: Rows per optimiser step.
        micro_batch: Rows that sk2d puts through the model at a time.
        cutoff: The most tokens of a row.
        seed: Seed of the order and of the adapters.
        strategy: How `transformers.Trainer` samples.
        checkpointing: Whether activations are recomputed in the backward pass.
        rank: Rank of the adapters on all linear layers.
        alpha: Their scale times the rank.
        lr: Learning rate, constant.
    """

    base: str
    tokens: str
    texts: str
    output: str
    steps: int
    rows_per_step: int
    micro_batch: int
    cutoff: int
    seed: int
    strategy: str = "sequential"
    checkpointing: bool = False
    rank: int = 16
    alpha: int = 32
    lr: float = 5e-5

    @classmethod
    def from_arguments(cls) -> Job:
        """Read the job from the file that the command line names."""
        return cls(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))

    def examples(self) -> list[dict[str, list[int]]]:
        """Read the rows as `input_ids` and `labels`, prompts masked."""
        rows = json.loads(Path(self.tokens).read_text(encoding="utf-8"))
        return [
            {"input_ids": ids, "labels": [IGNORED] * prompt + ids[prompt:]} for ids, prompt in rows
        ]


@dataclass
class Clock:
    """Counts tokens and takes the time at the end of each optimiser step."""

    ends: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    supervised: list[int] = field(default_factory=list)
    real: list[int] = field(default_factory=list)
    computed: list[int] = field(default_factory=list)

    def batch(self, supervised: int, real: int, computed: int) -> None:
        """Count a step's batch, which may be fetched before the step before has ended.

        Args:
            supervised: Tokens that reach the loss.
            real: Tokens without padding.
            computed: Tokens with padding.
        """
        self.supervised.append(supervised)
        self.real.append(real)
        self.computed.append(computed)

    def step(self) -> None:
        """Note the end of a step."""
        self.ends.append(time.perf_counter())
        self.cpu.append(time.process_time())

    def answer(self, first_loss: float) -> None:
        """Print the figures of the warm steps as one line of JSON.

        Args:
            first_loss: Mean loss of the first rows before any step.
        """
        last = len(self.ends)
        seconds = self.ends[-1] - self.ends[0]
        real, computed = sum(self.real[1:last]), sum(self.computed[1:last])
        supervised = sum(self.supervised[1:last])
        figures = Figures(
            warm_steps=last - 1,
            seconds_per_step=seconds / (last - 1),
            cpu_seconds_per_step=(self.cpu[-1] - self.cpu[0]) / (last - 1),
            supervised_tokens=supervised,
            supervised_tokens_per_s=supervised / seconds,
            supervised_tokens_per_cpu_s=supervised / (self.cpu[last - 1] - self.cpu[0]),
            tokens_per_s=real / seconds,
            padding=1 - real / computed,
            peak_gib=peak_gib(),
            first_loss=first_loss,
        )
        print(json.dumps(asdict(figures)), flush=True)


@dataclass(frozen=True)
class Figures:
    """What a contender measured over its warm steps.

    Args:
        warm_steps: Steps without the first.
        seconds_per_step: Wall time of one.
        cpu_seconds_per_step: Time that all threads computed in one; other processes on the same
            cores lengthen the wall time, and hardly this.
        supervised_tokens: Tokens that reached the loss.
        supervised_tokens_per_s: The same per second.
        supervised_tokens_per_cpu_s: The same per second that its threads computed.
        tokens_per_s: Tokens per second, padding left out.
        padding: Share of the computed tokens that were padding.
        peak_gib: Most resident memory of the process, in GiB.
        first_loss: Mean loss of the first rows before any step.
    """

    warm_steps: int
    seconds_per_step: float
    cpu_seconds_per_step: float
    supervised_tokens: int
    supervised_tokens_per_s: float
    supervised_tokens_per_cpu_s: float
    tokens_per_s: float
    padding: float
    peak_gib: float
    first_loss: float


def peak_gib() -> float:
    """Give the most resident memory that this process had (its parent's does not count)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 2**20
    raise SystemExit("this system does not tell the peak memory of a process")
