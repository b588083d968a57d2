r"""The tokens of C source text, and the text as every step of phase 0 takes it in.

One regular expression cuts any text, C or not, into tokens whose texts join up to the text again.
It knows no dialect: `@`, `::` or a stray `\` come as tokens of their own for the caller to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from sk2d.errors import Reason, SourceError

Kind = Literal["space", "comment", "string", "char", "number", "name", "directive", "op"]

MAX_SOURCE_BYTES: Final = 262_144
"""Longest text that is worked on; a function this long fits no model's context anyway."""

_C11 = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic "
    "_Imaginary _Noreturn _Static_assert _Thread_local"
)
_GNU = (
    "asm __asm __asm__ __attribute __attribute__ __const __const__ __extension__ __inline "
    "__inline__ __label__ __real__ __imag__ __restrict __restrict__ __signed __signed__ "
    "__thread typeof __typeof __typeof__ __volatile __volatile__ __alignof __alignof__ "
    "__int128 __auto_type _Float128 __builtin_va_arg __builtin_offsetof"
)
KEYWORDS: Final = frozenset(_C11.split())
"""Keywords of C11."""

GNU_KEYWORDS: Final = frozenset(_GNU.split())
"""Further keywords of gcc."""

# A literal that is not closed on its line ends at the line's end; an open comment ends at the
# text's end. `directive` is a whole preprocessor line with its continuations, without the newline.
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//(?:[^\n\\]|\\(?:\r?\n|.)|\\\Z)*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[LuU])?"(?:[^"\\\n]|\\(?:\r?\n|.))*(?:"|\\\Z|(?=\n)|\Z))
  | (?P<char>[LuU]?'(?:[^'\\\n]|\\(?:\r?\n|.))*(?:'|\\\Z|(?=\n)|\Z))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)
  | (?P<name>(?!\d)[\w$]+)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|::|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"\#(?:[^\n\\/\"']|\\(?:\r?\n|.)|/(?![/*])|/\*.*?(?:\*/|\Z)"
    r"|\"(?:[^\"\\\n]|\\(?:\r?\n|.))*\"?|'(?:[^'\\\n]|\\(?:\r?\n|.))*'?|\\\Z)*",
    re.DOTALL,
)


class Token(NamedTuple):
    """A token of C source text.

    Attributes:
        kind: What it is; an unknown character is an `op`.
        text: Its exact text.
        start: Index of its first character.
    """

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        """Index behind its last character."""
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        """Whether the compiler sees white space here."""
        return self.kind in ("space", "comment")


def tokenize(code: str) -> Iterator[Token]:
    r"""Cut text into tokens.

    Args:
        code: Any text.

    Yields:
        The tokens in order; their texts joined are the text.
    """
    if "#" not in code:  # no directive, so no need to know where a line begins: twice as fast
        for found in _TOKEN.finditer(code):
            yield Token(found.lastgroup, found[0], found.start())  # type: ignore[arg-type]
        return
    at, line_start = 0, True
    while at < len(code):
        if line_start and code[at] == "#":
            match = _DIRECTIVE.match(code, at)
            kind: Kind = "directive"
        else:
            match = _TOKEN.match(code, at)
            assert match is not None, "every character is at least an op"
            kind = match.lastgroup  # type: ignore[assignment]  # the groups are named by kind
        assert match is not None, "a directive begins with the # that was seen"
        text = match[0]
        yield Token(kind, text, at)
        at = match.end()
        if kind == "space":
            line_start = line_start or "\n" in text
        elif kind != "comment":
            line_start = False


def significant(code: str) -> list[str]:
    """Give the texts of the tokens that mean something to the compiler.

    Two texts with equal lists are the same program, however they are laid out.

    Args:
        code: Any text.

    Returns:
        The texts, without white space and comments; those inside a directive become one blank.
    """
    if "#" not in code:  # without directives, three times as fast as by way of `tokenize`
        return [m[0] for m in _TOKEN.finditer(code) if m.lastgroup not in ("space", "comment")]
    return [
        _bare(token.text) if token.kind == "directive" else token.text
        for token in tokenize(code)
        if not token.blank
    ]


def _bare(directive: str) -> str:
    """Take comments and needless white space out of a directive."""
    pieces = ["#"]
    for token in tokenize(directive[1:]):
        if not token.blank:
            pieces.append(token.text)
        elif pieces[-1] != " ":
            pieces.append(" ")
    return "".join(pieces).rstrip(" ")


def string_literals(code: str) -> list[str]:
    """Give the string and character literals of a text, quotes included.

    Args:
        code: Any text.

    Returns:
        Their exact texts in order.
    """
    return [token.text for token in tokenize(code) if token.kind in ("string", "char")]


def clean_source(code: str) -> str:
    r"""Bring text into the form that every step works on.

    A byte order mark is taken off and line ends become `\n`, once and for all. Bytes that were
    not UTF-8 may stand in the text as surrogate escapes (PEP 383) and are kept.

    Args:
        code: Text of a record.

    Returns:
        The text.

    Raises:
        SourceError: `empty`, `nul_byte`, `not_text` or `too_large`.
    """
    if "\0" in code:
        raise SourceError(Reason.NUL_BYTE, "the text holds a NUL byte")
    try:
        size = len(code.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError as error:
        raise SourceError(
            Reason.NOT_TEXT, f"character {error.start} is half of a surrogate pair"
        ) from error
    if size > MAX_SOURCE_BYTES:
        raise SourceError(
            Reason.TOO_LARGE, f"the text has {size} bytes, more than {MAX_SOURCE_BYTES}"
        )
    text = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise SourceError(Reason.EMPTY, "there is no code")
    return text
