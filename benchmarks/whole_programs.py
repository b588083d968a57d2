"""How much of a whole program comes back as one C file that compiles, and does that file work?

Each C file of a folder is compiled into a library at each level, decompiled whole without a model,
and put into one file. Functions that have a test are called in that file, with the functions
that they call as they were decompiled.

    python benchmarks/whole_programs.py --json runs/whole.json
    python benchmarks/whole_programs.py --without callees returns     without a recovery step, too
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from sk2d.c.reference_tests import run_test_against  # noqa: E402
from sk2d.corpus.build.sources import functions_of  # noqa: E402
from sk2d.decompile import Decompiler  # noqa: E402
from sk2d.decompile.whole import whole_file  # noqa: E402
from sk2d.errors import FrontendError  # noqa: E402
from sk2d.frontends.flatline import Flatline  # noqa: E402
from sk2d.frontends.flatline.job import STEPS  # noqa: E402
from sk2d.sandbox import COMPILE_LIMITS, run  # noqa: E402
from sk2d.sandbox.toolchain import compiler  # noqa: E402

CONSOLE = Console()
LEVELS = ("O0", "O1", "O2", "O3")


@dataclass
class Counts:
    """What became of the functions of all programs.

    Args:
        functions: Functions of the sources, by level.
        inside: Those that are in the file that compiles.
        tested: Those with a test.
        passed: Those whose test passes.
        failures: Program, level, function and reason.
    """

    functions: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    tested: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, str, str, str]] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """Give shares in all and by level."""
        return {
            "inside": self.inside.total() / self.functions.total(),
            "pass": self.passed.total() / max(1, self.tested.total()),
            "by_level": {
                level: {
                    "inside": self.inside[level] / self.functions[level],
                    "pass": self.passed[level] / max(1, self.tested[level]),
                }
                for level in sorted(self.functions)
            },
            "functions": self.functions.total(),
            "tests": self.tested.total(),
            "failures": self.failures,
        }


def library(source: Path, level: str, folder: Path) -> Path:
    """Compile a file into a library with its names."""
    command = [compiler(), f"-{level}", "-w", "-fPIC", "-shared", "-o", "x.so", "x.c", "-lm"]
    found = run(command, {"x.c": source.read_text()}, COMPILE_LIMITS, collect=["x.so"])
    assert "x.so" in found.files, f"{source} does not compile: {found.stderr!r}"
    path = folder / f"{source.stem}.{level}.so"
    path.write_bytes(found.files["x.so"])
    return path


def measure(source: Path, level: str, tests: Path, frontend: Flatline, counts: Counts) -> None:
    """Decompile one program at one level, and run its tests."""
    with tempfile.TemporaryDirectory(prefix="sk2d-whole-") as folder:
        binary = library(source, level, Path(folder))
        everything = frontend.functions(binary)
        names = {function.name for function in functions_of(source)}
        targets = [target for target in everything if target.name in names]
        whole = whole_file(list(Decompiler(frontend).run(binary, targets, everything)))
    text = source.read_text()
    for function in functions_of(source):
        counts.functions[level] += 1
        inside = whole.compiles and function.name not in whole.left_out
        counts.inside[level] += inside
        if not inside:
            why = whole.left_out.get(function.name, "the whole file does not compile")
            counts.failures.append((source.stem, level, function.name, why))
        places = (tests / f"{function.name}.c", tests / "whole" / f"{function.name}.c")
        test = next((place for place in places if place.is_file()), None)
        if test is None:
            continue
        counts.tested[level] += 1
        if inside:
            verdict = run_test_against(
                whole.text, test.read_text(), reference=text, func_name=function.name
            )
            counts.passed[level] += verdict.passed
            if not verdict.passed:
                failure = (source.stem, level, function.name, str(verdict.message)[:200])
                counts.failures.append(failure)


def _contenders(without: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "flatline", STEPS
    for step in without:
        yield f"without {step}", tuple(other for other in STEPS if other != step)


def _show(found: dict[str, dict[str, Any]]) -> None:
    table = Table("front end", "in the file %", "tests pass %", *(f"{x} pass %" for x in LEVELS))
    for name, figures in found.items():
        levels = [f"{100 * each['pass']:.1f}" for each in figures["by_level"].values()]
        table.add_row(
            name, f"{100 * figures['inside']:.1f}", f"{100 * figures['pass']:.1f}", *levels
        )
    CONSOLE.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0; 2 where the front end is missing.
    """
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    examples = ROOT / "examples"
    made.add_argument("--sources", type=Path, default=examples / "sources", help="C files")
    made.add_argument("--tests", type=Path, default=examples / "tests", help="NAME.c, whole/NAME.c")
    made.add_argument("--only", help="one program alone")
    made.add_argument("--without", nargs="+", default=(), choices=STEPS, help="steps to switch off")
    made.add_argument("--json", type=Path, help="write the figures here")
    chosen = made.parse_args(arguments)
    found: dict[str, dict[str, Any]] = {}
    try:
        for name, steps in _contenders(chosen.without):
            counts = Counts()
            with Flatline(steps=steps, workers=2) as frontend:
                for source in sorted(chosen.sources.glob(f"{chosen.only or '*'}.c")):
                    for level in LEVELS:
                        measure(source, level, chosen.tests, frontend, counts)
            found[name] = counts.plain()
    except FrontendError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    _show(found)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
