"""Values of expressions that are the same in every run: what stands behind `if (0)` and its kin."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

from tree_sitter import Node

from sk2d.c.parse import Tree

_LARGEST: Final = 1 << 64

_BINARY: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_SAME_OPERANDS: Final = {"-": 0, "^": 0, "!=": 0, "<": 0, ">": 0, "==": 1, "<=": 1, ">=": 1}
_ZERO_ABSORBS: Final = frozenset(["*", "&", "&&"])
_WORDS: Final = {"true": 1, "false": 0, "NULL": 0, "TRUE": 1, "FALSE": 0}
_NO_OPERATION: Final = frozenset(["assignment_expression", "update_expression", "call_expression"])


class Constants:
    """Folds expressions of one function.

    Args:
        tree: The function's text.
        known: Variables that hold one value all the time.
    """

    def __init__(self, tree: Tree, known: Mapping[str, int] | None = None) -> None:
        self.tree = tree
        self.known = known or {}

    def value(self, node: Node | None) -> int | None:
        """Give the value of an expression.

        Args:
            node: An expression.

        Returns:
            Its value, or None where it is not known, or evaluating it does something.
        """
        if node is None:
            return None
        fold = self._FOLDS.get(node.type)
        return fold(self, node) if fold else None

    def _of_inner(self, node: Node) -> int | None:
        inner = [child for child in node.named_children if child.type != "comment"]
        return self.value(inner[-1]) if inner else None

    def _of_number(self, node: Node) -> int | None:
        text = self.tree.text(node).rstrip("uUlL")
        try:
            octal = len(text) > 1 and text[0] == "0" and text.isdigit()
            return int(text, 8 if octal else 0)
        except ValueError:
            return self._of_float(text)

    @staticmethod
    def _of_float(text: str) -> int | None:
        try:
            return int(float(text.rstrip("fFlL")) != 0)
        except (ValueError, OverflowError):
            return None

    def _of_character(self, node: Node) -> int | None:
        return 0 if self.tree.text(node) in ("'\\0'", "'\\x00'", "'\\00'", "'\\000'") else None

    def _of_word(self, node: Node) -> int | None:
        text = self.tree.text(node)
        return self.known.get(text, _WORDS.get(text))

    def _of_cast(self, node: Node) -> int | None:
        return self.value(node.child_by_field_name("value"))

    def _of_unary(self, node: Node) -> int | None:
        sign = node.child_by_field_name("operator")
        value = self.value(node.child_by_field_name("argument"))
        if value is None or sign is None:
            return None
        folds = {"!": int(not value), "-": -value, "~": ~value, "+": value}
        return folds.get(self.tree.text(sign))

    def _of_binary(self, node: Node) -> int | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None or sign is None:
            return None
        return self._folded(self.tree.text(sign), left, right)

    def _folded(self, sign: str, left: Node, right: Node) -> int | None:
        one, other = self.value(left), self.value(right)
        if sign == "&&" and one is not None:
            return 0 if not one else None if other is None else int(bool(other))
        if sign == "||" and one is not None:
            return 1 if one else None if other is None else int(bool(other))
        if 0 in (one, other) and sign in _ZERO_ABSORBS and not self._acts(left, right):
            return 0
        if sign in _SAME_OPERANDS and self.tree.text(left) == self.tree.text(right):
            return None if self._acts(left) else _SAME_OPERANDS[sign]
        if one is None or other is None:
            return None
        return self._computed(sign, one, other)

    @staticmethod
    def _computed(sign: str, one: int, other: int) -> int | None:
        if sign in ("/", "%"):
            return None if other == 0 else one // other if sign == "/" else one % other
        if sign in ("<<", ">>"):
            if not 0 <= other < 64:
                return None
            return (one << other) % _LARGEST if sign == "<<" else one >> other
        fold = _BINARY.get(sign)
        value = None if fold is None else int(fold(one, other))
        return value if value is not None and abs(value) < _LARGEST else None

    def _of_conditional(self, node: Node) -> int | None:
        condition = self.value(node.child_by_field_name("condition"))
        if condition is None:
            return None
        return self.value(node.child_by_field_name("consequence" if condition else "alternative"))

    def _of_comma(self, node: Node) -> int | None:
        left = node.child_by_field_name("left")
        acts = left is not None and self._acts(left)
        return None if acts else self.value(node.child_by_field_name("right"))

    @staticmethod
    def _of_size(node: Node) -> int | None:
        return 1  # whatever it is, it is not zero

    @staticmethod
    def _acts(*nodes: Node) -> bool:
        """Tell whether evaluating expressions does something."""
        return any(acts(node) for node in nodes)

    _FOLDS: Final[dict[str, Callable[[Constants, Node], int | None]]] = {
        "parenthesized_expression": _of_inner,
        "number_literal": _of_number,
        "char_literal": _of_character,
        "true": _of_word,
        "false": _of_word,
        "null": _of_word,
        "identifier": _of_word,
        "cast_expression": _of_cast,
        "unary_expression": _of_unary,
        "binary_expression": _of_binary,
        "conditional_expression": _of_conditional,
        "comma_expression": _of_comma,
        "sizeof_expression": lambda self, node: self._of_size(node),
    }


def acts(node: Node) -> bool:
    """Tell whether evaluating an expression does something besides giving a value.

    Args:
        node: An expression.

    Returns:
        Whether it assigns, counts or calls.
    """
    if node.type in _NO_OPERATION or node.type == "compound_statement":
        return True
    if node.type in ("sizeof_expression", "alignof_expression"):
        return False
    return any(acts(child) for child in node.named_children)
