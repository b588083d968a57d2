"""Which kinds of syntax a candidate gets word for word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from sk2d.c.parse import decode, parse
from sk2d.errors import SourceError

KINDS: Final[Mapping[str, str]] = {
    "if_statement": "if",
    "for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
    "switch_statement": "switch",
    "case_statement": "case",
    "return_statement": "return",
    "declaration": "declaration",
    "parameter_declaration": "parameter",
    "assignment_expression": "assignment",
    "call_expression": "call",
    "binary_expression": "binary",
    "unary_expression": "unary",
    "cast_expression": "cast",
    "conditional_expression": "ternary",
    "field_expression": "field",
    "subscript_expression": "subscript",
    "pointer_expression": "pointer",
    "string_literal": "string",
    "number_literal": "number",
    "identifier": "identifier",
    "type_identifier": "type",
}
"""Kinds of tree-sitter's C grammar -> what they are called in reports."""


def exact_nodes(candidate: str, reference: str) -> dict[str, tuple[int, int]]:
    """Count the reference's nodes that the candidate has too, by kind.

    A node is the same where its tokens are; each node of the candidate counts for one at most.

    Args:
        candidate: C text.
        reference: The text that it should be.

    Returns:
        For each kind that the reference has: how many the candidate has too, and how many there
        are. All are missed by text that cannot be worked on.

    Raises:
        SourceError: The reference cannot be worked on.
    """  # noqa: DOC502
    wanted = _nodes(reference)
    try:
        found = _nodes(candidate)
    except SourceError:
        found = {}
    return {
        kind: ((texts & found.get(kind, Counter())).total(), texts.total())
        for kind, texts in sorted(wanted.items())
    }


def _nodes(code: str) -> dict[str, Counter[tuple[str, ...]]]:
    tree = parse(code)
    found: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    todo = [tree.root]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.type in KINDS:
            found[KINDS[node.type]][_words(node, tree.source)] += 1
    return found


def _words(node: Node, source: bytes) -> tuple[str, ...]:
    """Give the texts of a node's tokens; white space and comments are none."""
    words: list[str] = []
    todo = [node]
    while todo:
        each = todo.pop()
        if each.type == "comment":
            continue
        if each.children:
            todo += reversed(each.children)
        else:
            words.append(decode(source[each.start_byte : each.end_byte]))
    return tuple(words)
