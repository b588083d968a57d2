"""The R2I features that depend on names: references, compared strings, what is no C."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from pycparser import c_ast

from sk2d.metrics.readability.tree import INITIALIZER, named_children

FILLS_ITS_ARGUMENTS = frozenset(
    ("scanf", "gets", "fgets", "free", "memset", "write", "fwrite", "read", "fread")
)
"""`&` in the arguments of these is no reference that a reader has to follow."""

COUNTED_WORDS = frozenset(
    (
        *("asm", "assignment", "bitwise", "cast", "comma", "goto", "if_in_loop", "local"),
        *("operator", "token", "undefined", "unknown", "unknown_op", "unimplemented"),
        *("invalid_jump", "invalid_form", "invalid_ir", "invalid_funccall", "broken_dowhile"),
    )
)
"""A variable of this name counts as the feature. The authors rewrite what is no C to such words
before they count; that a variable which is called `token` counts too follows from it."""

COMPARES_STRINGS = ("strcmp", "strncmp")


@dataclass
class _Place:
    """Flags of a node's children; the reference lets a child change them for its siblings."""

    names_function: bool = False
    counts_address: bool = True
    negated: bool = False
    equated: bool = False
    compared: bool = False


def name_features(function: c_ast.FuncDef) -> Counter[str]:
    """Count pointers that are followed or made, ways of comparing strings, and marked words.

    Args:
        function: A function.

    Returns:
        `ref_direct` (`*` and `&`), `strcmp_not` (`!strcmp(a, b)`, `strcmp(a, b) == 0`) and
        `strcmp_bare` (any other); what else is named after a feature.
    """
    found: Counter[str] = Counter(ref_direct=0, strcmp_not=0, strcmp_bare=0)
    _count(function, "", _Place(), found)
    return found


def _count(node: c_ast.Node, role: str, around: _Place, found: Counter[str]) -> None:
    place = replace(around)
    if role != INITIALIZER:
        _own(node, role, place, around, found)
    for name, child in named_children(node):
        _count(child, name, place, found)
        if place.compared and isinstance(node, c_ast.BinaryOp):
            _compared_with(child, node.op, found)
    if isinstance(node, c_ast.FuncCall) and place.equated:
        around.compared = place.compared


def _own(node: c_ast.Node, role: str, place: _Place, around: _Place, found: Counter[str]) -> None:
    match node:
        case c_ast.UnaryOp(op="*"):
            found["ref_direct"] += 1
        case c_ast.UnaryOp(op="&"):
            found["ref_direct"] += place.counts_address
        case c_ast.UnaryOp(op="!"):
            place.negated = True
        case c_ast.BinaryOp(op="=="):
            place.equated = True
        case c_ast.FuncCall():
            place.names_function = True
        case c_ast.ID(name=name) if role == "name" and place.names_function:
            _called(name, place, around, found)
        case c_ast.ID(name=name) if name.lower() in COUNTED_WORDS:
            found[name.lower()] += 1


def _called(name: str, place: _Place, around: _Place, found: Counter[str]) -> None:
    around.names_function = False
    if name == "invalid_funccall":
        found["invalid_funccall"] += 1
    elif "__asm" in name:
        found["asm"] += 1
    if name in FILLS_ITS_ARGUMENTS:
        around.counts_address = False
    if name not in COMPARES_STRINGS:
        return
    if place.negated:
        found["strcmp_not"] += 1
    elif place.equated:
        around.compared = True  # the other side of `==` decides
    else:
        found["strcmp_bare"] += 1


def _compared_with(side: c_ast.Node, operator: str, found: Counter[str]) -> None:
    if isinstance(side, c_ast.FuncCall):
        return
    zero = isinstance(side, c_ast.Constant) and side.value == "0"
    found["strcmp_not" if operator == "==" and zero else "strcmp_bare"] += 1
