"""Finding nodes by their type, without a Python object for each node on the way."""

from __future__ import annotations

import functools

import tree_sitter_c
from tree_sitter import Language, Node, Query, QueryCursor


def nodes_of(root: Node, *types: str) -> list[Node]:
    """Find all nodes of some types.

    Args:
        root: Where to look, itself included.
        types: Their types.

    Returns:
        The nodes.
    """
    return QueryCursor(_query(types)).captures(root).get("node", [])


@functools.cache
def _query(types: tuple[str, ...]) -> Query:
    wanted = " ".join(f"({kind})" for kind in types)
    return Query(Language(tree_sitter_c.language()), f"[{wanted}] @node")
