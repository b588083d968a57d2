"""The summary of identifiers that the released reward of phase 2 embeds.

Source: `SK2DECOMPILE/reward_functions/embedding_gte.py` and `embedding_qwen3.py` of the released
SK2Decompile; the two differ in the model alone.
"""

from __future__ import annotations

import functools
from typing import Final

import tree_sitter_c
from tree_sitter import Language, Node, Parser

MOST: Final = 64
"""Occurrences of one kind that count."""

KINDS: Final = ("func", "type", "field", "var")
_FUNCTION_FIELD: Final = {"function_declarator": "declarator", "call_expression": "function"}


def summary(code: str) -> str:
    """List the identifiers of a text as upstream's reward does.

    The sum is one line, `func: a b || type: t || field: x || var: i i j`, kinds without a name
    left out. Its quirks, all kept:

    - an identifier counts as often as it stands, but only 64 times a kind;
    - the order is that of a stack that is pushed from the left: the end of the text comes first, so
      that of a long text the beginning is cut off;
    - every identifier that is neither declared as a function nor called is a `var`, macros and
      labels of `enum` too; the labels of `goto` are left out;
    - names of the standard library count like all others;
    - nothing asks whether the text is C, one function or many.

    Args:
        code: Any text; untrusted.

    Returns:
        The summary; empty for a text without identifiers.
    """
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    stack: list[tuple[Node, Node | None]] = [(_parser().parse(_bytes(code)).root_node, None)]
    while stack:
        node, parent = stack.pop()
        kind = _kind(node, parent)
        if kind is not None and len(found[kind]) < MOST:
            found[kind].append((node.text or b"").decode("utf-8", "replace"))
        stack += [(child, node) for child in node.children]
    return " || ".join(f"{kind}: {' '.join(names)}" for kind, names in found.items() if names)


@functools.cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_c.language()))


def _bytes(code: str) -> bytes:
    return code.encode("utf-8", "replace")


def _kind(node: Node, parent: Node | None) -> str | None:
    if node.type == "type_identifier":
        return "type"
    if node.type == "field_identifier":
        return "field"
    if node.type != "identifier":
        return None
    field = _FUNCTION_FIELD.get(parent.type) if parent is not None else None
    called = parent is not None and field and parent.child_by_field_name(field) == node
    return "func" if called else "var"
