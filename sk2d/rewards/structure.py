"""Is an IR right in its structure? SK2Decompile, equation 3.

Whether it compiles, and whether its placeholders are the right ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from sk2d.c.parse import decode, parse
from sk2d.errors import SourceError
from sk2d.sandbox import compile_c

_PLACEHOLDER: Final = re.compile(r"(?:func|type|var|field)[0-9]+")
_NAMES: Final = ("identifier", "type_identifier", "field_identifier", "statement_identifier")


@dataclass(frozen=True)
class Structure:
    """How an IR compares with its reference.

    Attributes:
        compiles: Whether it compiles with the reference's header.
        placeholders: Jaccard index of the sets of placeholders, in [0, 1].
    """

    compiles: bool
    placeholders: float


def structure(ir: str, reference: str, header: str) -> Structure:
    """Compare an IR with its reference.

    Args:
        ir: C text with placeholders; untrusted.
        reference: The text that it should be.
        header: Declarations that let the reference compile.

    Returns:
        The parts of the reward.

    Raises:
        JailError: The jail failed; nothing is known of the text.
    """  # noqa: DOC502
    return Structure(compile_c(header + ir).compiles, placeholder_jaccard(ir, reference))


def placeholder_jaccard(ir: str, reference: str) -> float:
    """Give the Jaccard index of the placeholders of two texts.

    Args:
        ir: C text; one that cannot be worked on has no placeholders.
        reference: C text.

    Returns:
        Size of the intersection over that of the union; 1 where neither text has any.
    """
    found, wanted = placeholders(ir), placeholders(reference)
    both = found | wanted
    return len(found & wanted) / len(both) if both else 1.0


def placeholders(code: str) -> frozenset[str]:
    """Find the placeholders of a text: names of its tree, not words in comments or strings.

    Args:
        code: C text.

    Returns:
        Their spellings; none where the text cannot be worked on.
    """
    try:
        tree = parse(code)
    except SourceError:
        return frozenset()
    found = set()
    todo = [tree.root]
    while todo:
        node = todo.pop()
        todo += node.children
        text = decode(tree.source[node.start_byte : node.end_byte]) if not node.children else ""
        if node.type in _NAMES and _PLACEHOLDER.fullmatch(text):
            found.add(text)
    return frozenset(found)
