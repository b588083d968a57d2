"""What a contender is told and what it answers; nothing but the standard library, for all venvs."""

from __future__ import annotations

import json
import sys
import time
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.throughput.job import peak_gib


@dataclass(frozen=True)
class Job:
    """One run of reinforcement learning of one contender.

    Args:
        base: Folder of the base model.
        rows: RL rows of all steps.
        prompts: JSON file with `{prompt, key}` of the same rows.
        output: Folder for what the run writes.
        steps: Optimiser steps, the cold first one included.
        prompts_per_step: Prompts of a step.
        answers: Answers to each prompt.
        max_new_tokens: Longest answer.
        loss: Type of the loss, by TRL's name; the same as the variant of sk2d.
        rank: Rank of the adapters on all linear layers; 0 trains all weights.
        lr: Learning rate, constant.
        flat: Share of the prompts whose answers all get the same reward.
        seed: Seed of order, answers and adapters.
    """

    base: str
    rows: str
    prompts: str
    output: str
    steps: int
    prompts_per_step: int
    answers: int
    max_new_tokens: int
    loss: str
    rank: int
    lr: float
    flat: float
    seed: int

    @classmethod
    def from_arguments(cls) -> Job:
        """Read the job from the file that the command line names."""
        return cls(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))


def reward(key: str, text: str, flat: float) -> float:
    """Pay for an answer without looking at what it means, in no time.

    Args:
        key: What stands for the prompt.
        text: The answer.
        flat: Share of the prompts whose answers all get 1.

    Returns:
        1 or 0, by the text's checksum.
    """
    if zlib.crc32(key.encode()) < flat * 2**32:
        return 1.0
    return float(zlib.crc32(text.encode()) & 1)


@dataclass
class Clock:
    """Takes the time at the end of each step and counts what it answered."""

    ends: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)

    def step(self, length: float) -> None:
        """Note the end of a step.

        Args:
            length: Mean tokens of its answers.
        """
        self.ends.append(time.perf_counter())
        self.cpu.append(time.process_time())
        self.lengths.append(length)

    def answer(self) -> None:
        """Print the figures of the warm steps as one line of JSON."""
        warm = len(self.ends) - 1
        figures = Figures(
            warm_steps=warm,
            seconds_per_step=(self.ends[-1] - self.ends[0]) / warm,
            cpu_seconds_per_step=(self.cpu[-1] - self.cpu[0]) / warm,
            answer_tokens=sum(self.lengths[1:]) / warm,
            peak_gib=peak_gib(),
        )
        print(json.dumps(asdict(figures)), flush=True)


@dataclass(frozen=True)
class Figures:
    """What a contender measured over its warm steps.

    Args:
        warm_steps: Steps without the first.
        seconds_per_step: Wall time of one.
        cpu_seconds_per_step: Time that all threads computed in one.
        answer_tokens: Mean tokens of an answer.
        peak_gib: Most resident memory of the process, in GiB.
    """

    warm_steps: int
    seconds_per_step: float
    cpu_seconds_per_step: float
    answer_tokens: float
    peak_gib: float
