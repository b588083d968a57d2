"""Answers are measured once, in any number of processes, and not again after a kill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.evaluation import judging
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.judging import measure_all
from sk2d.evaluation.measuring import Question, measure, missing
from sk2d.evaluation.sets import Function
from sk2d.metrics.executability import Execution

CODE = "int twice(int n) { return n * 2; }"
TEST = "#include <assert.h>\nint main(void) { assert(twice(4) == 8); return 0; }"
ROW = Function("a", "O0", "twice", CODE, CODE, TEST, {}, None, "set:1")
FLAGS = ("-O0", "-std=gnu17", "-w")


def question(code: str, row: Function = ROW) -> Question:
    return Question(code, False, row, FLAGS)


ANSWERS = [question(CODE), question("int twice(int n) { return n; }"), question("nothing")]


def test_measures_of_a_right_answer() -> None:
    found = measure(question("int twice( int n )\n{ return n * 2; }"))
    assert found.execution == Execution(True, True)
    assert (found.exact, found.edit) == (True, 1.0)
    assert found.edit_raw < 1.0
    assert found.names["var"] == 1.0
    assert found.features is not None
    assert found.nodes["return"] == (1, 1)


def test_an_answer_that_is_not_there_failed() -> None:
    found = missing(ROW)
    assert found.execution == Execution(False, False, "missing", "no answer")
    assert found.edit == 0.0


def test_a_broken_row_is_told_from_a_wrong_answer(tmp_path: Path) -> None:
    row = Function("b", "O0", "twice", CODE, CODE, "int main(void) { ? }", {}, None, "set:2")
    (found,) = measure_all([question(CODE, row)], "gcc", Journal(tmp_path / "m.jsonl"))
    assert found.execution.reason == "test_broken"


def test_processes_do_not_change_measures_or_their_order(tmp_path: Path) -> None:
    one = measure_all(ANSWERS, "gcc", Journal(tmp_path / "one.jsonl"), workers=1)
    two = measure_all(ANSWERS, "gcc", Journal(tmp_path / "two.jsonl"), workers=2)
    assert one == two
    assert [each.execution.passes for each in one] == [True, False, False]


def test_what_was_measured_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.jsonl"
    first = measure_all(ANSWERS, "gcc", Journal(path))
    lines = path.read_text().splitlines()
    path.write_text(lines[0] + "\n" + lines[1] + "\n" + lines[2][:40])  # a kill in mid-line
    asked: list[str] = []

    def counted(question: Question) -> object:
        asked.append(question.code)
        return measure(question)

    monkeypatch.setattr(judging, "measure", counted)
    assert measure_all(ANSWERS, "gcc", Journal(path)) == first
    assert asked == ["nothing"]
    good = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}}")]
    assert len(good) == 3


def test_another_compiler_is_another_question() -> None:
    assert ANSWERS[0].key("gcc 12") != ANSWERS[0].key("gcc 14")
    assert question(CODE).key("gcc") == ANSWERS[0].key("gcc")


def test_equal_answers_are_measured_once(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    journal = Journal(tmp_path / "m.jsonl")
    found = measure_all(
        [ANSWERS[0]] * 3, "gcc", journal, progress=lambda *numbers: told.append(numbers)
    )
    assert len(found) == 3
    assert told == [(0, 1), (1, 1)]
