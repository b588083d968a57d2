"""`preprocess --explain`: the steps of phase 0 for one function, in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from sk2d.corpus.preprocess.outputs import SFT
from sk2d.corpus.preprocess.phase0 import phase0_tools
from sk2d.corpus.preprocess.records import Item, Record
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.preprocess.steps import STEPS, read_record
from sk2d.corpus.rows import (
    CODE,
    CODE_FORMAT,
    COMPILE_REASON,
    COMPILES,
    HEADER,
    IR,
    MAPPING,
    PSEUDO,
    PSEUDO_NORM,
    WARNINGS,
)
from sk2d.errors import EXPLANATIONS, DataError

_HIDDEN = "identify"  # hashes, for duplicates: nothing to look at


def explain(file: Path, pseudo: Path | None, settings: Settings) -> int:
    """Show what each step makes of one function.

    Args:
        file: C file with one function.
        pseudo: File with its pseudo-code; without it, what is done with the source alone.
        settings: The choices of a run.

    Returns:
        1 when a step or filter refuses the function, else 0.
    """
    console = Console()
    row = {CODE: _read(file)} | ({PSEUDO: _read(pseudo)} if pseudo else {})
    record = read_record(Item(row, f"{file}:1"), tuple(row))
    if pseudo:
        _panel(console, "pseudo-code", row[PSEUDO])
    _panel(console, "source", row[CODE])
    tools = phase0_tools()
    for name, step in STEPS.items():
        if record.reject is None and name != _HIDDEN and (pseudo or name != "normalize"):
            step([record], settings, tools)
            if record.reject is None:
                _show(console, name, record)
    if record.reject is None:
        _show_rows(console, record)
        return 0
    told = record.reject
    meaning = EXPLANATIONS[told.reason]
    console.print(f"{told.step}: {told.message}", style="bold red", markup=False)
    console.print(f"The row is rejected as {told.reason}: {meaning}.", markup=False)
    return 1


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"byte {error.start + 1} is no UTF-8", where=str(path), remedy="Save it as UTF-8"
        ) from error


def _panel(console: Console, title: str, code: str) -> None:
    body = Syntax(code.strip("\n"), "c", word_wrap=True, background_color="default")
    console.print(Panel(body, title=Text(title), title_align="left"))


def _show(console: Console, step: str, record: Record) -> None:
    """Show what a step made."""
    made = record.made
    if step == "normalize":
        _panel(console, "normalize: pseudo-code", made[PSEUDO_NORM])
    elif step == "obfuscate":
        _panel(console, "obfuscate: IR", made[IR])
        _show_mapping(console, made[MAPPING])
    elif step == "format":
        if PSEUDO_NORM in made:
            _panel(console, "format: pseudo-code", made[PSEUDO_NORM])
        _panel(console, "format: IR", made[IR])
        _panel(console, "format: source", made[CODE_FORMAT])
    elif step == "infer" and made[HEADER]:
        _panel(console, "infer: header", made[HEADER])
    elif step == "compile":
        _show_verdict(console, made)


def _show_mapping(console: Console, mapping: Mapping[str, str]) -> None:
    table = Table(title="obfuscate: mapping", title_justify="left")
    table.add_column("placeholder")
    table.add_column("name")
    for placeholder, name in mapping.items():
        table.add_row(placeholder, Text(name))
    console.print(table)


def _show_verdict(console: Console, made: Mapping[str, Any]) -> None:
    if not made[COMPILES]:
        told = f"compile: no, {made[COMPILE_REASON]} (kept, because of --require_compiling false)"
    elif made[WARNINGS]:
        kinds = ", ".join(f"{kind} {count}" for kind, count in made[WARNINGS].items())
        told = f"compile: header + IR compile; warnings: {kinds}"
    else:
        told = "compile: header + IR compile without a warning"
    console.print(told, markup=False, highlight=False)


def _show_rows(console: Console, record: Record) -> None:
    """Say which rows a run would write of this function."""
    made = record.made
    table = Table(title="Rows that would be written", title_justify="left")
    for column in ("file", "input or prompt", "output or ground truth"):
        table.add_column(column)
    for phase, (source, target) in SFT.items():
        if source not in made:
            continue
        table.add_row(phase, f"{source}, {len(made[source])} characters", target)
        if made[COMPILES]:
            extra = " (and the header)" if target == IR else ""
            table.add_row(f"rl_{phase}", f"prompt {phase} around {source}", f"{target}{extra}")
    console.print(table)
