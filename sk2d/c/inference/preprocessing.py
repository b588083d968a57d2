"""What the preprocessor makes of the directives inside the text: `#if`, `#define` and their kin.

Code alone is compiled without the headers it once had, so a name that it does not define itself
is undefined, here as for the compiler.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sk2d.c.inference.conditions import constant_value
from sk2d.c.tokens import tokenize
from sk2d.errors import Reason, SourceError

_DIRECTIVE = re.compile(r"\#\s*(\w*)\s*(.*)", re.DOTALL)
_DEFINE = re.compile(r"(\w+)(\(([^)]*)\))?(.*)", re.DOTALL)
_SPLICE = re.compile(r"\\\n")
_MAX_TOKENS: Final = 200_000
"""Macros can grow a text without bound; real functions stay far below."""

_PREDEFINED: Final = {
    "__GNUC__": "12",
    "__GNUC_MINOR__": "2",
    "__STDC__": "1",
    "__STDC_VERSION__": "201112L",
    "__linux__": "1",
    "__linux": "1",
    "linux": "1",
    "__unix__": "1",
    "unix": "1",
    "__x86_64__": "1",
    "__LP64__": "1",
    "__CHAR_BIT__": "8",
    "__LINE__": "1",
    "__COUNTER__": "0",
    "__FILE__": '""',
    "__DATE__": '""',
    "__TIME__": '""',
}


class Lexeme(NamedTuple):
    """A token for the parser; `kind` is name, number, char, string, op or end."""

    kind: str
    text: str
    line: int


class Macro(NamedTuple):
    """A macro that the text defines; `parameters` is None for one without parentheses."""

    parameters: tuple[str, ...] | None
    body: tuple[Lexeme, ...]


@dataclass
class Preprocessed:
    """The tokens that the compiler proper sees.

    Attributes:
        tokens: The tokens, macros of the text itself expanded.
        includes: Names of the included files.
        macros: The macros that the text defines and keeps.
        unopened: How often `#endif` stands there without its `#if`, which was cut off.
    """

    tokens: list[Lexeme] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    unopened: int = 0


def preprocess(code: str, macros: Mapping[str, Macro] | None = None) -> Preprocessed:
    """Carry out the directives of a text.

    Args:
        code: Text from `clean_source`.
        macros: Macros that are defined before it.

    Returns:
        What is left for the parser.

    Raises:
        SourceError: `syntax_error` for an `#if` that is not closed, `unsupported` for `#error`.
    """
    result = Preprocessed(macros={**_predefined(), **(macros or {})})
    pending: list[Lexeme] = []
    branches: list[_Branch] = []
    for token in lex(code):
        if token.kind != "directive":
            if all(branch.taken for branch in branches):
                pending.append(token)
            continue
        result.tokens += expand(pending, result.macros)
        pending = []
        _obey(token, branches, result)
    result.tokens += expand(pending, result.macros)
    if branches:
        raise SourceError(Reason.SYNTAX_ERROR, "#if without #endif")
    return result


@functools.cache
def _predefined() -> dict[str, Macro]:
    return {name: Macro(None, tuple(lex(text))) for name, text in _PREDEFINED.items()}


def lex(code: str) -> Iterator[Lexeme]:
    """Cut text into the tokens that matter to the compiler, directives included.

    Args:
        code: Any text.

    Yields:
        The tokens.
    """
    line = 1
    for token in tokenize(code):
        if not token.blank:
            yield Lexeme(token.kind, token.text, line)
        line += token.text.count("\n")


@dataclass
class _Branch:
    """A `#if` that is open: whether its present part counts, and whether one counted before."""

    taken: bool
    done: bool


def _obey(token: Lexeme, branches: list[_Branch], result: Preprocessed) -> None:
    match = _DIRECTIVE.match(_SPLICE.sub(" ", token.text))
    assert match is not None, "a directive begins with #"
    word, rest = match[1], _without_comments(match[2])
    if word in ("if", "ifdef", "ifndef"):
        live = all(branch.taken for branch in branches)
        holds = live and _holds(word, rest, result.macros)
        branches.append(_Branch(holds, holds or not live))
    elif word in ("elif", "else", "endif"):
        _next_branch(word, rest, token.line, branches, result)
    elif all(branch.taken for branch in branches):
        _plain_directive(word, rest, token.line, result)


def _next_branch(
    word: str, rest: str, line: int, branches: list[_Branch], result: Preprocessed
) -> None:
    if not branches and word == "endif":
        result.unopened += 1
        return
    if not branches:
        raise SourceError(Reason.SYNTAX_ERROR, f"#{word} without #if", where=f"line {line}")
    if word == "endif":
        branches.pop()
        return
    branch = branches[-1]
    branch.taken = not branch.done and (word == "else" or _holds("if", rest, result.macros))
    branch.done = branch.done or branch.taken


def _plain_directive(word: str, rest: str, line: int, result: Preprocessed) -> None:
    if word == "define" and (match := _DEFINE.match(rest)):
        names = None if match[2] is None else tuple(n.strip() for n in match[3].split(","))
        # Behind a word, because `#x` at the start of a line would be a directive.
        body = tuple(t._replace(line=line) for t in lex(f"body {match[4].strip()}"))[1:]
        result.macros[match[1]] = Macro(names, body)
    elif word == "undef":
        result.macros.pop(rest.strip(), None)
    elif word in ("include", "include_next", "import"):
        result.includes.append(rest.strip())
    elif word == "error":
        raise SourceError(Reason.UNSUPPORTED, "#error", where=f"line {line}")


def _without_comments(text: str) -> str:
    return "".join(" " if t.kind == "comment" else t.text for t in tokenize(text)).strip()


def expand(
    tokens: Sequence[Lexeme], macros: dict[str, Macro], hidden: frozenset[str] = frozenset()
) -> list[Lexeme]:
    """Replace the uses of macros.

    Args:
        tokens: The tokens.
        macros: The macros that are defined.
        hidden: Macros that are being expanded already.

    Returns:
        The tokens that come out.

    Raises:
        SourceError: `unsupported` when they become too many.
    """
    out: list[Lexeme] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        macro = macros.get(token.text) if token.kind == "name" else None
        if macro is None or token.text in hidden:
            out.append(token)
            continue
        arguments: list[list[Lexeme]] = []
        if macro.parameters is not None:
            found = _arguments(tokens, at)
            if found is None:
                out.append(token)
                continue
            arguments, at = found
        body = _substitute(macro, arguments, macros, hidden, token.line)
        out += expand(body, macros, hidden | {token.text})
        if len(out) > _MAX_TOKENS:
            raise SourceError(Reason.UNSUPPORTED, f"the macro {token.text} grows without bound")
    return out


def _arguments(tokens: Sequence[Lexeme], at: int) -> tuple[list[list[Lexeme]], int] | None:
    """Read the arguments of a macro and give the place behind them; None if it is not called."""
    if at >= len(tokens) or tokens[at].text != "(":
        return None
    depth, arguments = 0, [[]]  # type: tuple[int, list[list[Lexeme]]]
    for index in range(at, len(tokens)):
        token = tokens[index]
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth == 0:
            return arguments, index + 1
        if depth == 1 and token.text == ",":
            arguments.append([])
        elif index > at:
            arguments[-1].append(token)
    return None


def _substitute(
    macro: Macro,
    arguments: list[list[Lexeme]],
    macros: dict[str, Macro],
    hidden: frozenset[str],
    line: int,
) -> list[Lexeme]:
    """Put the arguments in the place of the parameters, with `#` and `##`."""
    values = _bind(macro, arguments)
    out: list[Lexeme] = []
    paste = False
    body = macro.body
    for index, token in enumerate(body):
        if token.text == "##":
            paste = True
            continue
        value = values.get(token.text)
        if token.text == "#" and index + 1 < len(body) and body[index + 1].text in values:
            continue
        if value is None:
            piece = [token._replace(line=line)]
        elif index and body[index - 1].text == "#":
            piece = [Lexeme("string", '"' + " ".join(t.text for t in value) + '"', line)]
        elif paste or (index + 1 < len(body) and body[index + 1].text == "##"):
            piece = list(value)
        else:
            piece = expand(value, macros, hidden)
        if paste and out and piece:
            piece = [*lex(out.pop().text + piece[0].text), *piece[1:]]
            piece = [t._replace(line=line) for t in piece]
        paste = False
        out += piece
    return out


def _bind(macro: Macro, arguments: list[list[Lexeme]]) -> dict[str, list[Lexeme]]:
    values: dict[str, list[Lexeme]] = {}
    for index, name in enumerate(macro.parameters or ()):
        if name.endswith("..."):
            rest: list[Lexeme] = []
            for argument in arguments[index:]:
                rest += [*([Lexeme("op", ",", 1)] if rest else []), *argument]
            values[name.removesuffix("...").strip() or "__VA_ARGS__"] = rest
        elif name:
            values[name] = arguments[index] if index < len(arguments) else []
    return values


_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")


def _holds(word: str, text: str, macros: dict[str, Macro]) -> bool:
    """Tell whether the condition of `#if`, `#ifdef` or `#ifndef` holds."""
    if word != "if":
        name = re.match(r"\w*", text)
        assert name is not None, "an empty name matches"
        return (name[0] in macros) == (word == "ifdef")
    asked = _DEFINED.sub(lambda m: str(int((m[1] or m[2]) in macros)), text)
    return constant_value([t.text for t in expand(list(lex(asked)), macros)]) not in (0, None)
