"""The values of integer constant expressions, as far as their tokens alone give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uUlLzZ]*|i64|ui64)\Z")
_ESCAPES: Final = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "0": 0}


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _shifted(a: int, b: int) -> int:
    return a << b if b < 64 else 0


_BINARY: Final[dict[str, tuple[int, Callable[[int, int], int]]]] = {
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "|": (3, lambda a, b: a | b),
    "^": (4, lambda a, b: a ^ b),
    "&": (5, lambda a, b: a & b),
    "==": (6, lambda a, b: int(a == b)),
    "!=": (6, lambda a, b: int(a != b)),
    "<": (7, lambda a, b: int(a < b)),
    ">": (7, lambda a, b: int(a > b)),
    "<=": (7, lambda a, b: int(a <= b)),
    ">=": (7, lambda a, b: int(a >= b)),
    "<<": (8, _shifted),
    ">>": (8, lambda a, b: a >> b),
    "+": (9, lambda a, b: a + b),
    "-": (9, lambda a, b: a - b),
    "*": (10, lambda a, b: a * b),
    "/": (10, _quotient),
    "%": (10, lambda a, b: a - b * _quotient(a, b)),
}


def constant_value(words: Sequence[str]) -> int | None:
    """Work out an integer constant expression; a name counts as 0, as in `#if`.

    Args:
        words: Its tokens.

    Returns:
        The value, or None when it is not one.
    """
    try:
        reader = _Reader(words)
        value = reader.value()
        return value if reader.at == len(words) else None
    except (ValueError, IndexError, ZeroDivisionError, RecursionError):
        return None


_MOST_DIGITS: Final = 130
"""No integer type of C holds a longer constant, in whichever base."""


def number_value(text: str) -> int | None:
    """Give the value of an integer or character constant.

    Args:
        text: The token.

    Returns:
        Its value, or None for a floating constant and anything else.
    """
    if text.endswith("'"):
        return _character(text[text.index("'") + 1 : -1])
    match = _NUMBER.match(text)
    if match is None or len(match[1]) > _MOST_DIGITS:
        return None
    digits = match[1]
    if digits[0] == "0" and digits.isdigit():
        return int(digits, 8) if set(digits) <= set("01234567") else None
    return int(digits, 0)


def _character(body: str) -> int | None:
    if not body.startswith("\\"):
        return ord(body) if len(body) == 1 else None
    if body[1:2] == "x" or body[1:].isdigit():
        digits = body[2:] if body[1] == "x" else body[1:]
        try:
            return int(digits, 16 if body[1] == "x" else 8)
        except ValueError:
            return None
    return _ESCAPES.get(body[1:], ord(body[1]) if len(body) == 2 else None)


class _Reader:
    """A small precedence climber; what it cannot read is a ValueError or IndexError."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.at = 0

    def value(self) -> int:
        """Read the value of the whole expression.

        Returns:
            Its value.
        """
        return self._conditional()

    def _take(self) -> str:
        """Take the next word; an IndexError at the end."""
        self.at += 1
        return self.words[self.at - 1]

    def _peek(self) -> str:
        """Look at the next word, empty at the end."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def _conditional(self) -> int:
        """Read a conditional expression."""
        test = self._binary(1)
        if self._peek() != "?":
            return test
        self._take()
        then = self._conditional()
        if self._take() != ":":
            raise ValueError
        other = self._conditional()
        return then if test else other

    def _binary(self, least: int) -> int:
        """Read operators that bind at least so tightly."""
        left = self._unary()
        while (found := _BINARY.get(self._peek())) and found[0] >= least:
            self._take()
            left = found[1](left, self._binary(found[0] + 1))
        return left

    def _unary(self) -> int:
        """Read an operand with the operators before it."""
        word = self._take()
        if word == "(":
            value = self._conditional()
            if self._take() != ")":
                raise ValueError
            return value
        if word in ("!", "-", "+", "~"):
            value = self._unary()
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[word]
        return self._primary(word)

    def _primary(self, word: str) -> int:
        """Read a constant, or a name, which is 0."""
        value = number_value(word)
        if value is not None:
            return value
        if not word.isidentifier():
            raise ValueError
        if self._peek() == "(":
            raise ValueError
        return 0
