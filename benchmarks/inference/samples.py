"""The texts that inference is tried on, taken from rows of any of the released kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sk2d.c.rename import obfuscate
from sk2d.errors import SourceError

Row = Mapping[str, Any]

_OWN_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"[^"\n]*".*$', re.MULTILINE)


class Sample(NamedTuple):
    """A text without its declarations.

    Attributes:
        name: Which row it is of.
        code: The text; None when it could not be made.
        reason: Why not.
        cut: Whether lines that include files of its program were taken out of it.
    """

    name: str
    code: str | None
    reason: str = ""
    cut: bool = False


class SampleSet(NamedTuple):
    """Texts of one kind, with the rate that has to be reached and the one that is aimed at."""

    title: str
    floor: float
    aim: float
    samples: list[Sample]


class Program(NamedTuple):
    """The distinct functions of a program."""

    name: str
    sources: list[str]


FLOORS: Final = {
    "ground truths": (0.98, 0.995),
    "sources": (0.95, 0.99),
    "IRs of sources": (0.95, 0.99),
    "predicted IRs": (0.85, 0.95),
}
"""What has to compile, and what is aimed at, of the texts of each kind that parse."""


def read(path: Path, every: int = 1) -> list[Row]:
    """Read rows.

    Args:
        path: A file of JSON lines.
        every: Take only each n-th row.

    Returns:
        The rows.
    """
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for i, line in enumerate(lines) if i % every == 0]


def sample_sets(rows: Sequence[Row]) -> Iterator[SampleSet]:
    """Find out by the columns what kind rows are of, and take their texts.

    Args:
        rows: Rows of one file.

    Yields:
        One or more sets.

    Raises:
        ValueError: None of the columns that hold such texts is there.
    """
    columns = set(rows[0]) if rows else set()
    if "reward_model" in columns:
        yield _set("ground truths", [_ground_truth(i, row) for i, row in enumerate(rows)])
    elif "predicted_ir" in columns:
        yield _set("predicted IRs", [Sample(row["id"], row["predicted_ir"]) for row in rows])
    elif {"pseudo", "code"} <= columns:
        yield _set("sources", [_source(i, row) for i, row in enumerate(rows)])
        yield _set("IRs of sources", [_made_ir(i, row) for i, row in enumerate(rows)])
    else:
        raise ValueError(f"no column with code among {sorted(columns)}")


def programs(rows: Sequence[Row]) -> list[Program]:
    """Group the distinct sources of rows by the program that they are of.

    Args:
        rows: Rows of one file.

    Returns:
        The programs; none when the rows do not name theirs or have no sources.
    """
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        if {"program", "code", "pseudo"} <= set(row):
            found.setdefault(row["program"], {}).setdefault(alone(row["code"]))
    return [Program(name, list(sources)) for name, sources in found.items()]


def _set(title: str, samples: list[Sample]) -> SampleSet:
    return SampleSet(title, *FLOORS[title], samples)


def _name(index: int, row: Row) -> str:
    return str(row.get("id", index))


def _ground_truth(index: int, row: Row) -> Sample:
    return Sample(_name(index, row), row["reward_model"]["ground_truth"])


def _source(index: int, row: Row) -> Sample:
    code = alone(row["code"])
    return Sample(_name(index, row), code, cut=code != row["code"])


def alone(code: str) -> str:
    """Take out the lines that include files of the program, which no header can bring back.

    Args:
        code: Source of a function with what stood around it.

    Returns:
        The text without them.
    """
    return _OWN_INCLUDE.sub("", code)


def _made_ir(index: int, row: Row) -> Sample:
    source = _source(index, row)
    assert source.code is not None, "a source is there as it is"
    try:
        return source._replace(code=obfuscate(source.code, row["pseudo"]).ir)
    except SourceError as error:
        return source._replace(code=None, reason=str(error.reason))
