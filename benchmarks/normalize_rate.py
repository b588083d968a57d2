"""How good is normalised pseudo-code? Parse rates, literals, upstream parity, compiles, tests.

Raw pairs have IDA's pseudo-code and, where upstream's normaliser printed something, its text. Rows
with a test program have Ghidra's: each is compiled with the shim header, untouched (raw) and
normalised with its inferred header (sound), and its own test is run on both.

    python benchmarks/normalize_rate.py --rows PAIRS.jsonl TESTS.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sk2d.c.inference import infer  # noqa: E402
from sk2d.c.normalization import normalize_many, shim  # noqa: E402
from sk2d.c.parse import parse, syntax_error  # noqa: E402
from sk2d.c.reference_tests import run_test_against  # noqa: E402
from sk2d.c.tokens import significant, string_literals  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.errors import SourceError  # noqa: E402
from sk2d.sandbox import compile_many  # noqa: E402

CONSOLE = Console()
LEAST_PARSED = 0.99
LEAST_EQUAL = 0.995
LEAST_COMPILED = 0.88

Row = dict[str, Any]


@dataclass
class Texts:
    """What became of the texts of a file in profile `sound`.

    Args:
        title: File and column.
        rows: Number of texts.
        raw_parsed: Texts that parse untouched.
        parsed: Texts that parse normalised.
        literals: Normalised texts whose string and character literals are the same.
        stable: Normalised texts that normalising again leaves as they are.
        refused: Texts that cannot be normalised, with the reason.
        unparsed: Texts that still do not parse, with the place.
    """

    title: str
    rows: int = 0
    raw_parsed: int = 0
    parsed: int = 0
    literals: int = 0
    stable: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    unparsed: dict[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether enough parse, and all that could be normalised kept its literals."""
        kept = self.literals == self.stable == self.rows - len(self.refused)
        return kept and self.parsed >= LEAST_PARSED * self.rows


@dataclass
class Parity:
    """How often profile `upstream` gives upstream's tokens.

    Args:
        title: File.
        rows: Rows for which upstream printed something.
        equal: Rows with equal tokens.
        identical: Rows whose white space is equal too.
        different: The others, with their first tokens that differ (ours, upstream's).
    """

    title: str
    rows: int = 0
    equal: int = 0
    identical: int = 0
    different: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether enough rows are equal."""
        return self.equal >= LEAST_EQUAL * self.rows


@dataclass
class Runs:
    """How often pseudo-code compiles and passes its row's own test.

    Args:
        title: File.
        rows: Number of rows.
        raw_compiled: Rows that compile untouched behind the shim.
        raw_passed: Rows that pass so.
        compiled: Rows that compile normalised, behind the shim and their inferred header.
        passed: Rows that pass so.
        failures: Rows that do not compile normalised, with the reason.
        worse: Rows that pass untouched only, with what happened.
    """

    title: str
    rows: int = 0
    raw_compiled: int = 0
    raw_passed: int = 0
    compiled: int = 0
    passed: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    worse: dict[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether enough compile and at least as many pass as untouched."""
        enough = self.compiled >= LEAST_COMPILED * self.rows
        return enough and self.passed >= self.raw_passed


def judge_texts(title: str, rows: Sequence[Row], column: str) -> Texts:
    """Normalise texts soundly and look at what is left.

    Args:
        title: File.
        rows: Its rows.
        column: Where the pseudo-code stands.

    Returns:
        The counts.
    """
    found = Texts(f"{title}: {column}", len(rows))
    codes = [row[column] for row in rows]
    for row, code, text in zip(rows, codes, normalize_many(codes), strict=True):
        if isinstance(text, SourceError):
            found.refused[row["id"]] = str(text)
            continue
        found.raw_parsed += syntax_error(parse(code)) is None
        wrong = syntax_error(parse(text))
        found.parsed += wrong is None
        found.literals += string_literals(text) == string_literals(code)
        found.stable += normalize_many([text]) == [text]
        if wrong is not None:
            line = text.splitlines()[wrong.start_point[0]].strip()
            found.unparsed[row["id"]] = f"line {wrong.start_point[0] + 1}: {line[:80]}"
    return found


def judge_parity(title: str, rows: Sequence[Row]) -> Parity:
    """Normalise as upstream does and compare with what upstream printed.

    Args:
        title: File.
        rows: Rows for which upstream printed something.

    Returns:
        The counts.
    """
    found = Parity(title, len(rows))
    texts = normalize_many([row["pseudo"] for row in rows], profile="upstream")
    for row, text in zip(rows, texts, strict=True):
        expected = row["upstream_pseudo_norm"]
        ours = [str(text)] if isinstance(text, SourceError) else significant(text)
        pairs = zip_longest(ours, significant(expected))
        different = next((pair for pair in pairs if pair[0] != pair[1]), None)
        found.equal += different is None
        found.identical += str(text).strip() == expected.strip()
        if different is not None:
            found.different[row["id"]] = different
    return found


def judge_runs(title: str, rows: Sequence[Row]) -> Runs:
    """Compile pseudo-code and run its row's test on it, untouched and normalised.

    Args:
        title: File.
        rows: Rows with a test and Ghidra's pseudo-code.

    Returns:
        The counts.
    """
    found = Runs(title, len(rows))
    raws = [(shim(), row["ghidra_pseudo"]) for row in rows]
    made = list(_with_headers(rows))
    raw_units = compile_many(["\n".join(unit) for unit in raws])
    units = iter(compile_many(["\n".join(unit) for unit in made if not isinstance(unit, str)]))
    for row, raw, raw_verdict, unit in zip(rows, raws, raw_units, made, strict=True):
        raw_passed, _ = _passes(row, raw) if raw_verdict.compiles else (False, "")
        verdict = None if isinstance(unit, str) else next(units)
        compiles = verdict is not None and verdict.compiles
        passed, why = _passes(row, unit) if compiles else (False, "does not compile")
        found.raw_compiled += raw_verdict.compiles
        found.raw_passed += raw_passed
        found.compiled += compiles
        found.passed += passed
        if not compiles:
            found.failures[row["id"]] = unit if verdict is None else verdict.message
        if raw_passed and not passed:
            found.worse[row["id"]] = why
    return found


def _with_headers(rows: Sequence[Row]) -> Iterator[tuple[str, str] | str]:
    """Give what stands before each normalised text, and the text; or why there is none."""
    for text in normalize_many([row["ghidra_pseudo"] for row in rows]):
        try:
            if isinstance(text, SourceError):
                raise text
            yield f"{shim()}\n{infer(text, shim=True)}", text
        except SourceError as error:
            yield str(error)


def _passes(row: Row, unit: tuple[str, str]) -> tuple[bool, str]:
    header, text = unit
    verdict = run_test_against(
        text, row["test"], reference=row["code"], func_name=row["func_name"], header=header
    )
    return bool(verdict.passed), f"{verdict.reason}: {verdict.message}"[:200]


def show(results: Sequence[Texts | Parity | Runs], most: int) -> None:
    """Print what was found.

    Args:
        results: The counts.
        most: How many rows to print of each kind of failure.
    """
    table = Table(title="normalised pseudo-code")
    for column in ("what", "of", "raw", "normalised", "floor", ""):
        table.add_column(column)
    for result in results:
        for cells in _lines(result):
            table.add_row(*cells, "holds" if result.holds else "MISSED")
    CONSOLE.print(table)
    for result in results:
        for kind, found in asdict(result).items():
            for name, what in list(found.items())[:most] if isinstance(found, dict) else ():
                line = f"{kind}: {name}: {what}"
                CONSOLE.print(line, markup=False, highlight=False, soft_wrap=True)


def _lines(result: Texts | Parity | Runs) -> list[tuple[str, str, str, str, str]]:
    def share(count: int) -> str:
        return f"{count} ({count / max(result.rows, 1):.2%})"

    title, rows = result.title, str(result.rows)
    if isinstance(result, Texts):
        return [
            (f"{title} parses", rows, share(result.raw_parsed), share(result.parsed), "99%"),
            (f"{title} literals kept", rows, "", share(result.literals), "all"),
            (f"{title} stable", rows, "", share(result.stable), "all"),
        ]
    if isinstance(result, Parity):
        return [
            (f"{title}: upstream's tokens", rows, "", share(result.equal), "99.5%"),
            (f"{title}: and white space", rows, "", share(result.identical), ""),
        ]
    return [
        (f"{title} compiles", rows, share(result.raw_compiled), share(result.compiled), "88%"),
        (f"{title} passes", rows, share(result.raw_passed), share(result.passed), "raw"),
    ]


def judge(path: Path, every: int, runs: bool) -> list[Texts | Parity | Runs]:
    """Judge a file by the columns that it has.

    Args:
        path: File of rows.
        every: Take only each n-th row.
        runs: Whether to compile and run tests.

    Returns:
        The counts.

    Raises:
        ValueError: The file has no column of pseudo-code.
    """
    rows = [raw for raw, _ in read_rows(str(path))][::every]
    columns = [name for name in ("pseudo", "ghidra_pseudo") if rows and name in rows[0]]
    if not columns:
        raise ValueError(f"{path} has no column pseudo or ghidra_pseudo")
    results: list[Texts | Parity | Runs] = [judge_texts(path.stem, rows, columns[0])]
    printed = [row for row in rows if row.get("upstream_pseudo_norm")]
    if printed:
        results.append(judge_parity(path.stem, printed))
    tested = [row for row in rows if row.get("test") and row.get("ghidra_pseudo")]
    if tested and runs:
        results.append(judge_runs(path.stem, tested))
    return results


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0, or with `--check` 1 when a figure misses its floor.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=Path, nargs="+", required=True, help="files of rows")
    parser.add_argument("--every", type=int, default=1, help="take only each n-th row")
    parser.add_argument("--no-runs", action="store_true", help="compile and run nothing")
    parser.add_argument("--failures", type=int, default=20, help="how many to print of each kind")
    parser.add_argument("--json", type=Path, default=None, help="file for all figures")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a floor is missed")
    chosen = parser.parse_args(arguments)
    results = [r for path in chosen.rows for r in judge(path, chosen.every, not chosen.no_runs)]
    show(results, chosen.failures)
    if chosen.json:
        figures = [{"kind": type(r).__name__, "holds": r.holds, **asdict(r)} for r in results]
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if chosen.check and not all(result.holds for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
