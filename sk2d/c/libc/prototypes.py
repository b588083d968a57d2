"""Entries of the table for what headers declare: functions, types, tags, variables, enumerators."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pycparser import c_ast, c_generator, c_parser

from sk2d.c.libc.entries import Entry
from sk2d.c.libc.visibility import is_public, is_skipped

Node = Any
"""pycparser has no types."""

_REPLACED: Final[Mapping[str, str]] = {
    "__gnuc_va_list": "__builtin_va_list",
    "__builtin_va_list": "__builtin_va_list",
    "__SOCKADDR_ARG": "struct sockaddr *restrict",
    "__CONST_SOCKADDR_ARG": "const struct sockaddr *",
    "__compar_fn_t": "int (*)(const void *, const void *)",
    "__compar_d_fn_t": "int (*)(const void *, const void *, void *)",
    "__action_fn_t": "void (*)(const void *, VISIT, int)",
    "__free_fn_t": "void (*)(void *)",
}
"""Types of parameters that the headers name; the first two of them differ in C++."""

_SPELLINGS: Final[Mapping[str, str]] = {
    "long int": "long",
    "short int": "short",
    "long long int": "long long",
    "unsigned int": "unsigned",
    "long unsigned int": "unsigned long",
    "unsigned long int": "unsigned long",
    "short unsigned int": "unsigned short",
    "unsigned short int": "unsigned short",
    "unsigned long long int": "unsigned long long",
    "long long unsigned int": "unsigned long long",
}
_TAGGED: Final = (c_ast.Struct, c_ast.Union, c_ast.Enum)
_KEYWORD: Final = {c_ast.Struct: "struct", c_ast.Union: "union", c_ast.Enum: "enum"}

_WORD_SIZED: Final = {"register_t": "typedef long register_t;"}
"""Types whose size an attribute says."""

OPAQUE: Final = frozenset({"struct _IO_FILE"})
"""Tags whose members no declaration needs, only code that looks into them."""

PACKED: Final = frozenset({"struct epoll_event"})
"""Structures that the headers declare packed."""


class Declarations:
    """The entries of a parsed text.

    Args:
        text: Preprocessed text that pycparser can read.
        owners: Header by path of a file.
    """

    def __init__(self, text: str, owners: Mapping[str, str]) -> None:
        self.entries: dict[str, Entry] = {}
        self.members: dict[str, list[tuple[str, str]]] = {}
        self._owners = owners
        self.scalars: dict[str, list[str]] = {}
        self._values: dict[str, int] = {}
        for node in c_parser.CParser().parse(text).ext:
            self._external(node)

    def _external(self, node: Node) -> None:
        if isinstance(node, c_ast.FuncDef):
            node = node.decl
        if "mathcalls" in str(node.coord.file) and str(node.name).startswith("__"):
            return
        if isinstance(node, c_ast.Typedef):
            self._typedef(node)
        elif isinstance(node, c_ast.Decl):
            self._declaration(node)

    def _header(self, node: Node, name: str) -> str:
        if not is_public(name):
            return "-"
        return self._owners.get(node.coord.file, "-")

    def _add(self, node: Node, name: str, kind: str, text: str, c_type: str = "") -> None:
        bare = name.split()[-1]
        if is_skipped(bare) or name in self.entries:
            return
        needs = tuple(sorted(set(_needs(node)) - {name}))
        entry = Entry(name, kind, self._header(node, bare), needs, c_type, text)  # type: ignore[arg-type]
        self.entries[name] = entry

    # Types.

    def _typedef(self, node: Node) -> None:
        name = node.name
        if name in _REPLACED and "(*)" not in _REPLACED[name]:
            return
        self._simplify(node)
        self._inner_tag(node.type, f"{name}")
        inner = node.type
        if isinstance(inner, c_ast.TypeDecl) and isinstance(inner.type, c_ast.IdentifierType):
            plain = not inner.quals and not any(n in self.entries for n in inner.type.names)
            if plain and name.startswith("_"):
                self.scalars[name] = inner.type.names
        self._add(node, name, "type", _WORD_SIZED.get(name, f"{_text(node)};"))

    def _inner_tag(self, type_node: Node, owner: str) -> None:
        """Give a tag that is defined inside another declaration an entry of its own."""
        tagged = _innermost(type_node)
        if not isinstance(tagged, _TAGGED):
            return
        if isinstance(tagged, c_ast.Enum) and tagged.values:
            self._enumerators(tagged, tagged.name and f"enum {tagged.name}" or owner)
        elif not isinstance(tagged, c_ast.Enum) and tagged.decls:
            key = f"{_KEYWORD[type(tagged)]} {tagged.name}" if tagged.name else owner
            self.members[key] = list(_members(tagged))
        if tagged.name:
            self._tag(tagged)

    def _tag(self, tagged: Node) -> None:
        key = f"{_KEYWORD[type(tagged)]} {tagged.name}"
        whole = tagged.values if isinstance(tagged, c_ast.Enum) else tagged.decls
        if whole:
            self.entries.pop(key, None)
        packed = " __attribute__((packed))" if key in PACKED else ""
        self._add(tagged, key, "tag", f"{_text(tagged)}{packed};")
        if isinstance(tagged, c_ast.Enum):
            tagged.values = None
        else:
            tagged.decls = None

    def _enumerators(self, node: Node, owner: str | None) -> None:
        value = -1
        for item in node.values.enumerators:
            if is_skipped(item.name):
                continue
            value = value + 1 if item.value is None else _value(item.value, self._values)
            self._values[item.name] = value
            text = "" if owner else f"enum {{ {item.name} = {value} }};"
            needs = (owner,) if owner else ()
            header = self._header(item, item.name)
            if item.name not in self.entries:
                self.entries[item.name] = Entry(item.name, "constant", header, needs, "int", text)

    # Functions and variables.

    def _declaration(self, node: Node) -> None:
        self._simplify(node)
        if isinstance(node.type, c_ast.Enum) and node.name is None and not node.type.name:
            self._enumerators(node.type, None)
            return
        if isinstance(node.type, _TAGGED):
            self._inner_tag(node.type, "")
            return
        node.storage = [s for s in node.storage if s not in ("extern", "static")]
        node.funcspec = [s for s in node.funcspec if s != "inline"]
        if isinstance(node.type, c_ast.FuncDecl):
            self._add(node, node.name, "func", f"{_text(node)};")
            return
        c_type = type_text(node.type)
        node.storage = ["extern"]
        self._add(node, node.name, "var", f"{_text(node)};", c_type)

    def _simplify(self, node: Node) -> None:
        """Take out parameter names and the headers' own names for simple types."""
        for inner in _below(node):
            if isinstance(inner, c_ast.ParamList):
                inner.params = [_unnamed(p) for p in inner.params]
        for inner in _below(node):
            if isinstance(inner, c_ast.ArrayDecl) and isinstance(inner.dim, c_ast.ID):
                inner.dim = None
            if isinstance(inner, c_ast.IdentifierType) and not _is_alias(node, inner):
                inner.names = self._plain(inner.names)

    def _plain(self, names: list[str]) -> list[str]:
        if names[0] in _REPLACED:
            return [_REPLACED[names[0]]]
        plain = self.scalars.get(names[0], names)
        spelt = " ".join(plain)
        return _SPELLINGS.get(spelt, spelt).split()


def _is_alias(node: Node, inner: Node) -> bool:
    """Whether a typedef gives another name to one of the types that are replaced in parameters."""
    replacement = _REPLACED.get(inner.names[0], "")
    return isinstance(node, c_ast.Typedef) and "(*)" in replacement


def type_text(type_node: Node) -> str:
    """Write a type without the name that is declared with it.

    Args:
        type_node: pycparser's node of the type.

    Returns:
        C text such as `char (*)[4]`.
    """
    plain = copy.deepcopy(type_node)
    inner = plain
    while not isinstance(inner, (c_ast.TypeDecl, *_TAGGED)):
        inner = inner.type
    if isinstance(inner, c_ast.TypeDecl):
        inner.declname = None
    return _text(c_ast.Typename(None, [], None, plain))


def _text(node: Node) -> str:
    return " ".join(c_generator.CGenerator().visit(node).split()).replace("* restrict", "*restrict")


def _unnamed(param: Node) -> Node:
    if isinstance(param, c_ast.EllipsisParam | c_ast.Typename | c_ast.ID):
        return param
    inner = param.type
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = None
    return c_ast.Typename(None, param.quals, None, param.type, param.coord)


def _below(node: Node) -> Iterator[Node]:
    yield node
    for _, child in node.children():
        yield from _below(child)


def _innermost(type_node: Node) -> Node:
    while isinstance(type_node, c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        type_node = type_node.type
    return type_node


def _needs(node: Node) -> Iterator[str]:
    for inner in _below(node):
        if isinstance(inner, _TAGGED) and inner.name:
            key = f"{_KEYWORD[type(inner)]} {inner.name}"
            whole = inner.values if isinstance(inner, c_ast.Enum) else inner.decls
            if key not in OPAQUE and (inner is node or not whole):
                yield key
        elif isinstance(inner, c_ast.IdentifierType):
            yield from _needs_of_names(inner.names)


def _needs_of_names(names: list[str]) -> Iterator[str]:
    for name in names:
        if "struct sockaddr" in name:
            yield "struct sockaddr"
        elif "VISIT" in name:
            yield "VISIT"
        elif name not in _BASIC and name not in _REPLACED.values():
            yield name


_BASIC: Final = frozenset(
    ("void", "char", "short", "int", "long", "signed", "unsigned", "float", "double")
    + ("_Bool", "_Complex", "__builtin_va_list")
)


def _members(node: Node) -> Iterator[tuple[str, str]]:
    """Name the members that can be reached with one `.`, with their types."""
    for decl in node.decls or ():
        if decl.name is None and isinstance(decl.type, c_ast.Struct | c_ast.Union):
            yield from _members(decl.type)
        elif decl.name is not None:
            yield decl.name, type_text(decl.type)


_OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "<<": lambda a, b: ((a << b) + 2**31) % 2**32 - 2**31,
    "|": lambda a, b: a | b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def _value(node: Node, known: Mapping[str, int]) -> int:
    """Compute the value of an enumerator."""
    if isinstance(node, c_ast.Constant):
        text = node.value.rstrip("uUlL")
        if text.startswith("'"):
            return ord(text[1])
        octal = text.startswith("0") and text.isdigit() and len(text) > 1
        return int(text, 8) if octal else int(text, 0)
    if isinstance(node, c_ast.ID):
        return known[node.name]
    if isinstance(node, c_ast.UnaryOp):
        value = _value(node.expr, known)
        return -value if node.op == "-" else ~value
    if isinstance(node, c_ast.Cast):
        return _value(node.expr, known)
    return _OPERATIONS[node.op](_value(node.left, known), _value(node.right, known))
