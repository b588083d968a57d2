"""The placeholders of an IR."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.parse import Tree, parse
from sk2d.errors import SourceError
from sk2d.rewards.queries import nodes_of

PLACEHOLDER: Final = re.compile(r"(?:func|type|var|field)[0-9]+")
WORD: Final = re.compile(rf"\b{PLACEHOLDER.pattern}\b")
_NAMES: Final = ("identifier", "type_identifier", "field_identifier", "statement_identifier")


def jaccard(found: frozenset[str], wanted: frozenset[str]) -> float:
    """Give the Jaccard index of two sets of placeholders.

    Args:
        found: Of the answer.
        wanted: Of the reference.

    Returns:
        Size of the intersection over that of the union; 1 where both are empty.
    """
    both = found | wanted
    return len(found & wanted) / len(both) if both else 1.0


def placeholder_jaccard(ir: str, reference: str) -> float:
    """Give the Jaccard index of the placeholders of two texts.

    Args:
        ir: C text; one that cannot be worked on has no placeholders.
        reference: C text.

    Returns:
        Size of the intersection over that of the union; 1 where neither text has any.
    """
    return jaccard(placeholders(ir), placeholders(reference))


def placeholders(code: str) -> frozenset[str]:
    """Find the placeholders of a text: names of its tree, not words in comments or strings.

    Args:
        code: C text.

    Returns:
        Their spellings; none where the text cannot be worked on.
    """
    try:
        return placeholders_of(parse(code))
    except SourceError:
        return frozenset()


def placeholders_of(tree: Tree) -> frozenset[str]:
    """Find the placeholders of a tree.

    Args:
        tree: A text.

    Returns:
        Their spellings.
    """
    names = map(tree.text, nodes_of(tree.root, *_NAMES))
    return frozenset(name for name in names if PLACEHOLDER.fullmatch(name))
