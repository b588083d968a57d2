"""Exact match by kind of syntax."""

from __future__ import annotations

import pytest

from sk2d.errors import SourceError
from sk2d.metrics.nodes import exact_nodes

REFERENCE = "int f(int a) { if (a) return 1; return g(a, 2); }"


def test_each_node_counts_once() -> None:
    found = exact_nodes(
        "int f(int a)\n{\n  if ( a ) /* so */ return 1;\n  return g(a, 3);\n}", REFERENCE
    )
    assert found["if"] == (1, 1)
    assert found["return"] == (1, 2)
    assert found["call"] == (0, 1)
    assert found["number"] == (1, 2)
    assert found["parameter"] == (1, 1)


def test_a_copy_in_the_candidate_does_not_count_twice() -> None:
    found = exact_nodes("int f(int a) { return 1; return 1; return 1; }", REFERENCE)
    assert found["return"] == (1, 2)


def test_the_same_text_matches_all() -> None:
    assert all(same == there for same, there in exact_nodes(REFERENCE, REFERENCE).values())


def test_a_candidate_that_is_no_text_misses_all() -> None:
    assert {same for same, _ in exact_nodes("\0", REFERENCE).values()} == {0}


def test_a_reference_that_is_no_text_is_an_error() -> None:
    with pytest.raises(SourceError):
        exact_nodes(REFERENCE, "\0")
