"""The class of each declared name: integer, floating, pointer or struct.

Read with pycparser, which has no part in inference, so that the two cannot share a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from pycparser import c_ast, c_parser

from sk2d.c import libc

Class = Literal["integer", "floating", "pointer", "struct", "void", "unknown"]

Node = Any
"""pycparser has no types."""

_HEAD: Final = "typedef int __builtin_va_list; typedef _Bool bool;\n"
_STRIPPED: Final = (
    (r"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*$", ""),
    (r"/\*.*?\*/|//[^\n]*", " "),
    (r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", ""),
    (r"\b__extension__\b", ""),
    (r"\b__restrict(?:__)?\b", "restrict"),
    (r"\b__const\b", "const"),
    (r"\b__inline(?:__)?\b", "inline"),
    (r"\bunsigned __int128\b|\b__int128\b", "long long"),
    (r"\b(?:__float128|_Float128)\b", "long double"),
)
_FLOATING: Final = frozenset({"float", "double"})
_INTEGER: Final = frozenset({"char", "short", "int", "long", "signed", "unsigned", "_Bool"})


class Signature(NamedTuple):
    """The classes of a function's result and parameters; None when it has no parameter list."""

    result: Class
    parameters: tuple[Class, ...] | None


class Declared(NamedTuple):
    """What a text declares at its top: classes of variables, and functions."""

    variables: dict[str, Class]
    functions: dict[str, Signature]


def declared(text: str) -> Declared | None:
    """Read the declarations and definitions of a text.

    Args:
        text: C that needs no other declarations.

    Returns:
        What it declares; None when pycparser cannot read it.
    """
    try:
        tree = c_parser.CParser().parse(_HEAD + plain(text))
    except c_parser.ParseError:
        return None
    found = Declared({}, {})
    typedefs: dict[str, Node] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef):
            typedefs[node.name] = node.type
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        found.variables.update(_enumerators(declaration))
        if isinstance(declaration, c_ast.Decl) and declaration.name:
            _add(declaration, typedefs, found)
    return found


def plain(text: str) -> str:
    """Take out what only gcc and the preprocessor understand.

    Args:
        text: C.

    Returns:
        C that pycparser can read, without its macros.
    """
    for pattern, replacement in _STRIPPED:
        text = re.sub(pattern, replacement, text, flags=re.DOTALL)
    return text


def count_prototypes(header: str) -> tuple[int, int]:
    """Count the prototypes that are not standard, and those that say nothing about parameters.

    Args:
        header: An inferred header.

    Returns:
        Both numbers.
    """
    found = declared(header)
    named = found.functions.items() if found else ()
    functions = [signature for name, signature in named if libc.kind_of(name) is None]
    return len(functions), sum(f.parameters is None for f in functions)


def _enumerators(node: Node) -> dict[str, Class]:
    kind = getattr(node, "type", None)
    kind = kind.type if isinstance(kind, c_ast.TypeDecl) else kind
    values = kind.values if isinstance(kind, c_ast.Enum) else None
    return {item.name: "integer" for item in values.enumerators} if values else {}


def _add(node: Node, typedefs: Mapping[str, Node], found: Declared) -> None:
    kind = _resolved(node.type, typedefs)
    if not isinstance(kind, c_ast.FuncDecl):
        found.variables[node.name] = class_of(node.type, typedefs)
        return
    parameters = None
    if kind.args is not None:
        listed = [p for p in kind.args.params if not isinstance(p, c_ast.EllipsisParam)]
        classes = tuple(class_of(getattr(p, "type", p), typedefs) for p in listed)
        parameters = () if classes == ("void",) else classes
    found.functions[node.name] = Signature(class_of(kind.type, typedefs), parameters)


def class_of(kind: Node, typedefs: Mapping[str, Node]) -> Class:
    """Tell the class of a type.

    Args:
        kind: pycparser's node of the type.
        typedefs: The types that names stand for.

    Returns:
        Its class; `unknown` for a name that stands for no known type.
    """
    kind = _resolved(kind, typedefs)
    if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        return "pointer"
    if isinstance(kind, c_ast.Struct | c_ast.Union):
        return "struct"
    if isinstance(kind, c_ast.Enum):
        return "integer"
    words = set(getattr(kind, "names", ()))
    if words & _FLOATING:
        return "floating"
    if words & _INTEGER:
        return "integer"
    return "void" if words == {"void"} else "unknown"


def _resolved(kind: Node, typedefs: Mapping[str, Node]) -> Node:
    """Go through typedef names to the type itself."""
    seen: set[str] = set()
    while True:
        if isinstance(kind, c_ast.TypeDecl | c_ast.Typename):
            kind = kind.type
        elif isinstance(kind, c_ast.IdentifierType) and kind.names[0] in typedefs:
            if kind.names[0] in seen:
                return kind
            seen.add(kind.names[0])
            kind = typedefs[kind.names[0]]
        else:
            return kind
