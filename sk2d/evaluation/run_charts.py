"""Which curves of a run belong into one chart, and which of its rollouts are shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sk2d.rl.rewarding import PARTS

SHOWN_STEPS: Final = 20
"""Steps whose rollouts are shown, spread over the run: the journal holds them all."""

_NOT_DRAWN: Final = ("step", "epoch")
_Charts = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
_PARTS: Final = tuple(dict.fromkeys(name for parts in PARTS.values() for name in parts))
_SUPERVISED: Final[_Charts] = (("loss (nats per token)", ("loss",), ("val_loss",)),)
_ROLLOUTS: Final[_Charts] = (
    ("reward", ("reward",), ("val_reward",)),
    ("parts of the reward", _PARTS, ()),
    ("parts of the reward, validation", (), tuple(f"val_{name}" for name in _PARTS)),
    ("cut off, or nothing to learn from (shares)", ("truncated", "flat_groups", "failed"), ()),
    ("seconds", ("rollout_s", "reward_s", "wait_s", "update_s"), ()),
)


def charts(columns: Sequence[str], validation_columns: Sequence[str]) -> list[dict[str, Any]]:
    """Put the curves of a run into charts.

    Args:
        columns: Columns of its steps that hold numbers.
        validation_columns: Those of its validations.

    Returns:
        Charts with a title and lines (`name`, `table`, `key`); each column is in one of them.
    """
    together = _ROLLOUTS if "reward" in columns else _SUPERVISED
    made: list[dict[str, Any]] = [
        {"title": title, "lines": list(_lines(steps, validations, columns, validation_columns))}
        for title, steps, validations in together
    ]
    drawn = {(line["table"], line["key"]) for chart in made for line in chart["lines"]}
    alone = [("steps", column) for column in columns if column not in _NOT_DRAWN]
    alone += [("validations", column) for column in validation_columns if column not in _NOT_DRAWN]
    made += [
        {"title": key, "lines": [{"name": key, "table": table, "key": key}]}
        for table, key in alone
        if (table, key) not in drawn
    ]
    return [chart for chart in made if chart["lines"]]


def _lines(
    steps: Sequence[str],
    validations: Sequence[str],
    columns: Sequence[str],
    validation_columns: Sequence[str],
) -> Iterator[dict[str, str]]:
    pair = len(steps) == len(validations) == 1
    for key in (key for key in steps if key in columns):
        yield {"name": "training" if pair else key, "table": "steps", "key": key}
    for key in (key for key in validations if key in validation_columns):
        name = "validation" if pair else key.removeprefix("val_")
        yield {"name": name, "table": "validations", "key": key}


def shown_rollouts(path: Path, steps: Sequence[int]) -> list[dict[str, Any]]:
    """Choose answers of a run's journal: of some steps, the first prompt's best and worst one.

    Args:
        path: The journal.
        steps: The steps that the run has taken.

    Returns:
        Samples as the page shows them.
    """
    wanted = set(steps[:: max(1, len(steps) // SHOWN_STEPS)]) | set(steps[-1:])
    found: list[dict[str, Any]] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if not line.endswith("\n"):
                break  # half a line, of a run that goes on
            record = json.loads(line)
            if record["step"] in wanted:
                wanted.remove(record["step"])
                found += _samples(record)
    return found


def _samples(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the best and the worst answer; only one where they score the same."""
    order = sorted(record["answers"], key=lambda answer: -(answer["score"] or 0.0))
    ends = [order[0]] if order[0]["score"] == order[-1]["score"] else [order[0], order[-1]]
    for answer in ends:
        score = "not judged" if answer["score"] is None else f"{answer['score']:.3f}"
        yield {
            "step": record["step"],
            "id": f"{record['id']} · {score} · {answer['verdict']}",
            "input": record["source"],
            "answer": answer["answer"],
            "reference": record["reference"],
            "exact": False,
        }
