"""Specifiers: types, storage classes, structs, enums, and macros in their places."""

from __future__ import annotations

from typing import Final

from sk2d.c.inference.cursor import RESERVED
from sk2d.c.inference.parse_expressions import ExpressionParser
from sk2d.c.inference.syntax import (
    Builtin,
    Declaration,
    Declarator,
    EnumSyntax,
    Expression,
    Named,
    RecordSyntax,
    TypeOf,
    TypeSyntax,
)

_STORAGE: Final = frozenset(["typedef", "extern", "static", "register", "auto"])
QUALIFIERS: Final = frozenset(
    [
        "const",
        "volatile",
        "restrict",
        "__restrict",
        "__restrict__",
        "__const",
        "__const__",
        "__volatile",
        "__volatile__",
        "_Atomic",
    ]
)
_IGNORED: Final = frozenset(
    ["inline", "__inline", "__inline__", "_Noreturn", "__extension__", "_Thread_local", "__thread"]
)
_NUMBERS: Final = frozenset(
    [
        "void",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "__signed",
        "__signed__",
        "_Bool",
        "_Complex",
        "__int128",
        "_Float128",
        "_Imaginary",
    ]
)
ATTRIBUTES: Final = frozenset(
    ["__attribute__", "__attribute", "asm", "__asm", "__asm__", "_Alignas"]
)
_TAGGED: Final = frozenset(["struct", "union", "enum"])
_TYPEOF: Final = frozenset(["typeof", "__typeof", "__typeof__"])
SPECIFIERS: Final = (
    _STORAGE | QUALIFIERS | _IGNORED | _NUMBERS | _TAGGED | _TYPEOF | {"__auto_type", "_Alignas"}
)


def builtin_name(words: list[str]) -> str:
    """Bring the keywords of a basic type into their usual order.

    Args:
        words: The keywords as they were written.

    Returns:
        The usual spelling, such as `unsigned long`.
    """
    plain = [w.strip("_") if w.startswith("__signed") else w for w in words]
    unsigned = "unsigned " if "unsigned" in plain else ""
    complex_ = " _Complex" if "_Complex" in plain or "_Imaginary" in plain else ""
    longs = plain.count("long")
    if "char" in plain:
        return f"{unsigned}char" if unsigned or "signed" not in plain else "signed char"
    if "double" in plain or (complex_ and "float" not in plain):
        return ("long double" if longs else "double") + complex_
    for single in ("void", "float", "_Bool", "_Float128"):
        if single in plain:
            return single + complex_
    if "__int128" in plain:
        return f"{unsigned}__int128"
    if "short" in plain:
        return f"{unsigned}short"
    return unsigned + (" ".join(["long"] * longs) or "int")


class SpecifierParser(ExpressionParser):
    """Reads the part of a declaration that all its names share."""

    def type_starts(self, distance: int = 0) -> bool:
        """Tell whether a type surely begins there."""
        text = self.ahead(distance)
        if text in SPECIFIERS:
            return True
        return self.is_name(distance) and self.is_type(text)

    def type_name(self) -> TypeSyntax:
        """Read a type without a name."""
        type, _ = self.specifiers(abstract=True)
        return self.declarator(type).type

    # Specifiers.

    def specifiers(self, abstract: bool = False) -> tuple[TypeSyntax, str | None]:
        """Read the specifiers of a declaration.

        Args:
            abstract: Whether no name follows, as in a cast.

        Returns:
            The type and the storage class.
        """
        words: list[str] = []
        storage: str | None = None
        type: TypeSyntax | None = None
        constant, line = False, self.line
        while True:
            text = self.text
            if text in _STORAGE:
                storage = self.take().text if text not in ("register", "auto") else storage
                self.at += text in ("register", "auto")
            elif text in QUALIFIERS or text in _IGNORED:
                constant |= text in ("const", "__const", "__const__")
                self.take()
                if text == "_Atomic" and self.text == "(":
                    self.take()
                    type = self.type_name()
                    self.expect(")")
            elif text in ATTRIBUTES:
                self.attributes()
            elif text in _NUMBERS:
                words.append(self.take().text)
            elif type is None and not words and (found := self._other_specifier(abstract)):
                type = found
            elif self.is_name() and self._is_attribute(abstract, bool(words or type)):
                self.take_attribute()
            else:
                break
        if words:
            type = Builtin(line, builtin_name(words))
        if type is None:
            type = Builtin(line, "implicit int")
        self.constant = constant
        return type, storage

    constant = False
    """Whether the last specifiers held `const`."""

    def _other_specifier(self, abstract: bool) -> TypeSyntax | None:
        """Read a type that is no basic one, if one stands here."""
        text, line = self.text, self.line
        if text in ("struct", "union"):
            return self._record()
        if text == "enum":
            return self._enum()
        if text == "__auto_type":
            self.take()
            return TypeOf(line, None)
        if text in _TYPEOF:
            self.take()
            self.expect("(")
            operand = self.type_name() if self.type_starts() else self.expression()
            self.expect(")")
            return TypeOf(line, operand)
        if not self.is_name() or self._is_attribute(abstract, False):
            return None
        if not abstract and self._is_declared_name():
            return None
        self.take()
        if not self.lookup(text)[0]:
            self.unit.types.add(text)
        return Named(line, text)

    def _is_declared_name(self) -> bool:
        """Tell whether the name here is what is declared, its type being left out."""
        after = self.ahead(1)
        if after in (";", "=", ",", "[") or (after == ":" and not self.is_type(self.text)):
            return not self.is_type(self.text)
        return after == "(" and not self.is_type(self.text) and self.ahead(2) not in ("*", "^")

    def _is_attribute(self, abstract: bool, typed: bool) -> bool:
        """Tell whether a name here is a macro in the place of an attribute or storage class."""
        if abstract or (self.is_type(self.text) and not typed):
            return False
        after = 1
        if self.ahead(1) == "(":
            return self._is_wrapper(typed)
        if typed:
            return self.is_name(after) and not self.lookup(self.text)[0]
        if self.ahead(after) in SPECIFIERS - QUALIFIERS:
            return True
        return self.is_name(after) and self._more_names(after)

    def _is_wrapper(self, typed: bool) -> bool:
        """Tell whether `MACRO(x)` stands before the rest of a declaration."""
        if len(self.scopes) > 1:
            return False
        end = self.behind(self.at + 1)
        token = self.tokens[end]
        if token.kind != "name" or (token.text in SPECIFIERS and not typed):
            return token.kind == "name" and token.text in ("static", "extern", "inline", "const")
        if token.text in RESERVED:
            return False
        following = self.tokens[end + 1].text
        return following in ("(", "[", "=", ";") if typed else following == "("

    def _more_names(self, distance: int) -> bool:
        """Tell whether the name there is followed by one more, so that the first is no type."""
        end = distance + 1
        stars = 0
        while self.ahead(end) in ("*", "const"):
            stars += 1
            end += 1
        if self.ahead(end) in SPECIFIERS and not stars:
            return True
        if not self.is_name(end):
            return False
        return self.ahead(end + 1) in ("(", "[", "=", ";", ",", ")") or stars == 0

    def take_attribute(self) -> None:
        """Skip a macro in the place of an attribute, and note that it is one."""
        name = self.take().text
        if self.text == "(":
            self.unit.wrappers.add(name)
            self.skip_brackets()
        else:
            self.unit.attributes.add(name)

    def attributes(self) -> None:
        """Skip `__attribute__((...))`, `asm("name")` and the like."""
        while self.text in ATTRIBUTES:
            self.take()
            while self.text in ("volatile", "__volatile__", "goto"):
                self.take()
            if self.text == "(":
                self.skip_brackets()

    # Structs, unions and enums.

    def _record(self) -> TypeSyntax:
        line = self.line
        keyword = self.take().text
        self.attributes()
        tag = self.take().text if self.is_name() else None
        members = None
        if self.accept("{"):
            members = self.member_declarations()
            self.attributes()
        if tag is None and members is None:
            self.wrong(f"{keyword} without a tag")
        return RecordSyntax(line, keyword, tag, members)

    def member_declarations(self) -> list[Declaration]:
        """Read the members of a struct or union."""
        members = []
        while not self.accept("}"):
            if self.accept(";"):
                continue
            members.append(self._members())
        return members

    def _members(self) -> Declaration:
        line = self.line
        base, _ = self.specifiers()
        declarators: list[Declarator] = []
        constant = self.constant
        while self.text != ";":
            found = Declarator(line, None, base)
            if self.text != ":":
                self.constant = constant
                found = self.declarator(base)
            if self.accept(":"):
                found.bits = self.conditional()
            self.attributes()
            declarators.append(found)
            if not self.accept(","):
                break
        if self.text != "}":
            self.expect(";")
        return Declaration(line, None, base, declarators)

    def _enum(self) -> TypeSyntax:
        line = self.take().line
        self.attributes()
        tag = self.take().text if self.is_name() else None
        if not self.accept("{"):
            if tag is None:
                self.wrong("enum without a tag")
            return EnumSyntax(line, tag, None)
        constants: list[tuple[str, Expression | None]] = []
        while not self.accept("}"):
            name = self.member_name()
            self.attributes()
            value = self.conditional() if self.accept("=") else None
            self.declare(name, Builtin(line, "int"))
            constants.append((name, value))
            if not self.accept(",") and self.text != "}":
                self.wrong("expected , or }")
        return EnumSyntax(line, tag, constants)
