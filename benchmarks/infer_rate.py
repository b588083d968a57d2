"""How good are inferred headers? Compile rates, warnings, and agreement with true declarations.

Every file of rows is recognised by its columns: reinforcement learning rows give their ground
truths, raw pairs their sources alone and the IRs made from them, predictions what a model
answered. A text that tree-sitter cannot parse is listed apart: that is no failure of inference.
Lines such as `#include "own.h"` are cut from sources, as no header can bring the file back.

    python benchmarks/infer_rate.py --rows PAIRS.jsonl RL_ROWS.jsonl PREDICTIONS.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.inference.agreement import (  # noqa: E402
    LEAST,
    Agreement,
    calls,
    hidden_one_by_one,
    hidden_together,
)
from benchmarks.inference.rates import MOST_LOOSE, Rate, rate  # noqa: E402
from benchmarks.inference.samples import Program, programs, read, sample_sets  # noqa: E402
from sk2d.c.inference import infer  # noqa: E402

CONSOLE = Console()


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0, or with `--check` 1 when a figure misses what it has to reach.
    """
    chosen = parser().parse_args(arguments)
    rates: list[Rate] = []
    agreements: list[Agreement] = []
    for path in chosen.rows:
        rows = read(path, chosen.every)
        rates += [rate(samples, infer) for samples in sample_sets(rows)]
        functions = programs(read(path)) if chosen.every == 1 else programs(rows)
        if functions and not chosen.no_agreement:
            agreements += agree(functions)
    show(rates, agreements, chosen.failures)
    if chosen.json:
        figures = {
            "rates": [r.figures() for r in rates],
            "agreement": [a.figures() for a in agreements],
        }
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    missed = [r.title for r in rates if not r.holds]
    missed += [a.title for a in agreements[:1] if a.share < LEAST]
    return 1 if chosen.check and missed else 0


def parser() -> argparse.ArgumentParser:
    """Give the options of the benchmark.

    Returns:
        Their parser.
    """
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--rows", type=Path, nargs="+", required=True, help="files of rows")
    made.add_argument("--every", type=int, default=1, help="take only each n-th row")
    made.add_argument("--failures", type=int, default=40, help="how many to print of each set")
    made.add_argument("--no-agreement", action="store_true", help="compile rates only")
    made.add_argument("--json", type=Path, default=None, help="file for all figures")
    made.add_argument("--check", action="store_true", help="exit with 1 when a floor is missed")
    return made


def agree(functions: list[Program]) -> list[Agreement]:
    """Compare inferred declarations with true ones in every way there is.

    Args:
        functions: Programs with their functions.

    Returns:
        The comparisons; the first one has a floor.
    """
    results, parameters = calls(functions, infer)
    alone = hidden_one_by_one(functions, infer)
    return [alone, hidden_together(functions, infer), results, parameters]


def show(rates: list[Rate], agreements: list[Agreement], most: int) -> None:
    """Print the tables.

    Args:
        rates: What came of each set.
        agreements: The comparisons.
        most: How many failing rows to print of each set.
    """
    CONSOLE.print(rate_table(rates))
    for result in rates:
        show_details(result, most)
    if agreements:
        CONSOLE.print(agreement_table(agreements))
        for agreement in agreements:
            for line in agreement.different[:most]:
                CONSOLE.print(f"  {agreement.title}: {line}", markup=False, highlight=False)


def rate_table(rates: list[Rate]) -> Table:
    """Give the table of rates.

    Args:
        rates: What came of each set.

    Returns:
        The table.
    """
    table = Table(
        title="header + code compiles",
        caption=f"no C: texts that do not parse, and how many of them compile all the same. loose: "
        f"texts with a warning that types are wrong, at most {MOST_LOOSE:.0%}. (): prototypes of "
        "functions that are not standard without parameter list",
    )
    for column in ("rows", "of", "no C", "judged", "compile", "floor (aim)", "loose", "()", ""):
        table.add_column(column, justify="right")
    for r in rates:
        table.add_row(
            r.title,
            str(r.rows),
            f"{len(r.not_c)} ({r.not_c_compiling})",
            str(r.judged),
            f"{r.compiling} {r.share:.2%}",
            f"{r.floor:.1%} ({r.aim:.1%})",
            f"{r.loose_share:.1%}",
            f"{r.without_parameters}/{r.prototypes}",
            "holds" if r.holds else "MISSED",
        )
    return table


def show_details(result: Rate, most: int) -> None:
    """Print the reasons, warnings and failing rows of a set.

    Args:
        result: What came of the set.
        most: How many failing rows to print.
    """
    CONSOLE.rule(result.title)
    if result.cut:
        line = f"lines that include files of the program were cut from {result.cut} texts; "
        line += f"as they stand, {result.uncut_share:.2%} compile"
        CONSOLE.print(line, highlight=False)
    if result.not_made:
        CONSOLE.print(f"not made: {dict(result.not_made)}", highlight=False)
    CONSOLE.print(f"texts with a warning: {dict(result.warnings.most_common())}", highlight=False)
    reasons = Counter(failure.reason for failure in result.failures)
    CONSOLE.print(f"reasons of failures: {dict(reasons)}", highlight=False)
    for failure in result.failures[:most]:
        line = f"  {failure.name}: {failure.reason}: {failure.message}"
        CONSOLE.print(line, markup=False, highlight=False)


def agreement_table(agreements: list[Agreement]) -> Table:
    """Give the table of comparisons with true declarations.

    Args:
        agreements: The comparisons.

    Returns:
        The table.
    """
    table = Table(title="inferred class = class of the true declaration")
    for column in ("what", "compared", "agree", "undecided", "differences (true as inferred)"):
        table.add_column(column)
    for a in agreements:
        wrong = [(pair, n) for pair, n in a.counts.most_common() if pair[0] != pair[1]]
        text = ", ".join(f"{true} as {inferred} {n}" for (true, inferred), n in wrong[:6])
        table.add_row(a.title, str(a.total), f"{a.share:.2%}", str(a.undecided), text)
    return table


if __name__ == "__main__":
    sys.exit(main())
