"""`doctor`: what this machine can do, and what stands in the way."""

from __future__ import annotations

import sys
from dataclasses import asdict
from json import dumps

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sk2d.frontends.choosing import available
from sk2d.hardware import Finding, Machine, best_precision, gigabytes, probe, problems
from sk2d.sandbox import server_failure

STYLES = {"ok": "green", "warning": "yellow", "error": "bold red"}


def doctor(json: bool = False) -> int:
    """Show what this machine can do, and what to mend before training.

    Args:
        json: Write one JSON object instead of tables.

    Returns:
        Exit code: 1 when something does not work, else 0.
    """
    machine = probe()
    findings = problems(machine)
    works = all(finding.level != "error" for finding in findings)
    if json:
        sys.stdout.write(dumps(_as_json(machine, findings, works), indent=2) + "\n")
    else:
        console = Console()
        console.print(_facts_table(machine))
        console.print(_findings_table(findings))
    return 0 if works else 1


def _as_json(machine: Machine, findings: list[Finding], works: bool) -> dict[str, object]:
    return {
        "works": works,
        "precision": best_precision(machine),
        "machine": asdict(machine),
        "decompilers": available(),
        "findings": [asdict(finding) for finding in findings],
    }


def _facts_table(machine: Machine) -> Table:
    table = Table(title="This machine", title_justify="left", show_header=False)
    table.add_column("what", style="bold", no_wrap=True)
    table.add_column("value", overflow="fold")
    for what, value in _facts(machine):
        # Text, not a string: rich would read brackets in names as markup.
        table.add_row(what, Text(value))
    return table


def _facts(machine: Machine) -> list[tuple[str, str]]:
    physical = machine.cores_physical or "unknown"
    memory = gigabytes(machine.memory_bytes)
    available = gigabytes(machine.memory_available_bytes)
    return [
        ("Python", f"{machine.python} on {machine.platform}"),
        ("cores", f"{machine.cores_logical} usable ({physical} physical in the machine)"),
        ("memory", f"{memory}, {available} available"),
        ("disk", f"{gigabytes(machine.disk_free_bytes)} free here"),
        ("torch", _torch_text(machine)),
        *_gpu_rows(machine),
        ("precision", best_precision(machine)),
        ("compilers", "\n".join(f"{k}: {v}" for k, v in machine.compilers.items()) or "none"),
        ("jail", machine.jail or "none"),
        ("compile server", _server_text(machine)),
        ("decompilers", _frontend_text()),
        ("packages", ", ".join(f"{k} {v}" for k, v in machine.packages.items()) or "none"),
    ]


def _server_text(machine: Machine) -> str:
    """Say whether one start of gcc does for many texts; without it verdicts take longer."""
    if machine.jail is None or "gcc" not in machine.compilers:
        return "none: it needs gcc and a jail"
    why = server_failure()
    return "ready" if why is None else f"none, each text starts gcc anew: {why}"


def _frontend_text() -> str:
    found = available()
    return "\n".join(f"{name}: {why or 'ready'}" for name, why in found.items())


def _torch_text(machine: Machine) -> str:
    if machine.torch is None:
        return "broken" if machine.torch_error else "not installed"
    if machine.torch.cuda is None:
        return f"{machine.torch.version}, no CUDA"
    architectures = " ".join(machine.torch.architectures)
    return f"{machine.torch.version}, CUDA {machine.torch.cuda}, built for {architectures}"


def _gpu_rows(machine: Machine) -> list[tuple[str, str]]:
    rows = [
        (
            f"GPU {index}",
            f"{gpu.name}, {gpu.architecture}, {gigabytes(gpu.memory_bytes)}, "
            f"bf16 {_yes(gpu.bf16)}, fp16 {_yes(gpu.fp16)}",
        )
        for index, gpu in enumerate(machine.gpus)
    ]
    return rows or [("GPU", "none that torch can use")]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _findings_table(findings: list[Finding]) -> Table:
    table = Table(title="Findings", title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("what", overflow="fold")
    table.add_column("what to do", overflow="fold")
    for finding in findings:
        level = Text(finding.level, style=STYLES[finding.level])
        table.add_row(level, Text(finding.what), Text(finding.remedy or ""))
    return table
