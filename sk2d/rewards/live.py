"""The part of a function that can matter: what is left when dead code is taken out.

A reward that pays for placeholders pays for `if (0)` blocks, code after `return`, unused variables
and statements without effect, if it does not look. Both texts, answer and reference, are pruned by
the same rules, so that a reference is never worse than itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from tree_sitter import Node

from sk2d.c.parse import Tree, walk
from sk2d.rewards.constants import Constants, acts, single_values, written
from sk2d.rewards.shapes import Shape, goto_targets, local_names, read_names, shapes

_NEVER_RETURNS: Final = frozenset(
    ["exit", "_exit", "_Exit", "quick_exit", "abort", "longjmp"]
    + ["__builtin_unreachable", "__builtin_trap"]
)
_JUMPS: Final = frozenset(
    ["return_statement", "goto_statement", "break_statement", "continue_statement"]
)
_LOOPS: Final = frozenset(["while_statement", "for_statement", "do_statement"])
_UNEVALUATED: Final = frozenset(
    ["sizeof_expression", "alignof_expression", "offsetof_expression", "generic_expression"]
)
_ROUNDS: Final = 6
_SIGNS: Final = frozenset("()[]{},;")
_LEAVES: Final = frozenset(["string_literal", "char_literal", "number_literal"])


@dataclass(frozen=True)
class _Uses:
    """What a round of pruning knows about the function."""

    unread: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    known: dict[str, int] = field(default_factory=dict)


def live_body(tree: Tree, body: Node) -> Shape:
    """Prune the body of a function.

    Args:
        tree: The text.
        body: The compound statement.

    Returns:
        What is left of it.
    """
    uses = _Uses(known=single_values(tree, body))
    for _ in range(_ROUNDS):  # which labels are jumped to from code that can run
        shape = _Pruner(tree, uses).pruned(body) or Shape(body.type)
        labels = frozenset(goto_targets(shape)) if b"goto" in tree.source else uses.labels
        if labels == uses.labels:
            break
        uses = replace(uses, labels=labels)
    for _ in range(_ROUNDS):  # which variables are read by what is left
        unread = uses.unread | (local_names(shape) - read_names(shape))
        if unread == uses.unread:
            break
        uses = replace(uses, unread=unread)
        shape = _Pruner(tree, uses).pruned(body) or Shape(body.type)
    return shape


def _own_cases(node: Node) -> Iterator[Node]:
    """Give the cases that belong to a switch around a node, not to one within it."""
    if node.type == "switch_statement":
        return
    if node.type == "case_statement":
        yield node
    for child in node.named_children:
        yield from _own_cases(child)


def _own_cases_within(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        yield from _own_cases(child)


class _Pruner:
    """One round: takes out what is dead as far as is known."""

    def __init__(self, tree: Tree, uses: _Uses) -> None:
        self.tree = tree
        self.uses = uses
        self.constants = Constants(tree, uses.known)
        self._ends: dict[int, bool] = {}

    def pruned(self, node: Node | None, role: str = "") -> Shape | None:
        """Give what is left of a node, or None."""
        kind = "comment" if node is None else node.type
        if node is None or kind == "comment":
            return None
        special = self._RULES.get(kind)
        if special is not None:
            shape = special(self, node)
        elif kind in _UNEVALUATED:
            shape = Shape(kind)
        elif not node.child_count or kind in _LEAVES:
            shape = Shape(kind, self.tree.text(node))
        else:
            shape = self._whole(node)
        if shape is not None:
            shape.role = role
        return shape

    def _whole(self, node: Node) -> Shape:
        shape = Shape(node.type)
        for place, child in enumerate(node.children):
            if child.is_named:
                left = self.pruned(child, node.field_name_for_child(place) or "")
                if left is not None:
                    shape.children.append(left)
            elif child.type not in _SIGNS and node.field_name_for_child(place) == "operator":
                shape.text = self.tree.text(child)
        return shape

    def _with(self, node: Node, *fields: str) -> Shape:
        children = [self.pruned(node.child_by_field_name(name), name) for name in fields]
        return Shape(node.type, children=[child for child in children if child is not None])

    def block(self, node: Node) -> Shape | None:
        """Prune a list of statements; what follows a jump waits for a label that is jumped to."""
        return self._list(node, node.named_children)

    def case(self, node: Node) -> Shape | None:
        """Prune the statements of a case like a block."""
        value = node.child_by_field_name("value")
        label = self.pruned(value, "value")
        rest = [child for child in node.named_children if value is None or child.id != value.id]
        shape = self._list(node, rest) or Shape(node.type)
        shape.children[:0] = [label] if label is not None else []
        return shape

    def _list(
        self, node: Node, statements: list[Node], entries: frozenset[int] | None = None
    ) -> Shape | None:
        """Prune statements; of a switch whose value is known, what stands before its case."""
        kept: list[Shape] = []
        dead = entries is not None
        for child in statements:
            dead = dead and not self._revives(child, entries)
            left = None if dead else self.pruned(child)
            kept += [left] if left is not None else []
            dead = dead or self.ends(child)
        return Shape(node.type, children=kept) if kept else None

    def _revives(self, node: Node, entries: frozenset[int] | None) -> bool:
        cases = (case.id for case in _own_cases(node))
        return any(entries is None or case in entries for case in cases) or any(
            part.type == "labeled_statement"
            and self.tree.text(part.named_children[0]) in self.uses.labels
            for part in walk(node)
        )

    def _entries(self, body: Node, value: int) -> frozenset[int]:
        """Find where a switch over a known value may begin: at its case, else at the default."""
        found: dict[int | str | None, list[int]] = {}
        for case in _own_cases_within(body):
            label = case.child_by_field_name("value")
            known = "default" if label is None else self.constants.value(label)
            found.setdefault(known, []).append(case.id)
        return frozenset(found.get(value) or found.get(None, []) + found.get("default", []))

    def ends(self, node: Node) -> bool:
        """Tell whether nothing comes after a statement."""
        if node.id not in self._ends:
            self._ends[node.id] = self._found_to_end(node, node.type)
        return self._ends[node.id]

    def _found_to_end(self, node: Node, kind: str) -> bool:
        if kind in _JUMPS:
            return True
        if kind in ("compound_statement", "case_statement"):
            return any(self.ends(child) for child in node.named_children)
        if kind == "expression_statement":
            return self._never_returns(node)
        if kind == "if_statement":
            return self._if_ends(node)
        return kind in _LOOPS and self._loops_for_ever(node)

    def _never_returns(self, node: Node) -> bool:
        called = node.named_children[0] if node.named_children else None
        name = called.child_by_field_name("function") if called is not None else None
        return name is not None and self.tree.text(name) in _NEVER_RETURNS

    def _if_ends(self, node: Node) -> bool:
        value = self.constants.value(node.child_by_field_name("condition"))
        then, other = (node.child_by_field_name(n) for n in ("consequence", "alternative"))
        then_ends = then is not None and self.ends(then)
        other_ends = other is not None and self.ends(other.named_children[-1])
        if value is not None:
            return then_ends if value else other_ends
        return then_ends and other_ends

    def _loops_for_ever(self, node: Node) -> bool:
        condition = node.child_by_field_name("condition")
        value = self.constants.value(condition)
        endless = condition is None if node.type == "for_statement" else False
        if not (endless or (value is not None and value != 0)):
            return False
        body = node.child_by_field_name("body")
        return body is not None and not self._leaves(body)

    def _leaves(self, node: Node) -> bool:
        """Tell whether a loop's body breaks out of the loop; a goto may lead anywhere."""
        if node.type in ("break_statement", "goto_statement"):
            return True
        inner = node.type in _LOOPS or node.type == "switch_statement"
        gotos = (part.type == "goto_statement" for part in walk(node))
        return any(gotos) if inner else any(self._leaves(child) for child in node.named_children)

    def if_statement(self, node: Node) -> Shape | None:
        """Keep the branch that is taken where that is known; nothing where neither does a thing."""
        condition = node.child_by_field_name("condition")
        value = self.constants.value(condition)
        fields = ("condition", "consequence", "alternative")
        if value is not None:
            return self.pruned(node.child_by_field_name(fields[1] if value else fields[2]))
        shape = self._with(node, *fields)
        alone = all(child.role == "condition" for child in shape.children)
        return None if alone and condition is not None and not acts(condition) else shape

    def else_clause(self, node: Node) -> Shape | None:
        """Keep an else with something in it."""
        return self.pruned(node.named_children[-1]) if node.named_children else None

    def loop(self, node: Node) -> Shape | None:
        """Keep a loop whose body may run and which does something."""
        condition = node.child_by_field_name("condition")
        never = condition is not None and self.constants.value(condition) == 0
        if never and node.type != "do_statement":
            return self.pruned(node.child_by_field_name("initializer"))
        shape = self._with(node, "initializer", "condition", "update", "body")
        does = any(child.role == "body" for child in shape.children)
        header = ("initializer", "condition", "update")
        parts = [part for name in header if (part := node.child_by_field_name(name)) is not None]
        return shape if does or any(acts(part) for part in parts) else None

    def switch(self, node: Node) -> Shape | None:
        """Prune a switch; of one over a constant only the case that is taken is left."""
        value = self.constants.value(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        if body is None:
            return self._with(node, "condition")
        if value is not None:
            return self._list(body, body.named_children, self._entries(body, value))
        shape = self._with(node, "condition")
        every = frozenset(case.id for case in _own_cases_within(body))
        inside = self._list(body, body.named_children, every)
        if inside is not None:
            inside.role = "body"
            shape.children.append(inside)
        return shape

    def expression_statement(self, node: Node) -> Shape | None:
        """Keep a statement that does something that is not forgotten."""
        inner = node.named_children[0] if node.named_children else None
        if inner is None or not acts(inner) or self._is_forgotten(inner):
            return None
        return self._whole(node)

    def _is_forgotten(self, node: Node) -> bool:
        """Tell whether an expression only sets a variable that nobody reads."""
        name = written(self.tree, node)
        if name is None or name not in self.uses.unread:
            return False
        right = node.child_by_field_name("right")
        return right is None or not acts(right)

    def declaration(self, node: Node) -> Shape | None:
        """Keep the variables that are read; of the others, what their first value does."""
        shape = self._whole(node)
        kept = [c for c in shape.children if c.role != "declarator" or not self._is_unread(c)]
        if len(kept) == len(shape.children):
            return shape
        acting = any(
            child.type == "init_declarator"
            and (value := child.child_by_field_name("value")) is not None
            and acts(value)
            for child in node.named_children
        )
        if acting:
            return shape
        shape.children = kept
        return shape if any(c.role == "declarator" for c in kept) else None

    def _is_unread(self, shape: Shape) -> bool:
        if not self.uses.unread:
            return False
        own = (n for n in shapes(shape) if n.kind == "identifier" and n.role == "declarator")
        first = shape if shape.kind == "identifier" else next(own, None)
        return first is not None and first.text in self.uses.unread

    def chosen(self, node: Node) -> Shape | None:
        """Keep the branch of a conditional expression that is taken."""
        value = self.constants.value(node.child_by_field_name("condition"))
        if value is None:
            return self._whole(node)
        return self.pruned(node.child_by_field_name("consequence" if value else "alternative"))

    def binary(self, node: Node) -> Shape | None:
        """Replace what has a constant value by that value."""
        value = self.constants.value(node)
        return self._whole(node) if value is None else Shape("number_literal", str(value))

    def comma(self, node: Node) -> Shape | None:
        """Leave out a left side that does nothing."""
        left = node.child_by_field_name("left")
        if left is not None and not acts(left):
            return self.pruned(node.child_by_field_name("right"))
        return self._whole(node)

    def labeled(self, node: Node) -> Shape | None:
        """Leave the label out: its name says nothing."""
        return self.pruned(node.named_children[-1]) if len(node.named_children) > 1 else None

    def nothing(self, node: Node) -> Shape | None:
        """Leave the node out."""
        return None

    def inner(self, node: Node) -> Shape | None:
        """Leave out parentheses."""
        return self.pruned(node.named_children[0]) if len(node.named_children) == 1 else None

    _RULES: Final[dict[str, Callable[[_Pruner, Node], Shape | None]]] = {
        "compound_statement": block,
        "if_statement": if_statement,
        "else_clause": else_clause,
        "while_statement": loop,
        "for_statement": loop,
        "do_statement": loop,
        "switch_statement": switch,
        "case_statement": case,
        "expression_statement": expression_statement,
        "declaration": declaration,
        "conditional_expression": chosen,
        "binary_expression": binary,
        "comma_expression": comma,
        "labeled_statement": labeled,
        "type_definition": nothing,
        "parenthesized_expression": inner,
    }
