"""pass@k by hand, and by counting all choices."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.metrics.passk import mean_pass_at_k, pass_at_k


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [
        (1, 1, 1, 1),
        (1, 0, 1, 0),
        (5, 2, 1, Fraction(2, 5)),
        (5, 2, 3, Fraction(9, 10)),
        (5, 4, 2, 1),
    ],
)
def test_values_by_hand(n: int, c: int, k: int, value: Fraction) -> None:
    assert pass_at_k(n, c, k) == value


def test_too_few_answers_say_nothing() -> None:
    assert pass_at_k(3, 1, 4) is None
    assert mean_pass_at_k([(5, 1), (3, 1)], 4) is None
    assert mean_pass_at_k([], 1) is None


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_errors(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"right|from 1"):
        pass_at_k(n, c, k)


@given(st.integers(1, 8), st.data())
def test_it_is_the_share_of_choices_with_a_right_answer(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    choices = list(combinations(range(n), k))
    right = sum(any(place < c for place in choice) for choice in choices)
    assert pass_at_k(n, c, k) == Fraction(right, len(choices))


def test_the_mean_is_exact() -> None:
    assert mean_pass_at_k([(3, 1), (3, 2)], 1) == Fraction(1, 2)
