"""`plan --deepspeed FILE`: what DeepSpeed really does with each key of a config."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sk2d.models.zero_config import Context, Report, Verdict, report

STYLES = {"ok": "green", "warning": "yellow", "error": "bold red"}
LONGEST = 24


def show_deepspeed(path: Path, devices: int | None = None, as_json: bool = False) -> int:
    """Tell what DeepSpeed does with each key of a file.

    Args:
        path: A DeepSpeed config, JSON with or without comments.
        devices: Devices of the run; None judges what does not depend on their number.
        as_json: Write one JSON object instead of a table.

    Returns:
        Exit code: 1 when a run with the file would stop, or not do what it says, else 0.
    """
    found = report(path, Context(devices))
    if as_json:
        sys.stdout.write(json.dumps(_as_json(found), indent=2, ensure_ascii=False) + "\n")
    else:
        console = Console()
        console.print(_table(found))
        console.print(Text(_summary(found)))
    return 0 if found.works else 1


def _as_json(found: Report) -> dict[str, Any]:
    names = ("key", "value", "effect", "level", "says", "remedy")
    return {
        "file": str(found.path),
        "works": found.works,
        "stage": found.stage,
        "devices": found.devices,
        "keys": [{name: getattr(key, name) for name in names} for key in found.verdicts],
    }


def _table(found: Report) -> Table:
    table = Table(title=f"What DeepSpeed does with {found.path.name}", title_justify="left")
    table.add_column("key", overflow="fold", ratio=3)
    table.add_column("value", overflow="fold", ratio=1)
    table.add_column("verdict", ratio=1)
    table.add_column("what happens, and what to do", overflow="fold", ratio=6)
    for verdict in found.verdicts:
        effect = Text(verdict.effect, style=STYLES[verdict.level])
        says = f"{verdict.says}. {verdict.remedy}" if verdict.remedy else verdict.says
        # Text, not a string: rich would read brackets in values as markup.
        table.add_row(Text(verdict.key), Text(_shown(verdict)), effect, Text(says))
    return table


def _shown(verdict: Verdict) -> str:
    if isinstance(verdict.value, dict):
        return "{...}"
    text = json.dumps(verdict.value, default=str, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _summary(found: Report) -> str:
    wrong = sum(verdict.level == "error" for verdict in found.verdicts)
    devices = f"{found.devices} devices" if found.devices else "any number of devices"
    state = f"{wrong} of {len(found.verdicts)} keys do not do what they say" if wrong else "sound"
    return f"ZeRO stage {found.stage}, {devices}: {state}"
