"""Judging a machine: what is fine, what limits it, what does not work, and what to do about it.

Nothing here looks at the machine it runs on, so that any machine can be judged on any other one.
The rule for bf16 is the compute capability alone: `torch.cuda.is_bf16_supported()` also says yes
where bf16 is merely emulated, as on a V100.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sk2d import sandbox
from sk2d.hardware.machine import PACKAGES, Capability, Gpu, Machine, TorchBuild, gigabytes

Level = Literal["ok", "warning", "error"]

MIN_PYTHON = (3, 11)
MIN_DISK_BYTES = 5_000_000_000
MIN_MEMORY_BYTES = 4_000_000_000
OLDEST_IN_NEW_BUILDS: Capability = (7, 5)
"""CUDA 13 builds of torch begin here."""


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Attributes:
        level: `ok`, `warning` (works with a limit) or `error` (does not work).
        what: What was found.
        remedy: What to do about it; None when it is fine.
    """

    level: Level
    what: str
    remedy: str | None = None


def runs_on(architectures: Iterable[str], capability: Capability) -> bool:
    """Tell whether a build holds code for a GPU.

    Machine code (`sm_XY`) runs on the same major capability from minor Y on, with suffix `a` only
    on exactly XY. PTX (`compute_XY`) is compiled for any GPU from XY on, with a suffix only as the
    machine code of that suffix (CUDA C++ Programming Guide, section on application compatibility).

    Args:
        architectures: What `torch.cuda.get_arch_list()` gives.
        capability: Compute capability of the GPU.

    Returns:
        Whether one of the entries runs on it.
    """
    return any(_entry_runs_on(entry, capability) for entry in architectures)


def _entry_runs_on(entry: str, capability: Capability) -> bool:
    match = re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", entry)
    if match is None:
        return False
    kind, suffix = match[1], match[4]
    built = (int(match[2]), int(match[3]))
    if suffix == "a":
        return capability == built
    if kind == "compute" and not suffix:
        return capability >= built
    return capability[0] == built[0] and capability >= built


def best_precision(machine: Machine) -> str:
    """Choose Lightning's precision for training here.

    Args:
        machine: What was found.

    Returns:
        `bf16-mixed` or `16-mixed` when every GPU computes in it by itself, else `32-true`.
    """
    if machine.gpus and all(gpu.bf16 for gpu in machine.gpus):
        return "bf16-mixed"
    if machine.gpus and all(gpu.fp16 for gpu in machine.gpus):
        return "16-mixed"
    return "32-true"


def problems(machine: Machine) -> list[Finding]:
    """Check a machine for what sk2d needs.

    Args:
        machine: What was found.

    Returns:
        One finding or more for each thing that was checked, those that are fine included.
    """
    checks = (_python, _packages, _memory, _disk, _compilers, _jail, _torch, _gpus, _broken)
    return [finding for check in checks for finding in check(machine)]


def _python(machine: Machine) -> Iterator[Finding]:
    major, minor = (int(part) for part in machine.python.split(".")[:2])
    if (major, minor) >= MIN_PYTHON:
        yield Finding("ok", f"Python {machine.python}")
    else:
        yield Finding("error", f"Python {machine.python} is too old", "Use Python 3.11 or newer")


def _packages(machine: Machine) -> Iterator[Finding]:
    missing = [name for name in PACKAGES if name not in machine.packages]
    if missing:
        yield Finding(
            "error", f"not installed: {', '.join(missing)}", "Run `pip install -e .` again"
        )


def _memory(machine: Machine) -> Iterator[Finding]:
    available = gigabytes(machine.memory_available_bytes)
    if machine.memory_available_bytes >= MIN_MEMORY_BYTES:
        yield Finding("ok", f"{available} of memory available")
    else:
        yield Finding(
            "warning",
            f"only {available} of memory available",
            "End other programs, or train a smaller model with a smaller data.cutoff",
        )


def _disk(machine: Machine) -> Iterator[Finding]:
    free = gigabytes(machine.disk_free_bytes)
    if machine.disk_free_bytes >= MIN_DISK_BYTES:
        yield Finding("ok", f"{free} of disk free")
    else:
        yield Finding(
            "warning",
            f"only {free} of disk free",
            "Make room, or write runs to another disk: checkpoints need more than the model itself",
        )


def _compilers(machine: Machine) -> Iterator[Finding]:
    if machine.compilers:
        yield Finding("ok", f"C compilers: {', '.join(machine.compilers)}")
    else:
        yield Finding(
            "warning",
            "no C compiler: answers cannot be compiled or run",
            "Install gcc, for example `apt-get install gcc libc6-dev`",
        )


def _jail(machine: Machine) -> Iterator[Finding]:
    active = next((row for row in sandbox.LADDER if row.name == machine.jail), None)
    missing = [row for row in sandbox.LADDER if row.name in machine.jail_refused]
    if active is None:
        reasons = "; ".join(f"{name}: {why}" for name, why in machine.jail_refused.items())
        yield Finding(
            "warning",
            f"no jail can be built: neither compiling nor running candidates works ({reasons})",
            f"It needs {sandbox.LADDER[-1].needs}",
        )
    elif not missing:
        yield Finding("ok", f"jail: {active.name} ({active.what})")
    else:
        reason = f"{missing[0].name}: {machine.jail_refused[missing[0].name]}"
        yield Finding(
            "warning",
            f"jail: only {active.name} ({active.what}), for {reason}",
            "For a stronger one: "
            + "; or ".join(f"{row.name} needs {row.needs}" for row in missing),
        )


def _torch(machine: Machine) -> Iterator[Finding]:
    if machine.torch_error is not None:
        yield Finding(
            "error",
            f"torch is installed and cannot be imported: {machine.torch_error}",
            "Install it again, alone and first: see docs/install.md",
        )
    elif machine.torch is None:
        yield Finding(
            "warning",
            "torch is not installed: no training and no models",
            "Install the extra `train`: see docs/install.md",
        )
    elif machine.torch.gpu_error is not None:
        yield Finding(
            "error",
            f"torch {machine.torch.version} cannot use the GPU: {machine.torch.gpu_error}",
            "Update NVIDIA's driver, or install a torch build for an older CUDA",
        )
    elif not machine.gpus and machine.nvidia_smi:
        yield Finding(
            "warning",
            f"torch {machine.torch.version} sees no GPU, although NVIDIA's driver is installed",
            "Install a CUDA build of torch, and check CUDA_VISIBLE_DEVICES and `nvidia-smi`",
        )
    else:
        kind = f"CUDA {machine.torch.cuda}" if machine.torch.cuda else "CPU build"
        yield Finding("ok", f"torch {machine.torch.version} ({kind})")


def _gpus(machine: Machine) -> Iterator[Finding]:
    for gpu in machine.gpus:
        assert machine.torch is not None, "GPUs are found by torch"
        # Without CUDA it is a ROCm build: its architectures have other names.
        if machine.torch.cuda and not runs_on(machine.torch.architectures, gpu.capability):
            yield no_kernels(gpu, machine.torch)
        elif not gpu.bf16:
            yield _bf16_emulated(gpu)
        else:
            yield Finding("ok", f"{gpu.name}: kernels for {gpu.architecture}, bf16")


def no_kernels(gpu: Gpu, torch: TorchBuild) -> Finding:
    """Say that a torch build has no code for a GPU.

    Args:
        gpu: The GPU.
        torch: The build.

    Returns:
        The finding, with the build to install instead.
    """
    built = " ".join(torch.architectures) or "no GPU"
    return Finding(
        "error",
        f"torch {torch.version} has no kernels for {gpu.name} ({gpu.architecture}), only {built}",
        # New CUDA versions drop old architectures; the builds for CUDA 12.6 still have sm_70.
        "Install torch 2.12 as its cu126 build, which keeps sm_70"
        if gpu.capability < OLDEST_IN_NEW_BUILDS
        else "Install a newer build of torch",
    )


def _bf16_emulated(gpu: Gpu) -> Finding:
    remedy = "trainer.precision: 16-mixed" if gpu.fp16 else "trainer.precision: 32-true"
    return Finding(
        "warning",
        f"{gpu.name} ({gpu.architecture}) only emulates bf16, whatever torch says about it",
        f"Train with {remedy}",
    )


def _broken(machine: Machine) -> Iterator[Finding]:
    for name, reason in machine.broken.items():
        yield Finding(
            "warning",
            f"{name} is installed and cannot be imported: {reason}",
            "Remove it or install a build for this machine; everything that does not name it works",
        )
