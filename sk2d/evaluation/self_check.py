"""Can the set's tests tell right from wrong? Asked before any system is judged.

A row counts only when its reference passes its test and a function that does nothing does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from sk2d.errors import DataError
from sk2d.evaluation.sets import EvaluationSet
from sk2d.metrics.executability import Execution

MOST_EXCLUDED = Fraction(1, 20)
"""From here on a set says too little to be used."""

REFERENCE_FAILS, ACCEPTS_STUB, ROW_BROKEN = "reference_fails", "accepts_stub", "row_broken"


@dataclass(frozen=True)
class Excluded:
    """A row that does not count.

    Attributes:
        id: Its id.
        reason: `reference_fails`, `accepts_stub` or `row_broken`.
        message: What the compiler or the program wrote.
    """

    id: str
    reason: str
    message: str


def excluded_rows(
    references: Mapping[str, Execution], stubs: Mapping[str, Execution]
) -> list[Excluded]:
    """Name the rows that do not count.

    Args:
        references: What became of each reference with a test, by id.
        stubs: What became of a function that does nothing in its place.

    Returns:
        The rows, in the order of the references.
    """
    found = []
    for identity, execution in references.items():
        if not execution.passes:
            said = execution.message or str(execution.reason)
            found.append(Excluded(identity, REFERENCE_FAILS, said))
        elif stubs[identity].passes:
            said = "the test passes for a function that does nothing"
            found.append(Excluded(identity, ACCEPTS_STUB, said))
    return found


def refuse_a_blind_set(functions: EvaluationSet, excluded: Iterable[Excluded]) -> None:
    """Refuse a set of which too many rows do not count.

    Args:
        functions: The set.
        excluded: Its rows that do not count.

    Raises:
        DataError: More than one in twenty.
    """
    out = list(excluded)
    tested = sum(function.test is not None for function in functions.functions)
    rows = tested or len(functions.functions)
    if Fraction(len(out), rows) > MOST_EXCLUDED:
        names = ", ".join(f"{each.id} ({each.reason})" for each in out[:5])
        raise DataError(
            f"{len(out)} of {rows} rows cannot tell right from wrong: {names}"
            + (" and more" if len(out) > 5 else ""),
            where=functions.name,
            remedy="Repair or remove these rows; at most one in twenty is left out",
        )
