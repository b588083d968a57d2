"""Syntax trees of C by tree-sitter, on bytes.

tree-sitter counts bytes, Python's strings count characters: whoever uses offsets of a tree works
on `Tree.source` and decodes at the very end.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import tree_sitter_c
from tree_sitter import Language, Node, Parser

from sk2d.c.tokens import clean_source
from sk2d.errors import Reason, SourceError

MAX_DEPTH: Final = 600
"""Deepest tree that is worked on, in nodes; real functions stay below 200."""

_FRAMES_PER_LEVEL: Final = 12


@dataclass(frozen=True)
class Tree:
    """A parsed text.

    Attributes:
        source: The text in UTF-8, surrogate escapes as the bytes they stand for.
        root: Node of the whole text.
        depth: Its depth in nodes.
    """

    source: bytes
    root: Node
    depth: int

    def text(self, node: Node) -> str:
        """Give the text of a node.

        Args:
            node: A node of this tree.

        Returns:
            Its text.
        """
        return decode(self.source[node.start_byte : node.end_byte])


@dataclass(frozen=True)
class Edit:
    """A replacement of bytes `start` to `end` by `text`."""

    start: int
    end: int
    text: bytes


@functools.cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_c.language()))


def encode(text: str) -> bytes:
    """Turn text into the bytes that the parser and the compiler see.

    Args:
        text: Text from `clean_source`.

    Returns:
        Its bytes.
    """
    return text.encode("utf-8", "surrogateescape")


def decode(source: bytes) -> str:
    """Turn bytes back into text; what is not UTF-8 becomes surrogate escapes.

    Args:
        source: Bytes of C source.

    Returns:
        The text.
    """
    return source.decode("utf-8", "surrogateescape")


def parse(code: str) -> Tree:
    """Parse a text, whether or not it is valid C.

    Args:
        code: Text of a record.

    Returns:
        Its tree, which may hold errors (see `syntax_error`).

    Raises:
        SourceError: The text cannot be worked on (see `clean_source`), or `too_deep`.
    """  # noqa: DOC502
    source = encode(clean_source(code))
    root = _parser().parse(source).root_node
    depth = _depth(root)
    if depth > MAX_DEPTH:
        raise SourceError(
            Reason.TOO_DEEP, f"the code is nested {depth} levels deep, more than {MAX_DEPTH}"
        )
    return Tree(source, root, depth)


def parse_valid(code: str) -> Tree:
    """Parse a text that has to be valid C syntax.

    Args:
        code: Text of a record.

    Returns:
        Its tree, without an ERROR or MISSING node.

    Raises:
        SourceError: As `parse`, or `syntax_error` with line and column.
    """
    tree = parse(code)
    wrong = syntax_error(tree)
    if wrong is not None:
        row, column = wrong.start_point
        what = f"missing {wrong.type}" if wrong.is_missing else "no valid C"
        raise SourceError(Reason.SYNTAX_ERROR, what, where=f"line {row + 1}, column {column + 1}")
    return tree


def syntax_error(tree: Tree) -> Node | None:
    """Find the first place that is no valid C.

    Args:
        tree: A tree.

    Returns:
        The first ERROR or MISSING node, or None.
    """
    if not tree.root.has_error:
        return None
    return next((n for n in walk(tree.root) if n.is_error or n.is_missing), None)


def walk(root: Node) -> Iterator[Node]:
    """Go through a tree in the order of the text, without recursion.

    Args:
        root: Where to begin.

    Yields:
        The node itself and all below it, parents first.
    """
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children))


def apply_edits(source: bytes, edits: Iterable[Edit]) -> bytes:
    """Replace parts of a text, from its end, so that no offset goes stale.

    Args:
        source: The text.
        edits: Replacements, none overlapping another, in any order.

    Returns:
        The new text.
    """
    pieces: list[bytes] = []
    behind = len(source)
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        assert edit.end <= behind, "edits overlap"
        pieces += [source[edit.end : behind], edit.text]
        behind = edit.start
    pieces.append(source[:behind])
    return b"".join(reversed(pieces))


@contextmanager
def room_for_recursion(tree: Tree) -> Iterator[None]:
    """Let a recursive visitor go down a whole tree.

    Since Python 3.11 calls from Python to Python take no C stack, so the limit is only a number.

    Args:
        tree: The tree that is visited.

    Yields:
        Nothing; the limit is set back at the end.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + _FRAMES_PER_LEVEL * tree.depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _depth(root: Node) -> int:
    """Measure a tree with its cursor: no recursion, no node objects."""
    cursor = root.walk()
    depth = deepest = 1
    while True:
        if cursor.goto_first_child():
            depth += 1
            deepest = max(deepest, depth)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            depth -= 1
