"""R2I compares; values by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from sk2d.metrics.readability import r2i
from sk2d.metrics.readability.scoring import WEIGHTS, relative_scores


def test_scores_equal_those_of_the_reference(released: Callable[[str], Path]) -> None:
    for row in map(json.loads, released("r2i_cases.jsonl").open()):
        assert r2i(row["candidates"], row["function"]) == pytest.approx(row["r2i"], abs=1e-6)


def test_weights_are_31_parts() -> None:
    assert sum(WEIGHTS.values()) == 31


def test_a_score_by_hand() -> None:
    same = dict.fromkeys(WEIGHTS, 0.0)
    first = same | {"goto": 2.0, "ref_structured": 3.0}
    second = same | {"cond_depth": 1.0}
    total = Fraction(1) + 1 + Fraction(4, 3)
    by_hand = {
        "first": (Fraction(1, 3) + Fraction(3, 4) + Fraction(4, 3)) / total,
        "second": (Fraction(1) + 0 + Fraction(4, 3) / 2) / total,
    }
    found = relative_scores({"first": first, "second": second})
    assert found == pytest.approx({name: float(value) for name, value in by_hand.items()})


def test_candidates_that_do_not_differ_are_all_readable() -> None:
    code = "int f(int a) { return a; }"
    assert r2i({"one": code, "two": code}, "f") == {"one": 1.0, "two": 1.0}


def test_what_cannot_be_read_scores_nothing_and_changes_nothing() -> None:
    one, two = "int f(int a) { return a; }", "int f(int a) { int b = a; return b; }"
    pair = r2i({"one": one, "two": two}, "f")
    assert r2i({"one": one, "two": two, "broken": "int f("}, "f") == pair | {"broken": 0.0}


def test_one_candidate_is_no_comparison() -> None:
    with pytest.raises(ValueError, match="two or more"):
        r2i({"one": "int f(void) { return 1; }"}, "f")
