"""Names: words of names, by kind."""

from __future__ import annotations

import pytest

from sk2d.metrics.identifiers import name_similarity, names_by_kind, sub_tokens


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parseHTTPHeader2", ["parse", "http", "header", "2"]),
        ("parse_http_header_2", ["parse", "http", "header", "2"]),
        ("MAX_LEN", ["max", "len"]),
        ("x", ["x"]),
        ("__", []),
    ],
)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert sub_tokens(name) == words


def test_names_of_the_library_are_not_chosen() -> None:
    code = "size_t f(struct node *list) { return strlen(list->text); }"
    found = names_by_kind(code, "f")
    assert found == {"func": set(), "type": {"node"}, "var": {"list"}, "field": {"text"}}


def test_f1_by_hand() -> None:
    found = name_similarity(
        "int f(int totalCount, int i) { return totalCount + i + p->next; }",
        "int f(int count, int index) { return count + index + node->next_node; }",
        "f",
    )
    assert found["field"] == pytest.approx(2 * 1 / (1 + 2))  # next | next node
    assert found["var"] == pytest.approx(2 * 1 / (4 + 3))  # total count i p | count index node
    assert found["all"] == pytest.approx(2 * 2 / (5 + 5))
    assert found["type"] is None


def test_a_candidate_that_is_no_text_has_no_names() -> None:
    assert name_similarity("\0", "int f(int count) { return count; }", "f")["var"] == 0.0
