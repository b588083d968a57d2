"""What a run uses of its machine, while it goes on: shown, logged, and warned about in time."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import torch
from lightning.pytorch import Callback, Trainer

from sk2d.hardware.gpu_usage import (
    USE_QUERY,
    GpuUse,
    SmiQuery,
    ask_holders,
    ask_uses,
    held_by_others,
    parse_uses,
)
from sk2d.hardware.memory import process_memory_bytes
from sk2d.hardware.room import disk_room, disk_shortage, memory_room, memory_shortage, size_on_disk
from sk2d.phases.attached import is_trial
from sk2d.phases.checkpoint_files import newest_first
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.curves import StepTable

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

GIB = 2**30
FULL = 0.95
"""Share of a GPU's memory above which the next longer batch may not fit."""

FLOAT32_BYTES = 4
MOMENTS_BYTES = 8
"""AdamW's two moments of a weight, in float32."""

RESOURCE_FILE = "resources.csv"
RESOURCE_COLUMNS = ["step", "device", "used_gib", "total_gib", "own_gib", "busy"]


@dataclass(frozen=True)
class Reading:
    """What is in use of one device at one moment.

    Args:
        device: `cpu`, `gpu0`, ...: the number is torch's.
        used_bytes: Memory in use by all processes.
        total_bytes: All memory.
        own_bytes: Memory that this process holds; None for a GPU of another process of the run.
        busy: Share of the time in which it computes, 0 to 1; None where nobody tells.
    """

    device: str
    used_bytes: int
    total_bytes: int
    own_bytes: int | None
    busy: float | None

    def text(self) -> str:
        """Write it for the progress line."""
        busy = "" if self.busy is None else f" {self.busy:.0%}"
        return f"{self.used_bytes / GIB:.1f}/{self.total_bytes / GIB:.1f} GiB{busy}"

    def row(self, step: int) -> dict[str, Any]:
        """Lay it out as a row of `resources.csv`.

        Args:
            step: Optimiser steps done.

        Returns:
            Values by column; empty where nothing is known.
        """
        own = "" if self.own_bytes is None else f"{self.own_bytes / GIB:.3f}"
        figures = {"used_gib": self.used_bytes, "total_gib": self.total_bytes}
        return (
            {"step": step, "device": self.device, "own_gib": own}
            | {name: f"{value / GIB:.3f}" for name, value in figures.items()}
            | {"busy": "" if self.busy is None else f"{self.busy:.2f}"}
        )


def gpu_identities(devices: list[int], cuda: Any = torch.cuda) -> dict[str, int]:
    """Give the identities by which the driver knows GPUs: it may count in another order.

    Args:
        devices: Numbers as torch counts.
        cuda: `torch.cuda`, or a stand-in.

    Returns:
        Identity (`GPU-...`) -> torch's number.
    """
    return {f"GPU-{cuda.get_device_properties(number).uuid}": number for number in devices}


def read_cpu() -> list[Reading]:
    """Look at the machine's memory and processors.

    Returns:
        One reading.
    """
    room = memory_room()
    busy = psutil.cpu_percent(interval=None) / 100  # since the reading before
    return [Reading("cpu", room.used_bytes, room.total_bytes, process_memory_bytes(), busy)]


def read_gpus(own: int, uses: dict[int, GpuUse], cuda: Any = torch.cuda) -> list[Reading]:
    """Look at the GPUs of a run.

    The own GPU's memory is torch's figure, which is of this moment; the others' and how busy each
    is were said by the driver's tool a little earlier.

    Args:
        own: The GPU of this process.
        uses: What the tool said, by torch's number; empty where there is no tool.
        cuda: `torch.cuda`, or a stand-in.

    Returns:
        One reading per GPU, in torch's order.
    """
    free, total = cuda.mem_get_info(own)
    busy = uses[own].busy if own in uses else None
    found = {own: Reading(f"gpu{own}", total - free, total, cuda.memory_reserved(own), busy)}
    for number, use in uses.items():
        if number != own and use.used_bytes is not None and use.total_bytes:
            found[number] = Reading(f"gpu{number}", use.used_bytes, use.total_bytes, None, use.busy)
    return [found[number] for number in sorted(found)]


def gpu_shortage(own: int, reading: Reading, retries_before: int, cuda: Any) -> str | None:
    """Say that the memory of a GPU runs short.

    Freed memory stays with torch's allocator, so a GPU that looks full need not be: what counts
    is the peak of what was really allocated, and whether the allocator had to start over.

    Args:
        own: The GPU of this process.
        reading: What is in use of it.
        retries_before: How often the allocator had started over at the last look.
        cuda: `torch.cuda`, or a stand-in.

    Returns:
        One sentence, or None while there is enough.
    """
    retries = cuda.memory_stats(own).get("num_alloc_retries", 0) - retries_before
    if retries > 0:
        return (
            f"memory of {reading.device} runs short: {retries} times the allocator found none and "
            "gave its reserve back to try again, which is slow"
        )
    peak = reading.used_bytes - cuda.memory_reserved(own) + cuda.max_memory_allocated(own)
    if peak > FULL * reading.total_bytes:
        return (
            f"memory of {reading.device} runs short: at the peak {peak / GIB:.1f} of "
            f"{reading.total_bytes / GIB:.1f} GiB are taken, and a longer batch may not fit"
        )
    return None


def disk_need(trainer: Trainer, module: PhaseModule) -> int:
    """Estimate what a run is still going to write.

    Args:
        trainer: The trainer.
        module: The module in training.

    Returns:
        Bytes: the checkpoints that are kept and not there yet, one more that is written before an
        old one is deleted, and the model folder.
    """
    checkpoints = RunModelCheckpoint.of(trainer)
    there = newest_first(checkpoints.folder(trainer))
    weights = [weight for weight in module.parameters() if weight.requires_grad]
    # Where ZeRO-3 has cut the weights into shards, the whole size stands beside.
    trained = sum(getattr(weight, "ds_numel", weight.numel()) for weight in weights)
    one = size_on_disk(there[0]) if there else trained * (FLOAT32_BYTES + MOMENTS_BYTES)
    to_come = max(0, checkpoints.keep + checkpoints.save_top_k - len(there)) + 1
    return one * to_come + trained * FLOAT32_BYTES


class ResourceWatch(Callback):
    """Reads memory and load of the run's devices from time to time.

    The readings stand in the progress line, in the logger's figures and in `resources.csv`. It
    warns once when memory or disk runs short, and again only after there was enough in between.

    Args:
        seconds: Shortest time between two readings.
        cuda: `torch.cuda`, or a stand-in.
        smi: Program that is asked about GPUs; `nvidia-smi` when None.
    """

    def __init__(
        self, seconds: float = 10.0, cuda: Any = torch.cuda, smi: str | None = None
    ) -> None:
        self.seconds = seconds
        self.cuda = cuda
        self.smi = smi
        self.readings: list[Reading] = []
        self.told: set[str] = set()
        self._query = SmiQuery(USE_QUERY, smi)
        self._identities: dict[str, int] = {}
        self._uses: dict[int, GpuUse] = {}
        self._retries = 0
        self._read_at = -seconds

    @staticmethod
    def line_of(trainer: Trainer) -> dict[str, str]:
        """Give the last readings of a trainer's watch, for the progress line.

        Args:
            trainer: A trainer.

        Returns:
            Text by device; empty for a trainer without a watch.
        """
        callbacks = trainer.callbacks  # type: ignore[attr-defined]
        watches = [c for c in callbacks if isinstance(c, ResourceWatch)]
        return {r.device: r.text() for watch in watches for r in watch.readings}

    def setup(self, trainer: Trainer, module: PhaseModule, stage: str) -> None:
        """Say who else holds the GPUs, before the model is loaded onto them.

        Args:
            trainer: The trainer.
            module: The module.
            stage: Lightning's name of what is about to run.
        """
        if trainer.strategy.root_device.type != "cuda" or trainer.local_rank != 0:
            return
        devices = list(getattr(trainer, "device_ids", None) or [trainer.strategy.root_device.index])
        self._identities = gpu_identities(devices, self.cuda)
        holders = ask_holders(self.smi)
        for use in ask_uses(self.smi):
            if use.uuid in self._identities and (line := held_by_others(use, holders, os.getpid())):
                say(line)

    def on_train_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Begin the table, and see that the disk will hold the run.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        root = Path(trainer.default_root_dir)
        self.table = StepTable(root / RESOURCE_FILE, RESOURCE_COLUMNS)
        if self._writes(trainer):
            root.mkdir(parents=True, exist_ok=True)
            self.table.cut_after(trainer.global_step)
        psutil.cpu_percent(interval=None)  # the load is counted from here
        self._query.start()
        self._check_disk(trainer, module)

    def on_train_batch_end(self, trainer: Trainer, module: PhaseModule, *args: Any) -> None:
        """Read after an optimiser step when it is time again.

        Args:
            trainer: The trainer.
            module: The module in training.
            args: The other arguments of the hook.
        """
        if module.step_row is None or time.monotonic() - self._read_at < self.seconds:
            return
        self._read_at = time.monotonic()
        self._read(trainer)
        self._check_disk(trainer, module)
        if not trainer.is_global_zero:
            return
        for reading in self.readings:
            module.log(f"{reading.device}/GiB", reading.used_bytes / GIB, rank_zero_only=True)
            if reading.busy is not None:
                module.log(f"{reading.device}/busy", reading.busy, rank_zero_only=True)
            if self._writes(trainer):
                self.table.append(reading.row(trainer.global_step))

    def on_exception(self, trainer: Trainer, module: PhaseModule, exception: BaseException) -> None:
        """End what is still asked.

        Args:
            trainer: The trainer.
            module: The module in training.
            exception: What ended the run.
        """
        self._query.close()

    def teardown(self, trainer: Trainer, module: PhaseModule, stage: str) -> None:
        """End what is still asked.

        Args:
            trainer: The trainer.
            module: The module.
            stage: Lightning's name of what was run.
        """
        self._query.close()

    def _read(self, trainer: Trainer) -> None:
        device = trainer.strategy.root_device
        if device.type != "cuda":
            self.readings = read_cpu()
            self._warn("memory", memory_shortage(memory_room()))
            return
        if (answer := self._query.answer()) is not None:
            known = {u.uuid: u for u in parse_uses(answer) if u.uuid in self._identities}
            self._uses = {self._identities[uuid]: use for uuid, use in known.items()}
        if self._identities:  # the first process of a machine asks for all
            self._query.start()
        own = device.index or 0
        self.readings = read_gpus(own, self._uses, self.cuda)
        mine = next(reading for reading in self.readings if reading.device == f"gpu{own}")
        self._warn("memory", gpu_shortage(own, mine, self._retries, self.cuda))
        self._retries = self.cuda.memory_stats(own).get("num_alloc_retries", 0)

    def _check_disk(self, trainer: Trainer, module: PhaseModule) -> None:
        if not self._writes(trainer):
            return
        folder = RunModelCheckpoint.of(trainer).folder(trainer)
        self._warn("disk", disk_shortage(disk_room(folder), disk_need(trainer, module), folder))

    def _warn(self, kind: str, what: str | None) -> None:
        if what is None:
            self.told.discard(kind)
        elif kind not in self.told:
            self.told.add(kind)
            say(what)

    @staticmethod
    def _writes(trainer: Trainer) -> bool:
        return trainer.is_global_zero and not is_trial(trainer)


def say(what: str) -> None:
    """Warn on standard error, where it does not mix with what a command answers.

    Args:
        what: One sentence without a full stop at the end.
    """
    sys.stderr.write(f"warning: {what}\n")
