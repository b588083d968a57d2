"""Trees work on bytes: offsets, edits, limits and errors."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Node

from sk2d.c.parse import (
    MAX_DEPTH,
    Edit,
    Tree,
    apply_edits,
    decode,
    encode,
    parse,
    parse_valid,
    room_for_recursion,
    syntax_error,
    walk,
)
from sk2d.errors import Reason, SourceError
from tests.c.c_programs import functions


def nested(levels: int) -> str:
    return f"int f(void) {{ return {'(' * levels}1{')' * levels}; }}"


def reason(code: str) -> Reason:
    with pytest.raises(SourceError) as caught:
        parse_valid(code)
    return caught.value.reason


def identifiers(tree: Tree, name: str) -> list[Node]:
    return [n for n in walk(tree.root) if n.type == "identifier" and tree.text(n) == name]


@pytest.mark.parametrize("odd", ["naïve → ok", "ol\udce9", "\U0001f600", "\u2028"])
def test_a17_offsets_count_bytes(odd: str) -> None:
    tree = parse(f'int f(int cnt) {{ puts("{odd}"); return cnt; }}')
    found = identifiers(tree, "cnt")
    assert len(found) == 2
    edits = [Edit(n.start_byte, n.end_byte, b"n") for n in found]
    assert decode(apply_edits(tree.source, edits)) == f'int f(int n) {{ puts("{odd}"); return n; }}'


def test_a17_line_ends_and_byte_order_mark_are_gone_before_offsets_count() -> None:
    tree = parse("\ufeffint a;\r\nint b;\r\n")
    assert tree.source == b"int a;\nint b;\n"
    assert [tree.text(n) for n in identifiers(tree, "b")] == ["b"]


@given(st.binary())
def test_any_bytes_survive(source: bytes) -> None:
    assert encode(decode(source)) == source


@pytest.mark.parametrize(
    ("code", "where"),
    [
        ("int f( { return 1; }", "line 1"),
        ("int f(void) {\n  return 1\n}", "line 2"),
        ("int x = ;", "line 1"),
        ('puts("open', "line 1"),
    ],
)
def test_what_is_no_valid_c_is_told_with_its_place(code: str, where: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_valid(code)
    assert caught.value.reason == Reason.SYNTAX_ERROR
    assert caught.value.where is not None
    assert caught.value.where.startswith(where)
    assert syntax_error(parse(code)) is not None


def test_what_cannot_be_worked_on_has_its_reason() -> None:
    assert reason("") == Reason.EMPTY
    assert reason("int a;\0") == Reason.NUL_BYTE
    assert reason("\ud800") == Reason.NOT_TEXT
    assert reason("x" * 2**20) == Reason.TOO_LARGE
    assert reason(nested(10_000)) == Reason.TOO_DEEP
    assert reason("{" * 100_000) == Reason.SYNTAX_ERROR  # an error has a flat tree


def test_depth_is_measured_and_limited() -> None:
    levels = next(n for n in range(MAX_DEPTH) if parse(nested(n + 1)).depth == MAX_DEPTH)
    assert parse_valid(nested(levels + 1)).depth == MAX_DEPTH
    assert reason(nested(levels + 2)) == Reason.TOO_DEEP
    assert parse("a").depth < parse("{ a; }").depth


def test_recursion_has_room_for_the_deepest_tree_and_gives_it_back() -> None:
    tree = parse(nested(MAX_DEPTH - 20))

    def inner(node: Node) -> int:
        return 1 + max((outer(child) for child in node.children), default=0)

    def outer(node: Node) -> int:
        return max([0, *map(inner, [node])])

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(_frames()) + 200)
    try:
        limit = sys.getrecursionlimit()
        with pytest.raises(RecursionError):
            outer(tree.root)
        with room_for_recursion(tree):
            assert outer(tree.root) == tree.depth
        assert sys.getrecursionlimit() == limit
        with pytest.raises(ZeroDivisionError), room_for_recursion(tree):
            raise ZeroDivisionError
        assert sys.getrecursionlimit() == limit
    finally:
        sys.setrecursionlimit(before)


def _frames() -> list[object]:
    frame, found = sys._getframe(), list[object]()
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found


def test_walk_goes_in_the_order_of_the_text_parents_first() -> None:
    nodes = list(walk(parse("int f(int a) { return a + g(1); }").root))
    starts = [n.start_byte for n in nodes]
    assert starts == sorted(starts)
    assert nodes[0].type == "translation_unit"
    places = {n.id: at for at, n in enumerate(nodes)}
    assert all(places[c.id] > places[n.id] for n in nodes for c in n.children)


def test_edits_need_no_order() -> None:
    source = b"one two three"
    edits = [Edit(4, 7, b"2"), Edit(0, 3, b""), Edit(8, 13, b"drei und vier"), Edit(13, 13, b"!")]
    assert apply_edits(source, edits) == b" 2 drei und vier!"
    assert apply_edits(source, reversed(edits)) == apply_edits(source, edits)
    assert apply_edits(source, []) == source


def test_edits_that_overlap_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="overlap"):
        apply_edits(b"abcdef", [Edit(0, 3, b""), Edit(2, 4, b"")])


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.binary(max_size=5))))
def test_edits_equal_a_rebuilt_text(source: bytes, cuts: list[tuple[int, bytes]]) -> None:
    places = sorted({min(at, len(source)) for at, _ in cuts} | {0, len(source)})
    new = dict(zip(places, [text for _, text in cuts], strict=False))
    edits, built = [], b""
    for start, end in zip(places, places[1:], strict=False):
        if start in new:
            edits.append(Edit(start, end, new[start]))
        built += new.get(start, source[start:end])
    assert apply_edits(source, edits) == built


@settings(max_examples=50, deadline=None)
@given(functions())
def test_generated_programs_have_trees_without_errors(code: str) -> None:
    tree = parse_valid(code)
    assert tree.root.start_byte == 0 or not code[: tree.root.start_byte].strip()
    assert tree.depth == _depth(tree.root)


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.children), default=0)
