"""What a reward refuses before the compiler sees it.

Answers are hostile: a compiler that is asked about them must see one ordinary function, and nothing
that would make the text in the compiler another one than the text that was read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from sk2d.c import libc
from sk2d.c.names import resolve
from sk2d.c.parse import Tree, decode, parse
from sk2d.c.tokens import Token, significant, tokenize
from sk2d.errors import SourceError
from sk2d.rewards.candidates import Verdict
from sk2d.rewards.guard_text import Refusal, RefusedError, balanced, checked_text, refused_by
from sk2d.rewards.queries import nodes_of

MAX_DEPTH: Final = 200

_LINE_MARKER: Final = re.compile(
    r'^[ \t]*#[ \t]*(?:line[ \t]+)?\d+(?:[ \t]+"[^"\n]*")?[ \d\t]*(?:\n|\Z)', re.MULTILINE
)
_ATTRIBUTE: Final = frozenset(["__attribute__", "__attribute", "__declspec"])
_WORDS_OF_ATTRIBUTES: Final = """
unused noreturn noinline packed aligned const pure format fallthrough malloc nonnull cold hot
warn_unused_result deprecated always_inline leaf nothrow transparent_union vector_size
gnu_inline regparm cdecl fastcall stdcall may_alias returns_nonnull
"""
_HARMLESS: Final = frozenset(_WORDS_OF_ATTRIBUTES.split())
_NO_STATEMENT: Final = frozenset(["{", "}", ";"])


class Admitted(NamedTuple):
    """An answer that is one ordinary function.

    Attributes:
        text: The text without its standard includes.
        tree: Its tree.
        name: Name of the function.
        definition: Node of the function; None for one in the old style, which the tree splits up.
    """

    text: str
    tree: Tree
    name: str
    definition: Node | None


def refusal(
    code: str, *, func_name: str | None = None, may_be_main: bool = False
) -> Refusal | None:
    """Say why an answer is refused.

    Args:
        code: The answer; untrusted.
        func_name: Name that its function must have; None for any but `main`.
        may_be_main: Whether it may define `main`, as its reference does.

    Returns:
        The reason; None for an answer that is admitted.
    """
    try:
        admit(code, func_name=func_name, may_be_main=may_be_main)
    except RefusedError as refused:
        return refused.refusal
    return None


def admit(code: str, *, func_name: str | None = None, may_be_main: bool = False) -> Admitted:
    """Read an answer, or refuse it.

    Args:
        code: The answer; untrusted.
        func_name: Name that its function must have; None for any but `main`.
        may_be_main: Whether it may define `main`, as its reference does.

    Returns:
        The answer.

    Raises:
        RefusedError: It is refused.
    """  # noqa: DOC502
    text = checked_text(code)
    tree = _parsed(text)
    name, definition = _only_function(tree)
    _check_inside(tree)
    _check_name(name, func_name, may_be_main)
    return Admitted(text, tree, name, definition)


def _parsed(text: str) -> Tree:
    try:
        tree = parse(text)
    except SourceError as error:
        raise refused_by(error) from error
    if tree.depth > MAX_DEPTH:
        raise RefusedError(Verdict.TOO_DEEP, f"nested {tree.depth} levels deep")
    return tree


def without_line_markers(code: str) -> str:
    """Take out the line markers that a preprocessor left in a released text.

    Args:
        code: A released text; trusted.

    Returns:
        The text without those lines.
    """
    return _LINE_MARKER.sub("", code)


def _only_function(tree: Tree) -> tuple[str, Node | None]:
    """Find the one function; anything else on file level is refused."""
    items = [node for node in tree.root.children if node.type != "comment"]
    if len(items) == 1 and items[0].type == "function_definition" and not tree.root.has_error:
        name = _name(tree, items[0])
        if name is not None:
            body = items[0].child_by_field_name("body")
            _check_body(tree.text(body) if body is not None else "")
            return name, items[0]
    return _only_function_of_names(tree), None


def _name(tree: Tree, definition: Node) -> str | None:
    """Give the name of an ordinary definition; None where it takes more to find it."""
    node = definition.child_by_field_name("declarator")
    while node is not None and node.type in ("pointer_declarator", "parenthesized_declarator"):
        node = node.child_by_field_name("declarator")
    if node is None or node.type != "function_declarator":
        return None
    declarator = node.child_by_field_name("declarator")
    return tree.text(declarator) if declarator and declarator.type == "identifier" else None


def _check_body(body: str) -> None:
    if all(token.blank or token.text in _NO_STATEMENT for token in tokenize(body)):
        raise RefusedError(Verdict.EMPTY_BODY, "the body says nothing")


def _only_function_of_names(tree: Tree) -> str:
    """Find the function of a text that the tree alone does not settle, such as an old-style one."""
    if not balanced(decode(tree.source)):
        raise RefusedError(Verdict.SYNTAX_ERROR, "the brackets do not match")
    try:
        functions = resolve(tree).functions
    except SourceError as error:
        raise RefusedError(Verdict.SYNTAX_ERROR, str(error)) from error
    if not functions:
        raise RefusedError(Verdict.NO_FUNCTION, "no function is defined")
    if len(functions) > 1:
        raise RefusedError(Verdict.SEVERAL_FUNCTIONS, f"{len(functions)} functions are defined")
    (function,) = functions
    around = tree.source[: function.start] + b" " + tree.source[function.end :]
    if other := significant(decode(around)):
        raise RefusedError(Verdict.OTHER_ITEM, f"beside the function: {' '.join(other)[:80]}")
    _check_body(decode(tree.source[function.body_start : function.end]))
    return function.name


def _check_inside(tree: Tree) -> None:
    if len(nodes_of(tree.root, "function_definition")) > 1:
        raise RefusedError(Verdict.NESTED_FUNCTION, "a function within the function")
    _check_attributes(tree)


def _check_attributes(tree: Tree) -> None:
    """Refuse attributes that act outside the function, by the words that stand in them."""
    text = decode(tree.source)
    if not any(word in text for word in _ATTRIBUTE):
        return
    words = [t for t in tokenize(text) if not t.blank]
    for place, token in enumerate(words):
        if token.text in _ATTRIBUTE:
            for name in _attribute_names(words, place + 1):
                if name.strip("_") not in _HARMLESS:
                    raise RefusedError(Verdict.ATTRIBUTE, name)


def _attribute_names(words: list[Token], place: int) -> Iterator[str]:
    """Give the names on the level of the list: what is deeper are arguments."""
    depth = 0
    for token in words[place:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return
        if depth <= 2 and token.kind != "op":
            yield token.text


def _check_name(name: str, wanted: str | None, may_be_main: bool) -> None:
    if name == "main" and not may_be_main and wanted != "main":
        raise RefusedError(Verdict.DEFINES_MAIN, "it defines main")
    if wanted is not None and name != wanted:
        raise RefusedError(Verdict.SIGNATURE, f"it defines {name}, not {wanted}")
    if libc.kind_of(name) == "func" or name.startswith(("__builtin_", "__sync_", "__atomic_")):
        raise RefusedError(Verdict.STANDARD_NAME, f"{name} is a function of the standard library")
