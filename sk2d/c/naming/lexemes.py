"""The tokens of a text for the reader, and the choices that `#if` leaves among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sk2d.c.naming.words import RESERVED
from sk2d.c.tokens import tokenize

NAME, WORD, NUMBER, STRING, OP, END = "name", "word", "number", "string", "op", "end"
UNCLOSED = "unclosed"
"""Kind of a string or character that its line leaves open."""


_DIRECTIVE: Final = re.compile(r"#(?:\s|\\\n)*(\w*)")
_CLOSED: Final = re.compile(r"\w*(['\"])(?:[^\\]|\\.)*\1", re.DOTALL)
_FALSE: Final = re.compile(r"#\s*if\s+0\s*(?:/[/*].*)?\Z", re.DOTALL)
_NOTHING: Final = (-1, -1)
MAX_READINGS: Final = 8
"""Most ways through `#if` that are read; names on further ones are told by their neighbours."""


@dataclass(slots=True)
class Directive:
    """A preprocessor line: its word, its text, its place, and the token that comes behind it."""

    word: str
    text: str
    start: int
    token: int


@dataclass(slots=True)
class Lexemes:
    """The tokens that the compiler proper sees, in parallel lists, and the directives between.

    Attributes:
        texts: Text of each token.
        kinds: `name`, `word` (keyword), `number` (or character), `string` or `op`.
        starts: Index of its first character.
        comments: Where comments begin and end.
        directives: The preprocessor lines.
    """

    texts: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)


def lex(code: str) -> Lexemes:
    """Cut text into tokens.

    Args:
        code: Text from `clean_source`.

    Returns:
        The tokens.
    """
    found = Lexemes()
    texts, kinds, starts = found.texts, found.kinds, found.starts
    for kind, text, start in tokenize(code):
        if kind == "space":
            continue
        if kind == "name":
            kinds.append(WORD if text in RESERVED else NAME)
        elif kind == "comment":
            found.comments.append((start, start + len(text)))
            continue
        elif kind == "directive":
            _add_directive(found, text, start)
            continue
        else:
            kinds.append(_literal_kind(kind, text))
        texts.append(text)
        starts.append(start)
    return found


def _literal_kind(kind: str, text: str) -> str:
    if kind in ("string", "char") and not _CLOSED.fullmatch(text):
        return UNCLOSED
    return NUMBER if kind == "char" else kind


def _add_directive(found: Lexemes, text: str, start: int) -> None:
    match = _DIRECTIVE.match(text)
    assert match is not None, "a directive begins with #"
    found.directives.append(Directive(match[1], text, start, len(found.texts)))
    for token in tokenize(text[1:]):
        if token.kind == "comment":
            found.comments.append((start + 1 + token.start, start + 1 + token.end))


@dataclass(slots=True)
class _Conditional:
    """A `#if ... #endif`: the token ranges of its parts, and the part of another that it is in."""

    dead: bool
    parent: _Conditional | None
    inside: int
    parts: list[tuple[int, int]] = field(default_factory=list)
    has_else: bool = False
    first: int = 0

    def choices(self) -> list[tuple[int, int]]:
        """Give the parts in the order in which they are read; that of `#if 0` never is."""
        if not self.dead:
            return self.parts
        return self.parts[1:] or [_NOTHING]

    def place(self) -> None:
        """Find the first reading that may take the first choice: not before its surroundings."""
        if self.parent is not None:
            part = self.parent.parts[self.inside]
            choices = self.parent.choices()
            self.first = self.parent.first + (choices.index(part) if part in choices else 0)


def readings(lexemes: Lexemes) -> Iterator[list[int]]:
    """Give the token sequences that a compiler may see, one for each branch of `#if`.

    Args:
        lexemes: The tokens.

    Yields:
        Indices of tokens. All but the last together hold every token of the text, save those under
        `#if 0` and in more than `MAX_READINGS` branches; the last leaves out all that stands under
        an `#if` without `#else`.
    """
    everything = range(len(lexemes.texts))
    conditionals = _conditionals(lexemes)
    if not conditionals:
        yield list(everything)
        return
    for conditional in conditionals:
        conditional.place()
    most = min(max(c.first + len(c.choices()) for c in conditionals), MAX_READINGS)
    for number in range(most):
        yield _selected(everything, conditionals, number, False)
    yield _selected(everything, conditionals, 0, True)


def _selected(
    everything: range, conditionals: list[_Conditional], number: int, leave_out: bool
) -> list[int]:
    hidden = bytearray(len(everything))
    for conditional in conditionals:
        choices = conditional.choices()
        chosen = choices[max(0, min(number - conditional.first, len(choices) - 1))]
        if leave_out and not conditional.has_else:
            chosen = _NOTHING
        for part in conditional.parts:
            if part != chosen:
                hidden[part[0] : part[1]] = b"\1" * (part[1] - part[0])
    return [index for index in everything if not hidden[index]]


def _conditionals(lexemes: Lexemes) -> list[_Conditional]:
    """Find the conditionals, outer ones first; what is not closed ends with the text."""
    found: list[_Conditional] = []
    pending: list[tuple[_Conditional, int]] = []
    for directive in lexemes.directives:
        word = directive.word
        if word in ("if", "ifdef", "ifndef"):
            outer = pending[-1][0] if pending else None
            dead = _FALSE.match(directive.text) is not None
            found.append(_Conditional(dead, outer, len(outer.parts) if outer else 0))
            pending.append((found[-1], directive.token))
        elif word in ("else", "elif", "endif") and pending:
            conditional, start = pending.pop()
            conditional.parts.append((start, directive.token))
            conditional.has_else |= word == "else"
            if word != "endif":
                pending.append((conditional, directive.token))
    for conditional, start in pending:
        conditional.parts.append((start, len(lexemes.texts)))
    return found
