"""Edit similarity: defined for nothing, the same both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.metrics.edits import edit_similarity, formatted


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [("", "", 1.0), ("", "abc", 0.0), ("kitten", "sitting", 1 - 3 / 7), ("same", "same", 1.0)],
)
def test_f4_values_by_hand(one: str, other: str, value: float) -> None:
    assert edit_similarity(one, other) == pytest.approx(value)


@given(st.text(max_size=30), st.text(max_size=30))
def test_f4_it_is_the_same_both_ways(one: str, other: str) -> None:
    assert edit_similarity(one, other) == edit_similarity(other, one)


def test_f4_an_include_on_one_side_counts_the_same_on_either() -> None:
    plain = "int f(){return 1;}"
    with_include = "#include <a.h>\n" + plain
    value = 1 - len("#include <a.h>\n") / len(with_include)
    assert edit_similarity(with_include, plain) == pytest.approx(value)
    assert edit_similarity(plain, with_include) == pytest.approx(value)


def test_layout_does_not_count_once_formatted() -> None:
    one, other = formatted(["int f(int a){return a;}", "int f(int a)\n{\n\treturn a;\n}\n"])
    assert one == other


def test_what_cannot_be_formatted_is_compared_as_it_is() -> None:
    assert formatted(["  a\0b \n"]) == ["a\0b"]
