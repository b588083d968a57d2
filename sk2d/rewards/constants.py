"""Values of expressions that are the same in every run: what stands behind `if (0)` and its kin."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from tree_sitter import Node

from sk2d.c.parse import Tree
from sk2d.rewards.queries import nodes_of

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
_WRITTEN_FIELDS: Final = {
    "init_declarator": "declarator",
    "assignment_expression": "left",
    "update_expression": "argument",
    "pointer_expression": "argument",
}
_ACTING: Final = frozenset(["assignment_expression", "update_expression", "call_expression"])


class Constants:
    """Folds expressions of one function.

    Args:
        tree: The function's text.
        known: Variables that hold one value all the time.
    """

    def __init__(self, tree: Tree, known: Mapping[str, int] | None = None) -> None:
        self.tree = tree
        self.known = known or {}
        self._values: dict[int, int | None] = {}

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
        if fold is None:
            return None
        if node.id not in self._values:
            self._values[node.id] = fold(self, node)
        return self._values[node.id]

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
        if 0 in (one, other) and sign in _ZERO_ABSORBS and not (acts(left) or acts(right)):
            return 0
        if sign in _SAME_OPERANDS and self.tree.text(left) == self.tree.text(right):
            return None if acts(left) else _SAME_OPERANDS[sign]
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
        return (
            None
            if left is not None and acts(left)
            else self.value(node.child_by_field_name("right"))
        )

    @staticmethod
    def _of_size(node: Node) -> int | None:
        return 1  # whatever it is, it is not zero

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
    if node.type in _ACTING or node.type == "compound_statement":
        return True
    if node.type in ("sizeof_expression", "alignof_expression"):
        return False
    return any(acts(child) for child in node.named_children)


def single_values(tree: Tree, body: Node) -> dict[str, int]:
    """Find local variables that are set once, to a constant, and never changed or pointed to.

    Args:
        tree: The text.
        body: The body of a function.

    Returns:
        Name -> value.
    """
    values: dict[str, int] = {}
    writes: Counter[str] = Counter()
    fold = Constants(tree)
    for node in nodes_of(body, *_WRITTEN_FIELDS):
        name = written(tree, node)
        if name is not None:
            writes[name] += 1
        if node.type == "init_declarator" and name is not None:
            value = fold.value(node.child_by_field_name("value"))
            if value is not None:
                values[name] = value
    return {name: value for name, value in values.items() if writes[name] == 1}


def written(tree: Tree, node: Node) -> str | None:
    """Give the plain variable that a node sets, counts, or takes the address of.

    Args:
        tree: The text.
        node: A node of it.

    Returns:
        The variable's name, or None.
    """
    key = _WRITTEN_FIELDS.get(node.type)
    target = node.child_by_field_name(key) if key else None
    while target is not None and target.type == "parenthesized_expression":
        target = target.named_children[0] if target.named_children else None
    return tree.text(target) if target is not None and target.type == "identifier" else None
