"""The function definitions of a text, and renaming one."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.names import Function, Names, resolve
from sk2d.c.naming.words import RESERVED
from sk2d.c.parse import Edit, Tree, apply_edits, decode, encode, parse
from sk2d.errors import Reason, SourceError, UserError

__all__ = ["Function", "function_definitions", "only_function", "rename_function", "the_function"]

_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


def function_definitions(tree: Tree) -> list[Function]:
    """Find the function definitions on file level, old-style and macro-decorated ones too.

    Args:
        tree: A text.

    Returns:
        The definitions in the order of the text; a function whose head stands in several versions
        under `#if` comes once.

    Raises:
        SourceError: `syntax_error` or `too_deep`.
    """  # noqa: DOC502
    return resolve(tree).functions


def the_function(tree: Tree) -> Function:
    """Find the one function that a text defines.

    Args:
        tree: A text.

    Returns:
        The function.

    Raises:
        SourceError: `no_function`, `several_functions`, `syntax_error` or `too_deep`.
    """  # noqa: DOC502
    return only_function(resolve(tree))


def only_function(names: Names) -> Function:
    """Give the one function that a text defines, when its names are known already.

    Args:
        names: The names of the text.

    Returns:
        The function.

    Raises:
        SourceError: `no_function` or `several_functions`.
    """
    found = {function.name: function for function in reversed(names.functions)}
    if not found:
        raise SourceError(Reason.NO_FUNCTION, "no function is defined here")
    if len(found) > 1:
        listed = ", ".join(function.name for function in names.functions[:4])
        raise SourceError(
            Reason.SEVERAL_FUNCTIONS, f"{len(found)} functions are defined here: {listed}"
        )
    return next(iter(found.values()))


def rename_function(code: str, new: str, old: str | None = None) -> str:
    """Rename a function: its definition, prototypes, calls, and wherever its address is taken.

    Members, labels, tags, strings, comments, and variables that hide the function keep their name.

    Args:
        code: C text.
        new: The new name.
        old: The function's name; it may be left out where the text defines one function only.

    Returns:
        The text with the function renamed.

    Raises:
        SourceError: There is no such function, or more than one and no `old` (`no_function`,
            `several_functions`); the new name stands for something else in the text
            (`name_clash`); or the text cannot be worked on.
        UserError: The new name is no identifier.
    """  # noqa: DOC502
    _refuse_no_identifier(new)
    tree = parse(code)
    names = resolve(tree)
    symbol = _symbol(names, old)
    if names.symbols[symbol].name == new:
        return decode(tree.source)
    _refuse_clash(names, symbol, new)
    written = encode(new)
    edits = [Edit(o.start, o.end, written) for o in names.occurrences if o.symbol == symbol]
    return decode(apply_edits(tree.source, edits))


def _refuse_no_identifier(new: str) -> None:
    if not _IDENTIFIER.fullmatch(new) or new in RESERVED:
        raise UserError(f"{new!r} cannot be the name of a function")


def _symbol(names: Names, old: str | None) -> int:
    if old is None:
        return only_function(names).symbol
    for function in names.functions:
        if function.name == old:
            return function.symbol
    raise SourceError(Reason.NO_FUNCTION, f"no function {old} is defined here")


def _refuse_clash(names: Names, symbol: int, new: str) -> None:
    """Refuse a name that already stands for something that C could confuse with the function."""
    for number, other in enumerate(names.symbols):
        if other.name == new and other.namespace == "ordinary" and number != symbol:
            raise SourceError(Reason.NAME_CLASH, f"{new} already stands for another {other.kind}")
