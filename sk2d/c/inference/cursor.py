"""A place in the tokens, and what the parser knows of names at that place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, NoReturn

from sk2d.c.inference.preprocessing import Lexeme
from sk2d.c.inference.syntax import (
    Block,
    Braces,
    Declaration,
    Declarator,
    Expression,
    Parameter,
    Statement,
    TypeSyntax,
    Unit,
)
from sk2d.c.tokens import GNU_KEYWORDS, KEYWORDS
from sk2d.errors import Reason, SourceError

RESERVED: Final = KEYWORDS | GNU_KEYWORDS
_OPENERS: Final = {"(": ")", "[": "]", "{": "}"}


class Cursor(ABC):
    """The tokens, a place in them, and the scopes around it.

    Args:
        tokens: Tokens from the preprocessor.
        types: Names that are types as long as no declaration hides them.
    """

    def __init__(self, tokens: list[Lexeme], types: frozenset[str]) -> None:
        last = tokens[-1].line if tokens else 1
        self.tokens = [*tokens, *[Lexeme("end", "", last)] * 4]
        self.at = 0
        self.unit = Unit([])
        self.evident = types
        self.scopes: list[dict[str, TypeSyntax | None]] = [{}]

    # The tokens.

    @property
    def text(self) -> str:
        """Text of the token here."""
        return self.tokens[self.at].text

    @property
    def line(self) -> int:
        """Line of the token here."""
        return self.tokens[self.at].line

    def ahead(self, distance: int) -> str:
        """Give the text of a token further on."""
        index = self.at + distance
        return self.tokens[index].text if index < len(self.tokens) else ""

    def take(self) -> Lexeme:
        """Go on by one token and give it."""
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, text: str) -> bool:
        """Go on if this token stands here."""
        if self.text == text and self.tokens[self.at].kind in ("op", "name"):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go on by this token, which has to stand here."""
        if not self.accept(text):
            self.wrong(f"expected {text!r} before {self.text or 'the end'!r}")

    def wrong(self, what: str) -> NoReturn:
        """Give up on the text.

        Args:
            what: What is wrong with it.

        Raises:
            SourceError: `syntax_error` with the line.
        """
        raise SourceError(Reason.SYNTAX_ERROR, what, where=f"line {self.line}")

    def is_name(self, distance: int = 0) -> bool:
        """Tell whether a token is an identifier."""
        index = self.at + distance
        if index >= len(self.tokens):
            return False
        token = self.tokens[index]
        return token.kind == "name" and token.text not in RESERVED

    def behind(self, at: int) -> int:
        """Give the place behind the bracket that closes the one at this place."""
        pending = []
        for index in range(at, len(self.tokens)):
            token = self.tokens[index]
            if token.kind != "op":
                continue
            if token.text in _OPENERS:
                pending.append(_OPENERS[token.text])
            elif pending and token.text == pending[-1]:
                pending.pop()
                if not pending:
                    return index + 1
            elif token.text in (")", "]", "}"):
                break
        return self.wrong("a bracket is not closed")

    def skip_brackets(self) -> None:
        """Go behind the bracket that opens here."""
        self.at = self.behind(self.at)

    # The names.

    def declare(self, name: str | None, type: TypeSyntax | None) -> None:
        """Note a declared name: its type for an object or function, None for a type."""
        if name is not None:
            self.scopes[-1][name] = type
            self.unit.declared.add(name)

    def lookup(self, name: str) -> tuple[bool, TypeSyntax | None]:
        """Give whether a name is declared here, and its type if it is no type itself."""
        for scope in reversed(self.scopes):
            if name in scope:
                return True, scope[name]
        return False, None

    def is_type(self, name: str) -> bool:
        """Tell whether a name is known to be a type here."""
        declared, type = self.lookup(name)
        return type is None if declared else name in self.evident or name in self.unit.types

    # What the parts of the parser need of each other.

    @abstractmethod
    def expression(self) -> Expression:
        """Read an expression, commas included."""

    @abstractmethod
    def assignment(self) -> Expression:
        """Read an expression without a comma."""

    @abstractmethod
    def conditional(self) -> Expression:
        """Read a constant expression."""

    @abstractmethod
    def initializer(self) -> Expression:
        """Read an initialiser."""

    @abstractmethod
    def braces(self) -> Braces:
        """Read an initialiser in braces."""

    @abstractmethod
    def type_name(self) -> TypeSyntax:
        """Read a type without a name."""

    @abstractmethod
    def type_starts(self, distance: int = 0) -> bool:
        """Tell whether a type surely begins there."""

    @abstractmethod
    def parameters(self) -> tuple[list[Parameter] | None, bool, list[str]]:
        """Read the parameters of a function."""

    @abstractmethod
    def member_declarations(self) -> list[Declaration]:
        """Read the members of a struct or union."""

    @abstractmethod
    def block(self) -> Block:
        """Read statements in braces."""

    @abstractmethod
    def declarator(self, base: TypeSyntax) -> Declarator:
        """Read a declarator, with a name or without."""

    @abstractmethod
    def declaration(self) -> Statement:
        """Read a declaration or a function definition."""
