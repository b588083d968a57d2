"""What the unit of a test must know of the function that it tests, taken from the reference.

The reference is trusted; a candidate never gets to say how it is called. Kept are its directives
and declarations, in their order, and of each function the prototype instead of the body.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from sk2d.c.parse import Tree, parse
from sk2d.errors import Reason, SourceError
from sk2d.sandbox import TEST_FLAGS, TEST_LIMITS, Limits, TestVerdict, run_test


def declarations_of(reference: str, func_name: str) -> str:
    """Give what a test's unit begins with.

    Args:
        reference: C text that defines the function, with its includes and types.
        func_name: Name of the function.

    Returns:
        The text without function bodies; static functions are left out, as they are not seen.

    Raises:
        SourceError: `no_function`, or the text cannot be worked on.
    """
    tree = parse(reference)
    if not any(_name(tree, node) == func_name for node in tree.root.children):
        raise SourceError(Reason.NO_FUNCTION, f"the reference defines no function {func_name}")
    pieces = (_declaration(tree, node) for node in tree.root.children)
    return "\n".join(piece for piece in pieces if piece is not None) + "\n"


def run_test_against(
    candidate: str,
    test: str,
    *,
    reference: str,
    func_name: str,
    header: str = "",
    limits: Limits = TEST_LIMITS,
    flags: Sequence[str] = TEST_FLAGS,
) -> TestVerdict:
    """Run a test on a candidate, as `sandbox.run_test` does, with a reference's declarations.

    Args:
        candidate: C text that defines the function; untrusted.
        test: C text with a `main` that asserts.
        reference: C text of the true function.
        func_name: Name of the function.
        header: What the candidate's unit begins with.
        limits: What the program may use.
        flags: How the candidate's unit is compiled.

    Returns:
        Whether it passed, or why not.

    Raises:
        SourceError: The reference defines no such function, or cannot be worked on.
        JailError: The jail failed, or executing is refused here.
    """  # noqa: DOC502
    declarations = declarations_of(reference, func_name)
    return run_test(
        candidate,
        test,
        declarations=declarations,
        func_name=func_name,
        header=header,
        limits=limits,
        flags=flags,
    )


def _declaration(tree: Tree, node: Node) -> str | None:
    if node.type == "comment":
        return None
    if node.type != "function_definition":
        return tree.text(node).rstrip("\n")
    if any(child.type == "storage_class_specifier" for child in node.children):
        return None
    body = node.child_by_field_name("body")
    assert body is not None, "a function definition has a body"
    return tree.source[node.start_byte : body.start_byte].decode("utf-8", "surrogateescape") + ";"


def _name(tree: Tree, node: Node) -> str | None:
    """Give the name of a function definition: the identifier at the heart of its declarator."""
    if node.type != "function_definition":
        return None
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type != "identifier":
        inner = inner.child_by_field_name("declarator") or _parenthesized(inner)
    return None if inner is None else tree.text(inner)


def _parenthesized(node: Node) -> Node | None:
    return node.named_children[0] if node.type == "parenthesized_declarator" else None
