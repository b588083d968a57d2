"""How much of a front end's pseudo-C compiles and passes its tests, without any model?

Rows give a function in C with a test (`code`, `test`, `func_name`, `opt`). Each is compiled at its
level, decompiled, normalised, given an inferred header, compiled again and run against its test;
compilers and programs run in the jail. A column `ghidra_pseudo` is measured beside it.

    python benchmarks/frontends.py --rows humaneval_decompile.jsonl --json runs/frontends.json
    python benchmarks/frontends.py --rows FILE --without-each     each step switched off in turn
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from sk2d.c import normalize  # noqa: E402
from sk2d.c.inference import infer as infer_header  # noqa: E402
from sk2d.c.normalization import shim  # noqa: E402
from sk2d.c.reference_tests import run_test_against  # noqa: E402
from sk2d.errors import DataError, SourceError, UserError  # noqa: E402
from sk2d.evaluation.own_frontend import build_program, decompiled  # noqa: E402
from sk2d.frontends.flatline import Flatline  # noqa: E402
from sk2d.frontends.flatline.job import STEPS  # noqa: E402
from sk2d.sandbox import compile_c  # noqa: E402

CONSOLE = Console()
STORED = "ghidra_pseudo"


@dataclass
class Rates:
    """What became of the rows of one front end.

    Args:
        rows: Rows by level.
        compiled: Those that compile.
        passed: Those that pass their test.
        seconds: Time in the decompiler, over all rows.
        failures: Row and reason.
    """

    rows: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    compiled: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    passed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    seconds: float = 0.0
    failures: list[tuple[str, str]] = field(default_factory=list)

    def share(self, of: dict[str, int], level: str | None = None) -> float:
        """Give a share of the rows, of one level or of all."""
        levels = [level] if level else list(self.rows)
        return sum(of[x] for x in levels) / max(1, sum(self.rows[x] for x in levels))

    def plain(self) -> dict[str, Any]:
        """Give the shares as plain values."""
        by_level = {
            level: {
                "compile": self.share(self.compiled, level),
                "pass": self.share(self.passed, level),
            }
            for level in sorted(self.rows)
        }
        count = sum(self.rows.values())
        return {
            "compile": self.share(self.compiled),
            "pass": self.share(self.passed),
            "by_level": by_level,
            "rows": count,
            "seconds_per_function": self.seconds / max(1, count),
            "failures": self.failures,
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0; 2 where the front end is missing, or a row's code does not compile.
    """
    chosen = _parser().parse_args(arguments)
    lines = chosen.rows.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines][chosen.offset :: chosen.every]
    found: dict[str, dict[str, Any]] = {}
    try:
        with tempfile.TemporaryDirectory(prefix="sk2d-frontends-") as folder:
            binaries = build_all(rows, Path(folder))
            for name, steps in _contenders(chosen.without_each):
                with Flatline(steps=steps) as frontend:
                    found[name] = measure(rows, _decompiler(frontend, binaries)).plain()
    except UserError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    if any(row.get(STORED) for row in rows):
        found["stored ghidra"] = measure(rows, _stored).plain()
    _show(found)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--rows", type=Path, required=True, help="JSONL with code, test, func_name")
    made.add_argument("--every", type=int, default=1, help="take only each n-th row")
    made.add_argument("--offset", type=int, default=0, help="begin with this row")
    made.add_argument("--without-each", action="store_true", help="switch each step off in turn")
    made.add_argument("--json", type=Path, help="write the figures here")
    return made


def _contenders(without_each: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "flatline", STEPS
    for step in STEPS if without_each else ():
        yield f"flatline without {step}", tuple(other for other in STEPS if other != step)


def build_all(rows: Sequence[dict[str, Any]], folder: Path) -> dict[str, Path]:
    """Compile every row's function at its level.

    Args:
        rows: The rows.
        folder: Where the programs go.

    Returns:
        Program by row.

    Raises:
        UserError: A row's code does not compile.
    """
    built = {}
    for number, row in enumerate(rows):
        path = built[row["id"]] = folder / str(number)
        try:
            path.write_bytes(build_program(row["code"], row["opt"]))
        except DataError as error:
            raise UserError(str(error), where=f"row {row['id']}") from error
    return built


Text = Callable[[dict[str, Any]], tuple[str, str, float]]


def _decompiler(frontend: Flatline, binaries: dict[str, Path]) -> Text:
    def text(row: dict[str, Any]) -> tuple[str, str, float]:
        started = time.perf_counter()
        record = decompiled(frontend, binaries[row["id"]], row["func_name"])
        return record.definitions() + record.pseudo, "flatline", time.perf_counter() - started

    return text


def _stored(row: dict[str, Any]) -> tuple[str, str, float]:
    return str(row.get(STORED) or ""), "ghidra", 0.0


def measure(rows: Sequence[dict[str, Any]], text: Text) -> Rates:
    """Compile and test the pseudo-code of every row.

    Args:
        rows: The rows.
        text: Gives a row's pseudo-code, its dialect, and the seconds that it took.

    Returns:
        What became of them.
    """
    rates = Rates()
    for row in rows:
        level = str(row["opt"])
        rates.rows[level] += 1
        pseudo, dialect, seconds = text(row)
        rates.seconds += seconds
        try:
            reason = _judge(row, normalize(pseudo, dialect), rates, level)
        except SourceError as error:
            reason = str(error)
        if reason:
            rates.failures.append((str(row["id"]), reason))
    return rates


def _judge(row: dict[str, Any], code: str, rates: Rates, level: str) -> str | None:
    header = shim() + infer_header(code, shim=True)
    compiled = compile_c(header + code)
    if not compiled.compiles:
        return f"does not compile: {(compiled.message.strip() or 'no word').splitlines()[0]}"
    rates.compiled[level] += 1
    verdict = run_test_against(
        code, row["test"], reference=row["code"], func_name=row["func_name"], header=header
    )
    if not verdict.passed:
        return f"fails its test: {verdict.reason}"
    rates.passed[level] += 1
    return None


def _show(found: dict[str, dict[str, Any]]) -> None:
    levels = sorted({level for figures in found.values() for level in figures["by_level"]})
    table = Table(
        "front end", "compile %", "pass %", *(f"{x} pass %" for x in levels), "s/function"
    )
    for name, figures in found.items():
        by_level = [f"{100 * figures['by_level'][level]['pass']:.1f}" for level in levels]
        shares = [f"{100 * figures[key]:.1f}" for key in ("compile", "pass")]
        table.add_row(name, *shares, *by_level, f"{figures['seconds_per_function']:.3f}")
    CONSOLE.print(table)
    for name, figures in found.items():
        CONSOLE.print(f"{name}: {len(figures['failures'])} of {figures['rows']} rows fail")


if __name__ == "__main__":
    sys.exit(main())
