"""The R2I features that depend on where in a function something stands.

The reference (`src/extractor.py` of the authors' R2I_metric) walks the tree once and hands flags
down to children; a child may change its parent's flags for the siblings that follow. Where that
shows in the numbers it is kept here, so that scores can be compared with published ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pycparser import c_ast

from sk2d.metrics.readability.tree import INITIALIZER, named_children

LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)


def if_depth(node: c_ast.Node, role: str = "") -> int:
    """Give how deep `if` is nested at most; `else if` is as deep as its `if`.

    Args:
        node: A tree.
        role: What it is to its parent.

    Returns:
        The depth, 0 without `if`.
    """
    deepest = max((if_depth(child, name) for name, child in named_children(node)), default=0)
    return deepest + (isinstance(node, c_ast.If) and role != "iffalse")


def loop_depth(node: c_ast.Node) -> int:
    """Give how deep loops are nested at most.

    Args:
        node: A tree.

    Returns:
        The depth, 0 without loops.
    """
    deepest = max((loop_depth(child) for _, child in named_children(node)), default=0)
    return deepest + isinstance(node, LOOPS)


def condition_depth(node: c_ast.Node) -> int:
    """Give how many operands of `&&` and `||` a reader has in mind at most.

    Those of an `if` and of all `if` around it count; conditions of loops do not.

    Args:
        node: A tree.

    Returns:
        The number of operands.
    """
    own = _operands(node.cond) if isinstance(node, c_ast.If) else 0
    return own + max((condition_depth(child) for _, child in named_children(node)), default=0)


def _operands(condition: c_ast.Node) -> int:
    if not _joins(condition):
        return 0
    sides = (condition.left, condition.right)
    return sum(_operands(side) if _joins(side) else 1 for side in sides)


def _joins(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||")


@dataclass
class _Place:
    """Flags of a node's children; the reference lets a child change them for its siblings."""

    in_cast: bool = False
    counts_cast: bool = True
    in_endless: bool = False
    in_condition: bool = False


def nested_casts(node: c_ast.Node) -> int:
    """Count casts inside casts; of siblings, and what is below them, the first one only.

    Args:
        node: A tree.

    Returns:
        Their number.
    """
    return _nested_casts(node, "", _Place())


def _nested_casts(node: c_ast.Node, role: str, around: _Place) -> int:
    place = _Place(around.in_cast, around.counts_cast)
    found = 0
    if isinstance(node, c_ast.Cast) and role != INITIALIZER:
        if around.in_cast and around.counts_cast:
            found, around.counts_cast = 1, False
        place.in_cast = True
    return found + sum(_nested_casts(child, name, place) for name, child in named_children(node))


def ifs_in_endless_loops(node: c_ast.Node) -> int:
    """Count the first `if` of each block in a loop whose condition is a constant, a call, or none.

    Args:
        node: A tree.

    Returns:
        Their number.
    """
    return _ifs_in_endless_loops(node, "", _Place())


def _ifs_in_endless_loops(node: c_ast.Node, role: str, around: _Place) -> int:
    place = _Place(in_endless=around.in_endless, in_condition=around.in_condition)
    found = 0
    if isinstance(node, LOOPS):
        place.in_endless = True
    elif isinstance(node, c_ast.If):
        place.in_condition = True
        if around.in_endless:
            found = 1
            around.in_endless = place.in_endless = False
    joined = _joins(node) and around.in_condition
    if not isinstance(node, c_ast.If) and not joined:
        place.in_condition = False
    if role == "cond" and not joined and not _goes_on(node):
        around.in_endless = False
    for name, child in named_children(node):
        found += _ifs_in_endless_loops(child, name, place)
    return found


def _goes_on(condition: c_ast.Node) -> bool:
    if isinstance(condition, c_ast.FuncCall):
        return True
    value = getattr(condition, "value", "")
    return isinstance(value, str) and value.isnumeric() and float(value) != 0


def commas(node: c_ast.Node) -> int:
    """Count lists of expressions inside conditions, other than arguments.

    Args:
        node: A tree.

    Returns:
        Their number.
    """
    return sum(1 for _ in _commas(node, "", inside=False, joining=False))


def _commas(node: c_ast.Node, role: str, *, inside: bool, joining: bool) -> Iterator[c_ast.Node]:
    if isinstance(node, c_ast.FuncCall) and role != INITIALIZER:
        inside = False
    elif isinstance(node, c_ast.ExprList) and inside:
        yield node
        inside = False
    joining = joining or isinstance(node, c_ast.If)
    joined = joining and _joins(node)
    if role == "cond" and not joined and not isinstance(node, c_ast.FuncCall):
        inside = True
    if not isinstance(node, c_ast.If) and not joined:
        joining = False
    for name, child in named_children(node):
        yield from _commas(child, name, inside=inside, joining=joining)
