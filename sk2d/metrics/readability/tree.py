"""From text to the tree of one function, as pycparser sees it."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

INITIALIZER = "initializer"
"""Role of a variable's first value. The reference counts it as an assignment and as nothing else,
whatever it is; what is below it counts as usual."""


def named_children(node: c_ast.Node) -> list[tuple[str, c_ast.Node]]:
    """List a node's children.

    Args:
        node: A node.

    Returns:
        Role and child, in the order of the text; the place in a list is cut off the role.
    """
    declares = isinstance(node, c_ast.Decl)
    return [
        (INITIALIZER if declares and role == "init" else role.partition("[")[0], child)
        for role, child in node.children()
    ]


def walk(node: c_ast.Node, role: str = "") -> Iterator[tuple[str, c_ast.Node]]:
    """Give a node and all below it.

    Args:
        node: A node.
        role: What it is to its parent.

    Yields:
        Role and node, in the order of the text.
    """
    yield role, node
    for name, child in named_children(node):
        yield from walk(child, name)
