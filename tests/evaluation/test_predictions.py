"""Answers are found by id; what does not fit is an error, all at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sk2d.errors import DataError, UserErrors
from sk2d.evaluation.predictions import load_predictions, stored_predictions
from sk2d.evaluation.sets import EvaluationSet, load_set
from sk2d.evaluation.systems import Answer, Kind

PAIR = {"id": "p", "func_name": "f", "code": "int f(void) { return 1; }"}


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def functions(tmp_path: Path) -> EvaluationSet:
    return load_set(written(tmp_path / "set.jsonl", [PAIR, PAIR | {"id": "q"}]))


def test_answers_by_id(functions: EvaluationSet, tmp_path: Path) -> None:
    answers = written(tmp_path / "a.jsonl", [{"id": "q", "code": "int x;"}])
    system = load_predictions("mine", answers, functions)
    assert (system.name, system.kind) == ("mine", Kind.PREDICTIONS)
    assert system.answers == {"q": Answer("int x;")}


def test_beside_an_answer_the_column_code_is_the_source(
    functions: EvaluationSet, tmp_path: Path
) -> None:
    row = PAIR | {"predicted_code": "int y;", "predicted_ir": "int z;"}
    answers = written(tmp_path / "b.jsonl", [row])
    assert load_predictions("b", answers, functions).answers == {"p": Answer("int y;", ir="int z;")}
    without = written(tmp_path / "c.jsonl", [row, PAIR | {"id": "q"}])
    with pytest.raises(UserErrors, match="no text in `predicted_code`"):
        load_predictions("c", without, functions)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([{"id": "p", "code": "a"}, {"id": "p", "code": "b"}], "stands twice"),
        ([{"id": "pp", "code": "a"}], "has no function with the id 'pp'"),
        ([{"id": "p"}], "no text in `code`"),
        ([], "no predictions"),
    ],
)
def test_wrong_predictions(
    rows: list[dict[str, Any]], says: str, functions: EvaluationSet, tmp_path: Path
) -> None:
    with pytest.raises(DataError if not rows else UserErrors, match=says):
        load_predictions("x", written(tmp_path / "a.jsonl", rows), functions)


def test_answers_that_stand_in_the_set(tmp_path: Path) -> None:
    rows = [PAIR | {"predicted_code": "int y;"}, PAIR | {"id": "q"}]
    (system,) = stored_predictions(load_set(written(tmp_path / "s.jsonl", rows)))
    assert system.answers == {"p": Answer("int y;")}
    assert stored_predictions(load_set(written(tmp_path / "t.jsonl", [PAIR]))) == []


def test_released_answers_are_read(released: Callable[[str], Path]) -> None:
    path = released("bringup_sk2_predictions.jsonl")
    system = load_predictions("sk2", path, load_set(path))
    assert len(system.answers) == 718
    assert all(answer.ir for answer in system.answers.values())
