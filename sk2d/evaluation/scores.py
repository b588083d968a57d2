"""From measures of single answers to the numbers of a system, by level and in total."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sk2d.evaluation.measuring import Measures
from sk2d.evaluation.sets import Function
from sk2d.metrics import identifiers

LEVELS: Final = ("O0", "O1", "O2", "O3")
TOTAL: Final = "total"

ByLevel = dict[str, float | None]


@dataclass(frozen=True)
class Row:
    """One answer and what is known of it.

    Attributes:
        function: What was asked.
        measures: Measures of the answer.
        r2i: Its score beside the other candidates; None where it is no candidate.
    """

    function: Function
    measures: Measures
    r2i: float | None


def levels_of(functions: Iterable[Function]) -> list[str]:
    """List levels: O0 to O3, and what else there is.

    Args:
        functions: Functions of a set.

    Returns:
        The levels in their order.
    """
    others = {function.level for function in functions} - {"", *LEVELS}
    return [*LEVELS, *sorted(others)]


def scores(rows: Sequence[Row]) -> dict[str, Any]:
    """Give the numbers of a system.

    Args:
        rows: Its answers to the functions that count.

    Returns:
        Shares and means by name; each with the levels and the total, None where there is nothing
        that it could be taken of.
    """
    return {name: by_level(rows, value) for name, value in _VALUES.items()} | {
        "nodes": _node_shares(rows),
        "names": _name_means(rows),
        "unreadable": sum(row.measures.features is None for row in rows),
        "ir": _ir_scores(rows),
    }


def by_level(rows: Sequence[Row], value: Callable[[Row], float | None]) -> ByLevel:
    """Give the mean of a value, in total and by level.

    Args:
        rows: Answers.
        value: The value of an answer; None leaves it out.

    Returns:
        The means; None where there is no value.
    """
    found: ByLevel = {TOTAL: _mean(map(value, rows))}
    for level in levels_of(row.function for row in rows):
        found[level] = _mean(value(row) for row in rows if row.function.level == level)
    return found


def _mean(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else None


def _passes(row: Row) -> float | None:
    return row.measures.execution.passes


def _wrong(row: Row) -> float | None:
    execution = row.measures.execution
    return None if execution.passes is None else execution.wrong


def _edit(row: Row) -> float:
    return row.measures.edit


def _compiles(row: Row) -> float:
    return row.measures.execution.compiles


def _r2i(row: Row) -> float | None:
    return row.r2i


_VALUES: Final[Mapping[str, Callable[[Row], float | None]]] = {
    "executable": _passes,
    "compilable": _compiles,
    "builds_but_wrong": _wrong,
    "edit": _edit,
    "edit_raw": lambda row: row.measures.edit_raw,
    "exact": lambda row: row.measures.exact,
    "r2i": _r2i,
}

COMPARED: Final[Mapping[str, Callable[[Row], float | None]]] = {
    "executable": _passes,
    "compilable": _compiles,
    "edit": _edit,
    "r2i": _r2i,
}
"""What two systems are compared by."""


def _node_shares(rows: Iterable[Row]) -> dict[str, float]:
    """Share of all the references' nodes of a kind that the answers have too."""
    same: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for row in rows:
        for kind, (found, wanted) in row.measures.nodes.items():
            same[kind] += found
            there[kind] += wanted
    return {kind: same[kind] / there[kind] for kind in sorted(there)}


def _name_means(rows: Sequence[Row]) -> dict[str, float | None]:
    kinds = (*identifiers.KINDS, "all")
    return {kind: _mean(row.measures.names.get(kind) for row in rows) for kind in kinds}


def _ir_scores(rows: Sequence[Row]) -> dict[str, Any] | None:
    judged = [(row, row.measures.ir) for row in rows if row.measures.ir is not None]
    if not judged:
        return None
    return {
        "rows": len(judged),
        "compilable": _mean(ir.compiles for _, ir in judged),
        "placeholders": _mean(ir.placeholders for _, ir in judged),
    }
