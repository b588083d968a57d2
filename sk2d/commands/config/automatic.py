"""The values of `auto`: precision and micro-batch, chosen for the machine before a run starts."""

from __future__ import annotations

import dataclasses

from sk2d.commands.config.check import Values
from sk2d.commands.config.devices import device_count, on_gpu
from sk2d.commands.config.files import Setting
from sk2d.commands.config.footprint import job_of, memory_limit
from sk2d.errors import ConfigError, UserError
from sk2d.hardware import gibibytes
from sk2d.hardware.choices import Choice, choose_precision, weakest
from sk2d.models.memory import estimate, largest_batch

AUTO = "auto"
PRECISION, BATCH = "trainer.precision", "data.batch_size"


def resolve(values: Values) -> tuple[Values, list[Choice], list[UserError]]:
    """Replace every `auto` by what it stands for.

    Args:
        values: The values of a config.

    Returns:
        The values without `auto`, what was chosen, and what could not be.
    """
    choices: list[Choice] = []
    problems: list[UserError] = []
    if values.get(PRECISION) == AUTO:
        uses_gpu = on_gpu(values.get("trainer.accelerator"), values.site)
        choices.append(choose_precision(weakest(values.site.gpus()) if uses_gpu else None))
        values = _with(values, choices[-1].value, PRECISION)
    if values.get(BATCH) == AUTO:
        try:
            choices.append(choose_batch(values))
            values = _with(values, int(choices[-1].value), BATCH)
        except UserError as problem:
            problems.append(problem)
            values = _with(values, 1, BATCH)
    return values, choices, problems


def _with(values: Values, value: object, key: str) -> Values:
    setting = values.given.get(key, Setting(key, value))
    given = values.given | {key: dataclasses.replace(setting, value=value)}
    return dataclasses.replace(values, given=given)


def choose_batch(values: Values) -> Choice:
    """Choose the most rows of a micro-batch that fit by the estimate of memory.

    Args:
        values: The values of a config.

    Returns:
        A divisor of the rows that a device runs per optimiser step.

    Raises:
        ConfigError: The model's figures are not known, or not even one row fits.
    """
    job = job_of(_with(values, 1, BATCH))
    if job is None:
        raise ConfigError(
            f"auto needs the figures of {values.get('model.base')}, which are not known here",
            where=BATCH,
            remedy="Fetch the model first, or give a number",
        )
    limit = memory_limit(values)
    if limit is None:
        return Choice(BATCH, "1", "this machine has no such device, which is an error of its own")
    per_device = int(values.get("data.effective_batch")) // device_count(values.get, values.site)
    most = min(largest_batch(job, limit), per_device)
    if most < 1:
        needed = gibibytes(estimate(job).peak_bytes)
        raise ConfigError(
            f"not even one row fits: it needs {needed}, and there are {gibibytes(limit)}",
            where=BATCH,
            remedy="python cli.py plan with the same options tells what to change",
        )
    rows = next(size for size in range(most, 0, -1) if per_device % size == 0)
    needed = gibibytes(estimate(dataclasses.replace(job, batch_size=rows)).peak_bytes)
    return Choice(BATCH, str(rows), f"an estimated {needed} of {gibibytes(limit)}")
