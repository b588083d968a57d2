"""A DeepSpeed config judged key by key, without DeepSpeed: `judge`, `problems`, `report`."""

from sk2d.models.zero_config.judging import judge
from sk2d.models.zero_config.report import Report, problems, report
from sk2d.models.zero_config.verdict import BY_ITSELF, Context, TrainerValues, Verdict

__all__ = [
    "BY_ITSELF",
    "Context",
    "Report",
    "TrainerValues",
    "Verdict",
    "judge",
    "problems",
    "report",
]
