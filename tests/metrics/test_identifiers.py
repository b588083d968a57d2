"""Names: words of names, by kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sk2d.metrics.identifiers import name_cosine, name_similarity, names_by_kind, sub_tokens


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


def test_the_cosine_of_names_by_hand() -> None:
    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[float(text.count("len")), float(text.count("sum"))] for text in texts]

    source = "int total(int len, int sum) { return len + sum; }"
    assert name_cosine(source, source, embed, "total") == pytest.approx(1.0)
    half = "int total(int len, int x) { return len + x; }"
    assert name_cosine(half, source, embed, "total") == pytest.approx(2**-0.5)
    assert name_cosine("int total(void) { return 0; }", source, embed, "total") == 0.0
    assert name_cosine("", source, embed, "total") == 0.0
    assert name_cosine(source, "int total(void) { return 0; }", embed, "total") is None
