"""How placeholders are used, and how alike two functions are in their structure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, TypeVar

from sk2d.c.parse import decode
from sk2d.rewards.guards import Admitted
from sk2d.rewards.live import live_body
from sk2d.rewards.placeholders import PLACEHOLDER, WORD
from sk2d.rewards.shapes import Shape, shapes

K = TypeVar("K")

_BLANK: Final = "*"


@dataclass(frozen=True)
class Usage:
    """What a function's live code says about its structure.

    Attributes:
        placeholders: Placeholders in the head and in live code.
        roles: (Placeholder, kind of the node around it, role in it) -> how often, in live code.
        grams: pq-grams of the live body -> how often.
    """

    placeholders: frozenset[str]
    roles: Counter[tuple[str, str, str]]
    grams: Counter[tuple[str, ...]]


def usage(admitted: Admitted) -> Usage:
    """Look at how a function uses its placeholders.

    Args:
        admitted: The function.

    Returns:
        What was found; of an old-style function, whose head the tree splits up, the whole text
        counts as body.
    """
    tree = admitted.tree
    definition = admitted.definition if admitted.definition is not None else tree.root
    body = definition.child_by_field_name("body")
    shape = live_body(tree, body if body is not None else definition)
    head = tree.source[definition.start_byte : body.start_byte] if body is not None else b""
    named = set(WORD.findall(decode(head)))
    roles = Counter(
        (child.text, node.kind, child.role)
        for node in shapes(shape)
        for child in node.children
        if child.text and PLACEHOLDER.fullmatch(child.text)
    )
    named |= {text for text, _, _ in roles}
    return Usage(frozenset(named), roles, pq_grams(shape))


def agreement(found: Usage, wanted: Usage) -> float:
    """Say how far two functions agree in structure.

    Args:
        found: Of the answer.
        wanted: Of the reference.

    Returns:
        The mean of the Dice coefficients of roles and of pq-grams, in [0, 1]; where the reference
        uses no placeholder in its live code, that of the pq-grams alone.
    """
    alike = dice(found.grams, wanted.grams)
    if not wanted.roles:
        return alike
    return (dice(found.roles, wanted.roles) + alike) / 2


def dice(found: Counter[K], wanted: Counter[K]) -> float:
    """Give the Dice coefficient of two multisets.

    Args:
        found: One.
        wanted: The other.

    Returns:
        Twice what they share over what they hold together; 1 for two empty ones.
    """
    total = found.total() + wanted.total()
    both = [key for key in found if key in wanted]
    shared = sum(map(min, map(found.__getitem__, both), map(wanted.__getitem__, both)))
    return 2 * shared / total if total else 1.0


def pq_grams(shape: Shape) -> Counter[tuple[str, ...]]:
    """Cut a tree into its pq-grams (Augsten, Boehlen, Gamper, VLDB 2005), p = 2 and q = 3.

    Args:
        shape: The tree.

    Returns:
        The grams: label of the parent, label of the node, labels of three children in a row.
    """
    grams: list[tuple[str, ...]] = []
    pending = [(shape, _label(shape), _BLANK)]
    while pending:
        node, label, above = pending.pop()
        one = other = _BLANK
        for child in node.children:
            last = _label(child)
            grams.append((above, label, one, other, last))
            one, other = other, last
            pending.append((child, last, label))
        grams.append((above, label, one, other, _BLANK))
        if node.children:
            grams.append((above, label, other, _BLANK, _BLANK))
    return Counter(grams)


def _label(shape: Shape) -> str:
    """Name a node: by its kind and text; placeholders by their own name."""
    return f"{shape.kind} {shape.text}" if shape.text else shape.kind
