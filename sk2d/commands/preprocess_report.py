"""The closing tables of `preprocess`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_report(report: Mapping[str, Any], output: Path, console: Console) -> None:
    """Print what became of the rows of a whole run.

    Args:
        report: The report.
        output: The output folder.
        console: Where to print.
    """
    console.print(_steps_table(report))
    console.print(_outputs_table(report))
    compiled = report["compile"]
    lines = [
        f"{report['rows_in']} rows in = {report['rows_out']} rows out + {report['rejects']} rejects"
        f" (each with its reason in {output / 'rejects.jsonl'})",
        f"{compiled['compiling']} IRs compile with their header; rows with warnings: "
        + (_counted(compiled["rows_with_warning"]) or "none"),
    ]
    console.print("\n".join(lines), markup=False, highlight=False)
    _print_audit(report["audit"], console)


def _print_audit(audit: Mapping[str, Any], console: Console) -> None:
    found = [*audit["found"], *audit["problems"]]
    if not found:
        console.print("Audit: nothing found.", markup=False)
        return
    console.print(
        f"Audit: {audit['findings']} findings, {audit['rows_with_problems']} rows with problems",
        style="bold red",
        markup=False,
    )
    for text in found[:5]:
        console.print(Text(f"  {text}"))


def _steps_table(report: Mapping[str, Any]) -> Table:
    table = Table(title="Rows", title_justify="left")
    table.add_column("step", no_wrap=True)
    for name in ("in", "out", "rejects"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("reasons", overflow="fold")
    for step in report["steps"]:
        lost = step["in"] - step["out"]
        cells = (step["step"], str(step["in"]), str(step["out"]), str(lost or ""))
        table.add_row(*cells, _counted(step["rejects"]))
    return table


def _outputs_table(report: Mapping[str, Any]) -> Table:
    table = Table(title="Files", title_justify="left")
    table.add_column("rows", no_wrap=True)
    for side in report["split"]:
        table.add_column(side, justify="right", no_wrap=True)
    functions = (f"{side['functions']}" for side in report["split"].values())
    table.add_row("functions", *functions)
    names = dict.fromkeys(name.partition(".")[0] for name in report["outputs"] if "." in name)
    for name in names:
        counts = (str(report["outputs"][f"{name}.{side}"]) for side in report["split"])
        table.add_row(name, *counts)
    return table


def print_step(report: Mapping[str, Any], output: Path, console: Console) -> None:
    """Print what became of the rows of a single step.

    Args:
        report: Its counts.
        output: The output file.
        console: Where to print.
    """
    lost = report["rows_in"] - report["rows_out"]
    told = f" ({_counted(report['rejects'])})" if lost else ""
    console.print(
        f"{report['rows_in']} rows in = {report['rows_out']} rows in {output} + {lost} rejects"
        + told,
        markup=False,
        highlight=False,
    )


def _counted(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items())
