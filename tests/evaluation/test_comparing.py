"""Intervals and the sign test, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sk2d.evaluation.comparing import bootstrap, compare, sign_test


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1), (1, 0, 1), (5, 5, 1), (5, 0, Fraction(2, 32)), (8, 2, Fraction(2 * 56, 1024))],
)
def test_sign_test(wins: int, losses: int, p: Fraction) -> None:
    assert sign_test(wins, losses) == sign_test(losses, wins) == p


def test_equal_systems_do_not_differ() -> None:
    found = compare([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])
    assert (found.difference, found.low, found.high) == (0.0, 0.0, 0.0)
    assert (found.wins, found.losses, found.p_value) == (0, 0, 1.0)


def test_a_clear_difference_is_seen_and_the_same_each_time() -> None:
    first, second = [1.0] * 40 + [0.0] * 60, [0.0] * 30 + [1.0] * 5 + [0.0] * 65
    found = compare(first, second)
    assert found.difference == pytest.approx(0.35)
    assert 0.2 < found.low < 0.35 < found.high < 0.5
    assert (found.wins, found.losses) == (35, 0)
    assert found == compare(first, second)


def test_the_interval_is_near_that_of_the_normal_distribution() -> None:
    low, high = bootstrap([1.0] * 50 + [0.0] * 50)
    assert low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [])])
def test_what_is_no_pair_is_an_error(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError, match="no pairs"):
        compare(first, second)
