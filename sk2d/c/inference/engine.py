"""From code to header."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sk2d.c import libc
from sk2d.c.inference.cursor import RESERVED
from sk2d.c.inference.header import Header
from sk2d.c.inference.known import Known, shimmed, standard
from sk2d.c.inference.parse_unit import parse_unit
from sk2d.c.inference.preprocessing import Lexeme, lex, preprocess
from sk2d.c.inference.solver import NotStandard
from sk2d.c.inference.statements import Rules
from sk2d.c.parse import parse, room_for_recursion
from sk2d.errors import Reason, SourceError

_TAGS: Final = frozenset(["struct", "union", "enum"])


def infer_header(code: str, shim: bool = False) -> str:
    """Find the declarations that a text lacks.

    Args:
        code: Text from `clean_source`.
        shim: Whether the shim for decompiler output stands before the header.

    Returns:
        The header.

    Raises:
        SourceError: The text is no C, or no declarations make it compile.
    """  # noqa: DOC502
    tree = parse(code)
    refused: set[str] = set()
    while True:
        try:
            with room_for_recursion(tree):
                return _infer(code, shimmed() if shim else standard(""), refused)
        except RecursionError as error:
            raise SourceError(Reason.TOO_DEEP, "macros nest the code too deeply") from error
        except NotStandard as error:
            if error.name in refused or shim and error.name in shimmed().scope.names:
                what = f"{error.name} is declared already, and as something else"
                raise SourceError(Reason.TYPE_CONFLICT, what) from error
            refused.add(error.name)


def _infer(code: str, before: Known, refused: set[str]) -> str:
    done = preprocess(code, before.macros)
    names = standard_names(done.tokens) - before.scope.names.keys() - before.macros.keys()
    types = {name for name in names if libc.kind_of(name) == "type"}
    unit = parse_unit(done.tokens, before.types | types)
    standard = {n for n in names - unit.declared if not _brings(n, refused)}
    text = libc.declare(standard)
    all_known = _together(before, text)
    if text:
        done = preprocess(code, all_known.macros)
    if text or unit.types:
        unit = parse_unit(done.tokens, all_known.types | unit.types)
    rules = Rules(unit, all_known.scope, quiet=before.quiet)
    rules.unit_rules()
    rules.solver.solve()
    taken = {token.text for token in done.tokens if token.kind == "name"}
    return text + Header(rules, taken).text() + "#if 1\n" * done.unopened


def _together(before: Known, text: str) -> Known:
    """Give what is known with the standard declarations that a text needs."""
    if not text:
        return before
    return Known(text, before) if before.text else standard(text)


def _brings(name: str, refused: set[str]) -> bool:
    """Tell whether the declaration of a standard name would bring one that was refused."""
    if not refused:
        return False
    words = {t.text for t in lex(libc.declare([name])) if t.kind == "name"}
    return not refused.isdisjoint(words | {name.split()[-1]})


def standard_names(tokens: Iterable[Lexeme]) -> set[str]:
    """Find the names of the standard library that a text uses, as far as tokens tell.

    Args:
        tokens: The tokens of the text.

    Returns:
        The names, tags with their keyword; a tag that the text defines itself is not one of them.
    """
    found: set[str] = set()
    own: set[str] = set()
    earlier, before = "", ""
    for token in tokens:
        if token.text == "{" and earlier in _TAGS:
            own.add(f"{earlier} {before}")
        if token.kind == "name" and token.text not in RESERVED:
            tag = f"{before} {token.text}"
            if before in _TAGS and libc.kind_of(tag) == "tag":
                found.add(tag)
            elif before not in _TAGS | {".", "->", "goto"} and libc.is_standard(token.text):
                found.add(token.text)
        earlier, before = before, token.text
    return {name for name in found - own if libc.kind_of(name) is not None}
