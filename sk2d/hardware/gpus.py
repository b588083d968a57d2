"""GPUs by name, so that a run can be planned for a machine that is elsewhere."""

from __future__ import annotations

from sk2d.errors import ConfigError, did_you_mean
from sk2d.hardware.machine import Capability, Gpu, make_gpu

GIB = 2**30
# Name on the command line -> name, compute capability, GiB that torch reports as total memory
# (less than the name says: the driver keeps a part).
KNOWN: dict[str, tuple[str, Capability, float]] = {
    "v100-16gb": ("Tesla V100 16GB", (7, 0), 15.8),
    "v100-32gb": ("Tesla V100 32GB", (7, 0), 31.7),
    "t4": ("Tesla T4", (7, 5), 14.6),
    "rtx2080ti": ("GeForce RTX 2080 Ti", (7, 5), 10.6),
    "a100-40gb": ("A100 40GB", (8, 0), 39.4),
    "a100-80gb": ("A100 80GB", (8, 0), 79.1),
    "rtx3090": ("GeForce RTX 3090", (8, 6), 23.6),
    "a10": ("A10", (8, 6), 22.0),
    "a6000": ("RTX A6000", (8, 6), 47.4),
    "rtx4090": ("GeForce RTX 4090", (8, 9), 23.5),
    "l4": ("L4", (8, 9), 22.0),
    "l40s": ("L40S", (8, 9), 44.4),
    "h100-80gb": ("H100 80GB", (9, 0), 79.1),
    "h200": ("H200", (9, 0), 139.8),
}


def named_gpu(name: str) -> Gpu:
    """Describe a GPU that need not be in this machine.

    Args:
        name: A key of `KNOWN`, such as `v100-32gb`; upper case and blanks do not matter.

    Returns:
        The GPU, with the memory that torch reports for it.

    Raises:
        ConfigError: There is no such name.
    """
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in KNOWN:
        near = did_you_mean(key, KNOWN)
        known = f"Known are: {', '.join(KNOWN)}"
        remedy = f"{near} {known}" if near else known
        raise ConfigError("there is no such GPU in the table", where=f"--gpu {name}", remedy=remedy)
    title, capability, gib = KNOWN[key]
    return make_gpu(title, capability, int(gib * GIB))
