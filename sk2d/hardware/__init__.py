"""What this machine can do: `probe` looks and never decides, `problems` decides and never looks."""

from sk2d.hardware.findings import Finding, best_precision, problems, runs_on
from sk2d.hardware.machine import Gpu, Machine, TorchBuild, gibibytes, gigabytes, make_gpu
from sk2d.hardware.memory import process_memory_bytes, set_allocator
from sk2d.hardware.probing import logical_cores, package_versions, probe

__all__ = [
    "Finding",
    "Gpu",
    "Machine",
    "TorchBuild",
    "best_precision",
    "gibibytes",
    "gigabytes",
    "logical_cores",
    "make_gpu",
    "package_versions",
    "probe",
    "problems",
    "process_memory_bytes",
    "runs_on",
    "set_allocator",
]
