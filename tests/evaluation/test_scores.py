"""Means and shares by exact fractions."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from sk2d.evaluation.measuring import Measures
from sk2d.evaluation.scores import Row, by_level, levels_of, scores
from sk2d.evaluation.sets import Function
from sk2d.metrics.executability import Execution
from sk2d.rewards.structure import Structure

PASSED, WRONG = Execution(True, True), Execution(True, False, "assertion")
NOT_BUILT, UNTESTED = Execution(False, False, "compile_error"), Execution(True, None)


def row(level: str, execution: Execution, **more: Any) -> Row:
    function = Function(f"a/{level}", level, "a", "", "", None, {}, None, "")
    measures = Measures(execution, 0.5, 0.25, False, {}, {}, {})
    return Row(function, dataclasses.replace(measures, **more), 0.75)


def test_every_share_has_its_own_denominator() -> None:
    rows = [row("O0", PASSED), row("O0", WRONG), row("O0", NOT_BUILT), row("O2", UNTESTED)]
    found = scores(rows)
    none = {"O1": None, "O3": None}
    assert found["executable"] == {"total": 1 / 3, "O0": 1 / 3, "O2": None} | none
    assert found["compilable"] == {"total": 3 / 4, "O0": 2 / 3, "O2": 1.0} | none
    assert found["builds_but_wrong"] == {"total": 1 / 3, "O0": 1 / 3, "O2": None} | none
    assert (found["edit"]["total"], found["edit_raw"]["total"], found["r2i"]["total"]) == (
        0.5,
        0.25,
        0.75,
    )


def test_nodes_are_shares_of_all_nodes_and_names_means_of_functions() -> None:
    rows = [
        row("O0", PASSED, nodes={"if": (1, 1), "call": (0, 2)}, names={"all": 1.0, "var": None}),
        row("O0", PASSED, nodes={"if": (1, 3)}, names={"all": 0.5}, features=None),
    ]
    found = scores(rows)
    assert found["nodes"] == {"call": 0.0, "if": 0.5}
    assert (found["names"]["all"], found["names"]["var"]) == (0.75, None)
    assert found["unreadable"] == 1


def test_irs_that_could_not_be_judged_are_in_no_mean() -> None:
    assert scores([row("O0", PASSED)])["ir"] is None
    rows = [row("O0", PASSED, ir=Structure(True, 0.5)), row("O0", PASSED)]
    rows += [row("O0", PASSED, ir=Structure(False, 1.0))]
    assert scores(rows)["ir"] == {"rows": 2, "compilable": 0.5, "placeholders": 0.75}


def test_levels_that_few_sets_have_come_last() -> None:
    rows = [row("Os", PASSED), row("", PASSED), row("O1", PASSED)]
    assert levels_of(each.function for each in rows) == ["O0", "O1", "O2", "O3", "Os"]
    assert by_level(rows, lambda each: 1.0)["total"] == 1.0


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_has_no_mean(count: int) -> None:
    assert by_level([row("O0", UNTESTED)] * count, lambda each: None)["total"] is None
