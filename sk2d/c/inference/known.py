"""What is declared before the text: the standard's declarations and the decompilers' shim."""

from __future__ import annotations

import functools
from typing import Final

from sk2d.c import libc
from sk2d.c.inference.context import Scope, Symbol
from sk2d.c.inference.parse_unit import parse_unit
from sk2d.c.inference.preprocessing import Macro, preprocess
from sk2d.c.inference.statements import Rules
from sk2d.c.inference.syntax import Unit
from sk2d.c.inference.types import Alias, Array, Basic, Kind, Record
from sk2d.c.normalization import INCLUDED, shim

_VA_LIST: Final = "__builtin_va_list"
_VECTORS: Final = ("__m64", "__m128", "__m128d", "__m128i", "__m256", "__m256d", "__m256i")


class Known:
    """Declarations that stand before the text.

    Args:
        text: C that needs nothing but what is known before it.
        before: What that is.
        expands: Whether calls of its macros are to be expanded; else they say nothing.

    Attributes:
        text: The same text.
        scope: The names that it declares.
        macros: The macros that it defines.
        types: The names of its types.
        quiet: The names of its function-like macros, when these are not to be expanded.
    """

    scope: Scope
    macros: dict[str, Macro]
    types: frozenset[str]
    quiet: frozenset[str]

    def __init__(self, text: str, before: Known | None = None, *, expands: bool = True) -> None:
        self.text = text
        done = preprocess(text, before.macros if before else None) if text.strip() else None
        types = before.types if before else frozenset(_VECTORS) | {_VA_LIST}
        unit = parse_unit(done.tokens, types) if done else Unit([])
        rules = Rules(unit, before.scope if before else _builtins(), origin="standard")
        rules.unit_rules()
        rules.solver.solve()
        self.scope = Scope(
            {**rules.scopes[0].names, **rules.scopes[1].names},
            {**rules.scopes[0].tags, **rules.scopes[1].tags},
        )
        macros = done.macros if done else before.macros if before else {}
        calls = {name for name, macro in macros.items() if macro.parameters is not None}
        self.macros = {n: m for n, m in macros.items() if expands or n not in calls}
        self.quiet = frozenset(before.quiet if before else ()) | (set() if expands else calls)
        self.types = frozenset(n for n, symbol in self.scope.names.items() if symbol.is_type)


def _builtins() -> Scope:
    """Give what the compiler itself declares."""
    values = Alias(_VA_LIST, Array(Record("struct", _VA_LIST, origin="standard"), "1"), "standard")
    vectors = {n: Alias(n, Basic(n, Kind.FLOATING, 30), "standard") for n in _VECTORS}
    types = {_VA_LIST: values, **vectors}
    return Scope({n: Symbol(type, is_type=True, standard=True) for n, type in types.items()})


@functools.lru_cache(maxsize=256)
def standard(text: str) -> Known:
    """Read declarations of the standard library, once.

    Args:
        text: Self-contained C.

    Returns:
        What it declares.
    """
    return Known(text)


@functools.cache
def shimmed() -> Known:
    """Read the shim that stands before decompiler output, once.

    Returns:
        What it declares, with the names of the compiler's headers that it includes.
    """
    included = {f"{name}.h" for name in INCLUDED}
    names = [name for name in libc.names() if libc.header_of(name) in included]
    return Known(shim(), Known(libc.declare(names)), expands=False)
