"""What a system answered, read from a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.files import read_rows
from sk2d.corpus.rows import CODE, IR, PREDICTED_CODE, PREDICTED_IR, row_id
from sk2d.errors import DataError, UserError, UserErrors, did_you_mean
from sk2d.evaluation.sets import MOST_ERRORS, EvaluationSet
from sk2d.evaluation.systems import Answer, Kind, System

PREDICTED: Final = "predicted (stored)"


def load_predictions(name: str, path: str | Path, functions: EvaluationSet) -> System:
    """Read what a system answered.

    Args:
        name: What reports call the system.
        path: Rows with `id` and `code`, or `predicted_code` where `code` is the source; `ir`, or
            `predicted_ir`, is what its Skeleton made.
        functions: The set that was answered.

    Returns:
        The system; ids of the set may be missing.

    Raises:
        UserErrors: Ids that the set does not have, or that stand twice, and rows without an answer.
        DataError: There is no such file, or no answers in it.
    """  # noqa: DOC502
    known = {function.id for function in functions.functions}
    found: dict[str, Answer] = {}
    errors: list[UserError] = []
    column = ""
    for row, where in read_rows(path):
        identity = row_id(row, where)
        column = column or (PREDICTED_CODE if PREDICTED_CODE in row else CODE)
        answer = _answer(row, column)
        if answer is None:
            errors.append(DataError(f"the row has no text in `{column}`", where=where))
        elif identity not in known:
            what = f"{functions.name} has no function with the id {identity!r}"
            errors.append(DataError(what, where=where, remedy=did_you_mean(identity, known)))
        elif identity in found:
            errors.append(DataError(f"the id {identity!r} stands twice", where=where))
        else:
            found[identity] = answer
        if len(errors) == MOST_ERRORS:
            break
    if errors:
        raise UserErrors(errors)
    if not found:
        raise DataError("there are no predictions here", where=str(path))
    return System(name, Kind.PREDICTIONS, f"answers read from {Path(path).name}", found)


def _answer(row: Mapping[str, Any], column: str) -> Answer | None:
    """Take the answer from one column: `code` beside `predicted_code` is the source."""
    code = row.get(column)
    ir = row.get(PREDICTED_IR, row.get(IR))
    if not isinstance(code, str):
        return None
    return Answer(code, ir=ir if isinstance(ir, str) else None)


def stored_predictions(functions: EvaluationSet) -> list[System]:
    """Give the answers that stand in the set itself.

    Args:
        functions: The set.

    Returns:
        One system, or none where the set has no answers.
    """
    found = {
        function.id: Answer(function.predicted[0], ir=function.predicted[1])
        for function in functions.functions
        if function.predicted is not None
    }
    about = f"the set's column {PREDICTED_CODE}"
    return [System(PREDICTED, Kind.PREDICTIONS, about, found)] if found else []
