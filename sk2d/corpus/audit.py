"""What must hold for a finished corpus, checked on its files and not on what made them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.files import count_rows, read_rows
from sk2d.corpus.preprocess.identity import canonical, digest, name_problems, round_trip_problems
from sk2d.corpus.preprocess.layout import meaning
from sk2d.corpus.preprocess.records import Record
from sk2d.corpus.preprocess.tools import Tools
from sk2d.corpus.rows import (
    CODE,
    COMPILES,
    FUNC_NAME,
    HEADER,
    IR,
    MAPPING,
    PROGRAM,
    PSEUDO_NORM,
    SPLIT,
)
from sk2d.errors import SourceError

_SHOWN: Final = 20


class _Findings:
    """What was found, of which the first are kept in words."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.count = 0

    def add(self, text: str) -> None:
        """Count a finding, and keep the first ones."""
        self.count += 1
        if len(self.told) < _SHOWN:
            self.told.append(text)


def audit(
    folder: Path, report: Mapping[str, Any], evaluation: Collection[str] = ()
) -> dict[str, Any]:
    """Check the files of a finished run against each other.

    Args:
        folder: The output folder.
        report: Its report.
        evaluation: Hashes and names of functions that must not be there.

    Returns:
        `findings`, their number, and the first of them in words; none when all is well.
    """
    findings = _Findings()
    _check_counts(folder, report, findings)
    _check_rows(folder, report, evaluation, findings)
    return {"findings": findings.count, "found": findings.told}


def _check_counts(folder: Path, report: Mapping[str, Any], findings: _Findings) -> None:
    """Rows in = rows out + rejects, and every file has the rows that the report tells."""
    for name, told in report["outputs"].items():
        for path in (folder / f"{name}.jsonl", folder / f"{name}.parquet"):
            if path.suffix == ".parquet" and name in ("rows", "rejects"):
                continue
            found = count_rows(path)
            if found != told:
                findings.add(f"{path.name} has {found} rows, not {told}")
    rows, rejects = (count_rows(folder / f"{name}.jsonl") or 0 for name in ("rows", "rejects"))
    if rows + rejects != report["rows_in"]:
        findings.add(f"{report['rows_in']} rows in, but {rows} out and {rejects} rejected")


def _check_rows(
    folder: Path, report: Mapping[str, Any], evaluation: Collection[str], findings: _Findings
) -> None:
    """No function on two sides or from an evaluation file; every row says that it compiles."""
    must_compile = report["settings"]["require_compiling"]
    with closing(sqlite3.connect("")) as database:  # a file of its own, without a name
        database.execute("create table side (key text primary key, side text) without rowid")
        for row, where in read_rows(folder / "rows.jsonl"):
            for key in function_keys(row):
                values = (key, row[SPLIT])
                database.execute("insert or ignore into side values (?, ?)", values)
                query = "select side from side where key = ?"
                if database.execute(query, (key,)).fetchone()[0] != row[SPLIT]:
                    findings.add(f"{where}: a function stands on both sides")
                if key in evaluation:
                    findings.add(f"{where}: a function of an evaluation file")
            if must_compile and row[COMPILES] is not True:
                findings.add(f"{where}: does not compile")


def function_keys(row: Mapping[str, Any]) -> list[str]:
    """Give what tells the function of a row: its tokens, and its names where both are told.

    Args:
        row: A row of `rows.jsonl`.

    Returns:
        A hash, and `program:name`.
    """
    program, name = row.get(PROGRAM), row.get(FUNC_NAME)
    keys = [digest(canonical(meaning(row[CODE]), str(name or "")))]
    return [*keys, f"{program}:{name}"] if program and name else keys


def audit_again(folder: Path, tools: Tools) -> Iterator[str]:
    """Work out again, row by row, what a run recorded: round trip, names, verdict. Takes long.

    Args:
        folder: The output folder.
        tools: The functions of the steps.

    Yields:
        What does not hold, with the place of the row.
    """
    for row, where in read_rows(folder / "rows.jsonl"):
        name = _or_none(tools.function_name, row[CODE]) or ""
        record = Record(where, row, made=row | {"function": name})
        pseudo, ir = (set(meaning(row[column])) for column in (PSEUDO_NORM, IR))
        problems = name_problems(record, pseudo, ir)
        problems += round_trip_problems(row[IR], row[MAPPING], meaning(row[CODE]), tools)
        yield from (f"{where}: {problem}" for problem in problems)
        [verdict] = tools.compile_all([f"{row[HEADER].rstrip()}\n{row[IR]}\n"])
        if verdict.compiles != row[COMPILES]:
            yield f"{where}: compiles is {row[COMPILES]}, the compiler says {verdict.compiles}"


def _or_none(function: Callable[[str], str], code: str) -> str | None:
    try:
        return function(code)
    except SourceError:
        return None


def read_report(folder: Path) -> dict[str, Any]:
    """Read the report of a finished run.

    Args:
        folder: The output folder.

    Returns:
        The report.
    """
    found = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict), "a report is an object"
    return found
