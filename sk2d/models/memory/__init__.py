"""How much memory a training run needs, by part, before anything is loaded."""

from sk2d.models.memory.changes import Change, largest_batch, smallest_changes
from sk2d.models.memory.estimate import Estimate, estimate
from sk2d.models.memory.job import Job, Lora

__all__ = [
    "Change",
    "Estimate",
    "Job",
    "Lora",
    "estimate",
    "largest_batch",
    "smallest_changes",
]
