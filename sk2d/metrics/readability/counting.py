"""What R2I counts in a function: lines of its text, and nodes of its tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pycparser import c_ast

from sk2d.metrics.readability.tree import INITIALIZER, walk

_UNCOUNTED = (c_ast.FileAST, c_ast.Typename, c_ast.TypeDecl, c_ast.IdentifierType, c_ast.FuncDef)
_SEPARATORS = re.compile(r"[\s,:;(){}]+")
_BITWISE = frozenset(("&", "|", "^", "<<", ">>", "&=", "|=", "^=", "<<=", ">>=", "~"))
_CHANGING = ("++", "--", "p++", "p--", "!", "~")
_UNDEFINED = frozenset(
    ("undefined", "code", "passwd", "BADSPACEBASE", "unkint", "unkbyte10", "_UNKNOWN")
)
"""Types that decompilers write where they know none."""


def line_features(code: str) -> dict[str, int]:
    """Measure the lines of a text; empty ones, directives and lone comments do not count.

    Args:
        code: A function's text.

    Returns:
        `loc` (lines) and `lol` (words of the longest line).
    """
    lines = [line for line in code.split("\n") if _counts(line)]
    words = (_SEPARATORS.split(_without_comment(line)) for line in lines)
    return {"loc": len(lines), "lol": max(map(len, words), default=0)}


def _counts(line: str) -> bool:
    lone_comment = line.endswith("*/") and line.lstrip().startswith("/*")
    return line != "" and not line.startswith("#") and not lone_comment


def _without_comment(line: str) -> str:
    return line.split("//", 1)[0].split("/*", 1)[0].strip()


def node_features(function: c_ast.FuncDef) -> Counter[str]:
    """Count nodes of a function's tree.

    Args:
        function: A function.

    Returns:
        Counts by feature, and by name of the tree's classes for loops and branches.
    """
    found: Counter[str] = Counter()
    for role, node in walk(function):
        found.update(_of_node(node, role))
    found["local"] += sum(isinstance(node, c_ast.Decl) for _, node in walk(function.body))
    labels = {node.name for _, node in walk(function) if isinstance(node, c_ast.Label)}
    used = {node.name for _, node in walk(function) if isinstance(node, c_ast.Goto)}
    found["label"] = len(labels - used)
    return found


def _of_node(node: c_ast.Node, role: str) -> Iterator[str]:
    if not isinstance(node, _UNCOUNTED):
        yield "token"
    if isinstance(node, c_ast.IdentifierType):
        yield from ("undefined" for name in node.names if name in _UNDEFINED)
    elif role == INITIALIZER:
        yield "assignment"
    elif isinstance(node, c_ast.Compound):
        if role == "iffalse":
            yield "If"
    else:
        yield from _of_statement(node)
        yield from _of_operator(node)


def _of_statement(node: c_ast.Node) -> Iterator[str]:
    match node:
        case c_ast.Goto():
            yield "goto"
        case c_ast.Case() | c_ast.Default():
            yield "Case"
        case c_ast.If() | c_ast.TernaryOp() | c_ast.For() | c_ast.While() | c_ast.DoWhile():
            yield type(node).__name__
        case c_ast.ArrayRef() | c_ast.StructRef():
            yield "ref_structured"


def _of_operator(node: c_ast.Node) -> Iterator[str]:
    operator = getattr(node, "op", "")
    match node:
        case c_ast.UnaryOp() if operator in ("&", "*"):
            return
        case c_ast.UnaryOp() if operator in _CHANGING:
            yield "operator"
        case c_ast.BinaryOp() | c_ast.TernaryOp():
            yield "operator"
        case c_ast.Assignment():
            yield "assignment"
            if operator != "=":
                yield "operator"
    if operator in _BITWISE:
        yield "bitwise"
    if operator in ("p++", "p--", "++", "--"):
        yield "postfix" if operator.startswith("p") else "prefix"
