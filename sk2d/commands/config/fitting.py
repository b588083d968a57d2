"""Whether a run fits into the memory of its device, by the estimate, before anything is loaded."""

from __future__ import annotations

from sk2d.commands.config.check import Values
from sk2d.commands.config.footprint import job_of, memory_limit
from sk2d.errors import ConfigError, UserError
from sk2d.hardware import gibibytes
from sk2d.models.memory import Job, estimate, smallest_changes

CERTAIN = 1.2
"""How far an estimate must be above the memory that there is for a run to be refused."""


def memory_verdict(values: Values) -> tuple[Job | None, list[UserError], list[str]]:
    """Compare what a config needs with what its device has.

    Args:
        values: The values of a config without mistakes.

    Returns:
        The run in the terms of the memory model (None where the base's figures are not known), an
        error where it cannot fit, and a note where it may not.
    """
    job, limit = job_of(values), memory_limit(values)
    if job is None or limit is None:
        return job, [], []
    peak = estimate(job).peak_bytes
    if peak <= limit:
        return job, [], []
    changes = smallest_changes(job, limit)
    options = f": {changes[0].options} ({changes[0].cost})" if changes else ""
    remedy = f"python cli.py plan with the same options tells what would help{options}"
    what = f"it needs about {gibibytes(peak)} and there are {gibibytes(limit)}"
    if peak <= CERTAIN * limit:
        return job, [], [f"memory: {what}, which may not do. {remedy}"]
    return job, [ConfigError(what, where="memory", remedy=remedy)], []
