"""Functions from which declarations were taken out, so that inference has to find them again."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tree_sitter import Node

from benchmarks.inference.classes import Class, Signature, declared
from sk2d.c import libc
from sk2d.c.parse import Edit, Tree, apply_edits, decode, parse_valid, walk

_POINTERS: Final = ("pointer_declarator", "array_declarator", "function_declarator")
_STORAGE: Final = ("storage_class_specifier", "type_qualifier", "comment")
KNOWN: Final = ("integer", "floating", "pointer", "struct")
"""The classes that are compared; the others say that the true type is not in the text."""


class Variable(NamedTuple):
    """A parameter or local variable whose declaration can be taken out."""

    name: str
    true: Class
    declaration: Node
    declarator: Node


def variables(tree: Tree) -> list[Variable]:
    """Find the parameters and local variables of a text whose class is known.

    Left out are names that are declared twice or never used, and those that would be taken for
    something of the C library without their declaration; also the parameters of a function that
    calls itself, as its calls would have one argument too many.

    Args:
        tree: A valid text.

    Returns:
        The variables in order.
    """
    found = [v for node in walk(tree.root) for v in _declared_by(tree, node)]
    defined = {_definition(tree, n)[0] for n in tree.root.children if "definition" in n.type}
    called = {tree.text(n.children[0]) for n in walk(tree.root) if n.type == "call_expression"}
    declarations = Counter(v.name for v in found)
    uses = Counter(tree.text(n) for n in walk(tree.root) if n.type == "identifier")
    return [
        v
        for v in found
        if declarations[v.name] == 1
        and uses[v.name] > 1
        and v.name not in defined
        and not libc.is_standard(v.name)
        and v.true in KNOWN
        and not (defined & called and _is_parameter(v))
    ]


def hide(tree: Tree, hidden: Sequence[Variable]) -> str:
    """Take declarations out of a text; what they assigned is assigned by a statement.

    Args:
        tree: The text.
        hidden: Variables of it.

    Returns:
        The text without them.
    """
    by_node: dict[int, list[Variable]] = {}
    for variable in hidden:
        by_node.setdefault(variable.declaration.id, []).append(variable)
    lists = {v.declaration.parent for v in hidden if _is_parameter(v)}
    edits = [_without_parameters(tree, node, by_node) for node in lists if node is not None]
    for group in by_node.values():
        if not _is_parameter(group[0]):
            edits.append(_without_declarators(tree, group))
    return decode(apply_edits(tree.source, edits))


def signatures(code: str) -> dict[str, Signature]:
    """Read what the function definitions of a text say about results and parameters.

    Args:
        code: A valid text.

    Returns:
        Signature by name.
    """
    tree = parse_valid(code)
    found = {}
    for node in tree.root.children:
        if node.type == "function_definition":
            name, parameters, result = _definition(tree, node)
            if parameters is not None:
                found[name] = Signature(result, parameters)
    return found


def _definition(tree: Tree, node: Node) -> tuple[str, tuple[Class, ...] | None, Class]:
    declarator = node.child_by_field_name("declarator")
    result = _base_class(tree, node)
    while declarator is not None and declarator.type != "function_declarator":
        result = "pointer" if declarator.type == "pointer_declarator" else result
        declarator = declarator.child_by_field_name("declarator")
    if declarator is None:
        return "", None, result
    name = declarator.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters")
    if name is None or listed is None or name.type != "identifier":
        return "", None, result
    if any(child.type == "identifier" for child in listed.named_children):
        return tree.text(name), None, result
    own = [c for c in listed.named_children if c.type == "parameter_declaration"]
    classes = tuple(_class(tree, c, c.child_by_field_name("declarator")) for c in own)
    return tree.text(name), () if classes == ("void",) else classes, result


def _declared_by(tree: Tree, node: Node) -> Iterator[Variable]:
    inside = node.parent is not None and node.parent.type != "translation_unit"
    if node.type == "declaration" and inside:
        declarators = _declarators(node)
        if node.parent is not None and node.parent.type == "for_statement" and declarators[1:]:
            return
    elif node.type == "parameter_declaration" and _of_definition(node):
        declarators = [d for d in [node.child_by_field_name("declarator")] if d is not None]
    else:
        return
    for declarator in declarators:
        name = _name(declarator)
        if name is not None:
            yield Variable(tree.text(name), _class(tree, node, declarator), node, declarator)


def _declarators(node: Node) -> list[Node]:
    return node.children_by_field_name("declarator")


def _of_definition(node: Node) -> bool:
    """Whether a parameter is one of the function that is defined, not of a type."""
    listed = node.parent
    function = listed.parent if listed is not None else None
    holder = function.parent if function is not None else None
    while holder is not None and holder.type == "pointer_declarator":
        holder = holder.parent
    return holder is not None and holder.type == "function_definition"


def _is_parameter(variable: Variable) -> bool:
    return variable.declaration.type == "parameter_declaration"


def _name(declarator: Node | None) -> Node | None:
    while declarator is not None and declarator.type != "identifier":
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next(iter(declarator.named_children), None)
        declarator = inner
    return declarator


def _class(tree: Tree, node: Node, declarator: Node | None) -> Class:
    if declarator is not None and declarator.type == "init_declarator":
        declarator = declarator.child_by_field_name("declarator")
    pointers = (*_POINTERS, *(f"abstract_{kind}" for kind in _POINTERS))
    if declarator is not None and declarator.type in pointers:
        return "pointer"
    return _base_class(tree, node)


def _base_class(tree: Tree, node: Node) -> Class:
    kind = node.child_by_field_name("type")
    if kind is None:
        return "unknown"
    if kind.type in ("struct_specifier", "union_specifier"):
        return "struct"
    if kind.type == "enum_specifier":
        return "integer"
    return _class_of_name(" ".join(tree.text(kind).split()))


@functools.cache
def _class_of_name(name: str) -> Class:
    """Tell the class of a type without declarator, by what the C library says of its name."""
    head = libc.declare([name]) if libc.kind_of(name) == "type" else ""
    found = declared(f"{head}\n{name} variable;" if name != "void" else "")
    return found.variables.get("variable", "void") if found else "unknown"


def _without_parameters(tree: Tree, listed: Node, by_node: dict[int, list[Variable]]) -> Edit:
    kept = [tree.text(c) for c in listed.named_children if c.id not in by_node]
    text = f"({', '.join(kept) or 'void'})"
    return Edit(listed.start_byte, listed.end_byte, text.encode("utf-8", "surrogateescape"))


def _without_declarators(tree: Tree, group: Sequence[Variable]) -> Edit:
    node = group[0].declaration
    gone = {v.declarator.id for v in group}
    kept = [d for d in _declarators(node) if d.id not in gone]
    first = _declarators(node)[0]
    head = decode(tree.source[node.start_byte : first.start_byte])
    kind = node.child_by_field_name("type")
    needed = kept or (kind is not None and kind.child_by_field_name("body") is not None)
    parts = [f"{head}{', '.join(tree.text(d) for d in kept)};"] if needed else []
    parts += [_assignment(tree, v) for v in group]
    text = " ".join(part for part in parts if part) or ";"
    return Edit(node.start_byte, node.end_byte, text.encode("utf-8", "surrogateescape"))


def _assignment(tree: Tree, variable: Variable) -> str:
    value = variable.declarator.child_by_field_name("value")
    target = variable.declarator.child_by_field_name("declarator")
    if value is None or value.type == "initializer_list":
        return ""
    if target is not None and target.type == "array_declarator":
        return ""
    return f"{variable.name} = {tree.text(value)};"
