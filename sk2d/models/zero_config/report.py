"""What comes of a DeepSpeed config: a report on a file, and the errors that keep a run from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sk2d.errors import ConfigError, UserError
from sk2d.models.zero_config.conditions import Settings
from sk2d.models.zero_config.judging import judge
from sk2d.models.zero_config.reading import read_file
from sk2d.models.zero_config.verdict import BY_ITSELF, Context, Verdict


@dataclass(frozen=True)
class Report:
    """What DeepSpeed does with a file.

    Args:
        path: The file.
        verdicts: One per key, after those about the file as a whole.
        stage: ZeRO stage that holds.
        devices: Devices that it was judged for; None where not known.
    """

    path: Path
    verdicts: list[Verdict]
    stage: int
    devices: int | None

    @property
    def works(self) -> bool:
        """Whether a run with this file starts, and does all that the file says."""
        return all(verdict.level != "error" for verdict in self.verdicts)


def report(path: Path, context: Context = BY_ITSELF) -> Report:
    """Read a DeepSpeed config and judge it.

    Args:
        path: The file.
        context: The run that it is for.

    Returns:
        The verdicts. A file that cannot be read, or holds no object, is a `ConfigError`.
    """
    config, about_the_file = read_file(path)
    verdicts = [*about_the_file, *judge(config, context)]
    return Report(path, verdicts, Settings(config).stage, context.devices)


def problems(
    config: Mapping[str, Any] | str | Path,
    context: Context = BY_ITSELF,
    where: str = "trainer.strategy.config",
) -> list[UserError]:
    """Find what keeps a run from starting with a DeepSpeed config.

    Args:
        config: The config, or its file.
        context: The run.
        where: Config key that it stands under.

    Returns:
        One error per key that would be refused, contradict the trainer, or be of no effect.
    """
    if isinstance(config, Mapping):
        found = judge(config, context)
    else:
        try:
            found = report(Path(config), context).verdicts
        except ConfigError as problem:
            return [problem]
    return [
        ConfigError(verdict.says, where=f"{where}: {verdict.key}", remedy=verdict.remedy)
        for verdict in _outermost([verdict for verdict in found if verdict.level == "error"])
    ]


def _outermost(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """Leave out what was said already: of the section around a key, or of its counterpart."""
    effects, said = {verdict.key: verdict.effect for verdict in verdicts}, set()
    for verdict in verdicts:
        section = verdict.key.rpartition(".")[0]
        if effects.get(section) != verdict.effect and verdict.says not in said:
            yield verdict
        if verdict.effect == "contradiction":
            said.add(verdict.says)
