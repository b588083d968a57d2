"""Pruned syntax trees: plain nodes, and the names that stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_DECLARING: Final = frozenset(
    ["declaration", "init_declarator", "pointer_declarator", "array_declarator"]
)


@dataclass(slots=True)
class Shape:
    """A node of a pruned tree.

    Attributes:
        kind: Type of the node.
        text: Text of a leaf, else "".
        role: Name of the field of its parent that it stands in.
        children: What is left below it.
    """

    kind: str
    text: str = ""
    role: str = ""
    children: list[Shape] = field(default_factory=list)


def goto_targets(shape: Shape) -> Iterator[str]:
    """List the labels that are jumped to.

    Args:
        shape: A pruned tree.

    Yields:
        Their names.
    """
    for node in shapes(shape):
        if node.kind == "goto_statement":
            yield from (child.text for child in node.children if child.text)


def shapes(shape: Shape) -> Iterator[Shape]:
    """Go through a pruned tree.

    Args:
        shape: Its root.

    Yields:
        The root and all below it, parents first.
    """
    pending = [shape]
    while pending:
        node = pending.pop()
        yield node
        if node.children:
            pending.extend(reversed(node.children))


def local_names(shape: Shape) -> frozenset[str]:
    """Find the variables that a function declares in its body.

    Args:
        shape: Its pruned body.

    Returns:
        Their names.
    """
    return frozenset(
        child.text
        for node in shapes(shape)
        if node.kind in _DECLARING
        for child in node.children
        if child.kind == "identifier" and child.role == "declarator"
    )


def read_names(shape: Shape) -> set[str]:
    """Find the names whose value is used; one that only goes into itself is not.

    Args:
        shape: A pruned tree.

    Returns:
        The names.
    """
    found: set[str] = set()
    pending: list[tuple[Shape, str]] = [(shape, "")]
    while pending:
        node, written = pending.pop()
        if node.kind == "identifier":
            if node.role != "declarator" and node.text != written:
                found.add(node.text)
            continue
        target = _target(node)
        for child in node.children:
            if target is None or child is not target:
                pending.append((child, target.text if target is not None else written))
    return found


def _target(node: Shape) -> Shape | None:
    """Give the plain variable that an assignment or a counting step writes."""
    if node.kind not in ("assignment_expression", "update_expression", "init_declarator"):
        return None
    first = next((c for c in node.children if c.role in ("left", "argument", "declarator")), None)
    while first is not None and first.kind in ("pointer_declarator", "array_declarator"):
        first = next((c for c in first.children if c.role == "declarator"), None)
    return first if first is not None and first.kind == "identifier" else None
