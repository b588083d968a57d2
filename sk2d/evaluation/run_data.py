"""What a run folder says of its run, as plain values for the page."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from sk2d.errors import DataError, UserError
from sk2d.evaluation.run_charts import charts, shown_rollouts
from sk2d.rl.journal import ROLLOUTS

T = TypeVar("T")

RECORD: Final = "run.json"
CONFIG: Final = "config.yaml"
STEPS: Final = "metrics.csv"
VALIDATIONS: Final = "validation.csv"
SAMPLES: Final = "samples.jsonl"
_DATA_FACTS: Final = ("rows", "tokens", "supervised_tokens", "dropped_too_long")


def run_data(folder: str | Path) -> dict[str, Any]:
    """Read a run folder, of a run that goes on or has ended.

    Args:
        folder: What `fit` was given as `trainer.default_root_dir`.

    Returns:
        Curves, samples, config and facts.

    Raises:
        UserError: It is no run folder.
        DataError: A file of it is damaged.
    """  # noqa: DOC502, DOC503
    root = Path(folder)
    if not (root / RECORD).is_file():
        remedy = "Give the folder that fit wrote to (trainer.default_root_dir)"
        raise UserError(f"there is no {RECORD}", where=str(root), remedy=remedy)
    record: dict[str, Any] = _read(root / RECORD, json.loads)
    steps, columns = _table(root / STEPS)
    validations, validation_columns = _table(root / VALIDATIONS)
    config = root / CONFIG
    return {
        "name": root.resolve().name,
        "summary": f"{record.get('phase', 'a run')}: {_last(steps)}",
        "facts": _facts(record),
        "config": config.read_text(encoding="utf-8") if config.is_file() else None,
        "charts": charts(columns, validation_columns),
        "steps": steps,
        "validations": validations,
        "samples": _shown(root, steps),
        "remarks": [] if steps else ["The run has taken no step yet."],
    }


def _shown(root: Path, steps: list[dict[str, float | None]]) -> list[dict[str, Any]]:
    """Give what the run answered: at its validations, or to its training prompts (RL)."""
    if not (root / ROLLOUTS).is_file():
        return _samples(root / SAMPLES)
    try:
        return shown_rollouts(root / ROLLOUTS, [int(row["step"] or 0) for row in steps])
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"cannot be read ({error})", where=str(root / ROLLOUTS)) from error


def _last(steps: list[dict[str, float | None]]) -> str:
    if not steps:
        return "no step yet"
    name = "reward" if "reward" in steps[-1] else "loss"
    value = steps[-1][name]
    return f"step {steps[-1]['step']:g}" + ("" if value is None else f", {name} {value:.4f}")


def _read(path: Path, parse: Callable[[str], T]) -> T:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({error})", where=str(path)) from error


def _table(path: Path) -> tuple[list[dict[str, float | None]], list[str]]:
    """Read a table of numbers; half a row at the end of a run that goes on is left out."""
    if not path.is_file():
        return [], []
    text = _read(path, str)
    lines = list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines()))
    columns = list(lines[0]) if lines else []
    rows = [{name: _number(value) for name, value in line.items()} for line in lines]
    shown = [name for name in columns if any(row[name] is not None for row in rows)]
    return rows, shown


def _number(text: str | None) -> float | None:
    """Read a number; the page has no NaN, and leaves out what is none."""
    try:
        value = float(text or "nan")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _samples(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    text = _read(path, str)
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def _facts(record: dict[str, Any]) -> dict[str, str]:
    prompt = record.get("prompt") or {}
    rows = record.get("data") or {}
    versions = record.get("versions") or {}
    starts = len(record.get("earlier") or []) + 1
    facts = {
        "command": " ".join(record.get("command") or []),
        "started": f"{record.get('started')}" + (f" (start {starts})" if starts > 1 else ""),
        "commit": record.get("git"),
        "phase": record.get("phase"),
        "prompt": f"{prompt.get('name')} ({prompt.get('hash')})",
        "rows": ", ".join(f"{name} {rows[name]}" for name in _DATA_FACTS if name in rows),
        "seed": record.get("seed"),
        "versions": ", ".join(f"{name} {version}" for name, version in versions.items()),
    }
    return {name: str(value) for name, value in facts.items() if value not in (None, "")}
