"""From text to the tree of one function, as pycparser sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser import c_ast
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser, ParseError

from sk2d.c import libc
from sk2d.c.inference.evidence import name_kinds
from sk2d.c.inference.known import shimmed
from sk2d.c.inference.parse_unit import parse_unit
from sk2d.c.inference.preprocessing import Lexeme, preprocess
from sk2d.c.tokens import clean_source
from sk2d.errors import SourceError
from sk2d.metrics.readability.gnu import without_gnu

_PLACE = re.compile(r":(\d+):")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ATTEMPTS = 50
_KEYWORDS = frozenset(word.lower() for word in CLexer.keywords) | {"_Bool", "_Complex", "__int128"}


class UnreadableError(Exception):
    """Text that cannot be read as C, or that lacks the function."""


def parse_function(code: str, function: str) -> c_ast.FuncDef:
    """Read a function.

    Types that the text uses and does not define are worked out as for the inferred header. They
    need a name alone here: what a type is does not count.

    Args:
        code: C text, GNU extensions and all.
        function: Name of the function.

    Returns:
        Its tree.

    Raises:
        UnreadableError: The text is no C, or the function is not in it.
    """
    try:
        tokens = preprocess(clean_source(code)).tokens
    except SourceError as error:
        raise UnreadableError(str(error)) from error
    tree = _parse(without_gnu(tokens), _type_names(tokens))
    for part in tree.ext:
        if isinstance(part, c_ast.FuncDef) and part.decl.name == function:
            return part
    raise UnreadableError(f"there is no function {function}")


def _type_names(tokens: list[Lexeme]) -> list[str]:
    """List the names that the text uses as types, without knowing what they are."""
    names = {token.text for token in tokens if token.kind == "name"}
    known = {name for name in names if libc.kind_of(name) == "type" or name in shimmed().types}
    try:
        known |= parse_unit(tokens, frozenset(known)).types
    except SourceError:
        known |= name_kinds(tokens)[0]
    return sorted(known & names - _KEYWORDS)


def _parse(words: Sequence[str], types: list[str]) -> c_ast.FileAST:
    """Parse words, one a line; a name at which pycparser stops is tried as a type."""
    problem = ""
    for _ in range(_ATTEMPTS):
        before = [f"typedef int {name};" for name in types]
        try:
            return CParser().parse("\n".join([*before, *words]))
        except ParseError as error:
            problem = str(error)
        except (AssertionError, AttributeError, IndexError, RecursionError) as error:
            raise UnreadableError(f"pycparser failed: {type(error).__name__}") from error
        place = _PLACE.search(problem)
        at = int(place[1]) - len(before) - 1 if place else -1
        name = _suspect(words, at, types) if at >= 0 else None
        if name is None:
            break
        types = [*types, name]
    raise UnreadableError(problem)


def _suspect(words: Sequence[str], at: int, types: Sequence[str]) -> str | None:
    """Choose the name at or before the place of an error that may be a type."""
    begins = at == 0 or words[at - 1] in ("(", ",", ";", "{", "}", "const")
    nearest = reversed(words[: at + begins])
    return next((word for word in nearest if _may_be_type(word, types)), None)


def _may_be_type(word: str, types: Sequence[str]) -> bool:
    return _NAME.fullmatch(word) is not None and word not in _KEYWORDS and word not in types
