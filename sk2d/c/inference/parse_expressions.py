"""Expressions, with casts told from parentheses by what is known of the names."""

from __future__ import annotations

from typing import Final

from sk2d.c.inference.cursor import Cursor
from sk2d.c.inference.syntax import (
    ArrayOf,
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Conditional,
    Expression,
    Generic,
    Index,
    LabelAddress,
    Member,
    Name,
    Number,
    OffsetOf,
    Opaque,
    PointerTo,
    SizeOf,
    StatementExpression,
    Text,
    TypeArgument,
    TypeSyntax,
    Unary,
    VaArg,
)
from sk2d.errors import SourceError

_LEVELS: Final = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LEVEL: Final = {op: level for level, ops in enumerate(_LEVELS, start=1) for op in ops}
_ASSIGNMENTS: Final = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="])
_PREFIX: Final = frozenset(["+", "-", "!", "~", "*", "&", "++", "--"])
_SIZES: Final = frozenset(["sizeof", "_Alignof", "__alignof__", "__alignof"])
_VA_ARG: Final = frozenset(["va_arg", "__builtin_va_arg"])
_OFFSETS: Final = frozenset(["offsetof", "__builtin_offsetof"])
_TYPES_ONLY: Final = frozenset(["__builtin_types_compatible_p"])


class ExpressionParser(Cursor):
    """Reads expressions."""

    values: frozenset[str] = frozenset()
    """Names that surely are values somewhere in the text."""

    def expression(self) -> Expression:
        """Read an expression, commas included."""
        left = self.assignment()
        while self.text == ",":
            line = self.take().line
            left = Binary(line, ",", left, self.assignment())
        return left

    def assignment(self) -> Expression:
        """Read an expression without a comma."""
        left = self.conditional()
        if self.text in _ASSIGNMENTS:
            op = self.take()
            return Assign(op.line, op.text, left, self.assignment())
        return left

    def conditional(self) -> Expression:
        """Read a constant expression."""
        test = self._binary(1)
        if not (self.text == "?" and self.accept("?")):
            return test
        line = self.line
        then = None if self.text == ":" else self.expression()
        self.expect(":")
        return Conditional(line, test, then, self.conditional())

    def _binary(self, least: int) -> Expression:
        left = self._unary()
        while (level := _LEVEL.get(self.text, 0)) >= least:
            op = self.take()
            left = Binary(op.line, op.text, left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        token = self.tokens[self.at]
        if token.kind == "op":
            if token.text in _PREFIX:
                self.take()
                return Unary(token.line, token.text, self._unary())
            if token.text == "(" and self._is_cast():
                return self._cast()
            if token.text == "&&":
                self.at += 2
                return self._postfix(LabelAddress(token.line))
        elif token.text in _SIZES:
            return self._size()
        elif token.text in ("__extension__", "__real__", "__imag__"):
            self.take()
            return self._unary()
        return self._postfix(self._primary())

    # Casts.

    def _cast(self) -> Expression:
        line = self.take().line
        type = self.type_name()
        self.expect(")")
        if self.text == "{":
            return self._postfix(Compound(line, type, self.braces()))
        return Cast(line, type, self._unary())

    def _is_cast(self) -> bool:
        """Tell whether `(` opens a cast or compound literal."""
        if self.type_starts(1):
            return not (self.ahead(2) == "(" and self.is_name(1)) or self._function_pointer(2)
        if not self.is_name(1) or self.lookup(self.ahead(1))[0]:
            return False
        end = 2
        while self.ahead(end) in ("*", "const", "restrict", "volatile"):
            end += 1
        if self.ahead(end) == ")":
            return end > 2 or self._casts_by_one_name(self.ahead(1))
        return self._function_pointer(2) or self._array_literal()

    def _function_pointer(self, distance: int) -> bool:
        """Tell whether `(*)(` stands there, the middle of a cast to a function pointer."""
        while self.ahead(distance) == "*":
            distance += 1
        middle = [self.ahead(distance + i) for i in range(4)]
        return middle[:3] == ["(", "*", ")"] and middle[3] in ("(", "[")

    def _array_literal(self) -> bool:
        """Tell whether `(name[...]){` stands here."""
        if self.ahead(2) != "[":
            return False
        end = self.behind(self.at)
        return self.tokens[end].text == "{" and self.tokens[end - 2].text == "]"

    def _casts_by_one_name(self, name: str) -> bool:
        """Tell whether `(name)` with an undeclared name is a cast, by what stands behind it."""
        token = self.tokens[self.at + 3]
        if token.kind in ("number", "string", "char") or token.text in ("~", "!"):
            return True
        if token.kind == "name":
            return token.text in _SIZES or self.is_name(3)
        if name in self.values:
            return False
        if token.text in ("(", "&", "{"):
            return True
        return token.text == "*" and self._points(self.ahead(4))

    def _points(self, name: str) -> bool:
        """Tell whether a name is declared as a pointer or array."""
        type = self.lookup(name)[1]
        return isinstance(type, PointerTo | ArrayOf)

    def _size(self) -> Expression:
        line = self.take().line
        if self.text == "(" and self._sizes_type():
            self.take()
            type = self.type_name()
            self.expect(")")
            if self.text == "{":
                return SizeOf(line, self._postfix(Compound(line, type, self.braces())))
            return SizeOf(line, type)
        return SizeOf(line, self._unary())

    def _sizes_type(self) -> bool:
        if self.type_starts(1):
            return True
        name = self.ahead(1)
        if not self.is_name(1) or self.lookup(name)[0] or name in self.values:
            return False
        end = 2
        while self.ahead(end) == "*":
            end += 1
        return self.ahead(end) == ")"

    # What stands behind an operand, and the operand itself.

    def _postfix(self, left: Expression) -> Expression:
        while True:
            token = self.tokens[self.at]
            if token.kind != "op":
                return left
            if token.text == "[":
                self.take()
                left = Index(token.line, left, self.expression())
                self.expect("]")
            elif token.text == "(":
                left = self._call(left)
            elif token.text in (".", "->"):
                self.take()
                left = Member(token.line, left, self.member_name(), token.text == "->")
            elif token.text in ("++", "--"):
                self.take()
                left = Unary(token.line, token.text, left)
            else:
                return left

    def member_name(self) -> str:
        """Read an identifier, such as the name of a member."""
        if not self.is_name():
            self.wrong("expected a name")
        return self.take().text

    def _call(self, callee: Expression) -> Expression:
        name = callee.name if isinstance(callee, Name) else ""
        line = self.take().line
        if name in _VA_ARG:
            return self._va_arg(line)
        if name in _OFFSETS:
            return self._offset(line)
        arguments: list[Expression] = []
        while self.text != ")":
            arguments.append(self._argument())
            if not self.accept(","):
                break
        self.expect(")")
        return Call(line, callee, arguments)

    def _argument(self) -> Expression:
        """Read an argument; a macro may be given a type, or anything at all."""
        start, line, scopes = self.at, self.line, len(self.scopes)
        try:
            if self.type_starts() and not self._calls_type():
                argument: Expression = TypeArgument(line, self.type_name())
            elif self._undeclared_pointer():
                argument = TypeArgument(line, self.type_name())
            else:
                argument = self.assignment()
            if self.text in (",", ")"):
                return argument
        except SourceError:
            del self.scopes[scopes:]
        self.at = start
        return self._opaque(line)

    def _calls_type(self) -> bool:
        return self.is_name() and self.ahead(1) == "("

    def _undeclared_pointer(self) -> bool:
        """Tell whether `name *)` or `name *,` stands here."""
        if not self.is_name() or self.ahead(1) != "*" or self.lookup(self.text)[0]:
            return False
        end = 1
        while self.ahead(end) == "*":
            end += 1
        return self.ahead(end) in (",", ")")

    def _opaque(self, line: int) -> Expression:
        while self.text not in (",", ")"):
            if self.text in ("(", "[", "{"):
                self.skip_brackets()
            elif self.text in ("]", "}", ""):
                self.wrong(f"unexpected {self.text!r}")
            else:
                self.take()
        return Opaque(line)

    def _va_arg(self, line: int) -> Expression:
        values = self.assignment()
        self.expect(",")
        type = self.type_name()
        self.expect(")")
        return VaArg(line, values, type)

    def _offset(self, line: int) -> Expression:
        type = self.type_name()
        self.expect(",")
        path = self._postfix(Name(line, self.member_name()))
        self.expect(")")
        return OffsetOf(line, type, path)

    def _primary(self) -> Expression:
        token = self.tokens[self.at]
        if token.kind in ("number", "char"):
            self.take()
            return Number(token.line, token.text)
        if token.kind == "string":
            return self._text()
        if token.text == "(":
            return self._parenthesis()
        if token.text in ("_Generic", *_OFFSETS, *_VA_ARG) and token.text not in ("offsetof",):
            return self._keyword_call()
        if not self.is_name():
            self.wrong(f"expected an expression before {token.text or 'the end'!r}")
        if self.tokens[self.at + 1].kind == "string" and not self.lookup(token.text)[0]:
            return self._text()
        self.take()
        return Name(token.line, token.text)

    def _keyword_call(self) -> Expression:
        name = self.take()
        if name.text == "_Generic":
            return self._generic(name.line)
        if self.text != "(":
            return Name(name.line, name.text)
        return self._call(Name(name.line, name.text))

    def _parenthesis(self) -> Expression:
        line = self.take().line
        if self.text == "{":
            body = self.block()
            self.expect(")")
            return StatementExpression(line, body)
        inner = self.expression()
        self.expect(")")
        return inner

    def _text(self) -> Expression:
        line = self.line
        pieces: list[str] = []
        while self.tokens[self.at].kind == "string" or (
            self.is_name() and not self.lookup(self.text)[0] and self._beside_text(bool(pieces))
        ):
            pieces.append(self.take().text)
            if self.text == "(" and not pieces[-1].endswith('"'):
                self.skip_brackets()
                pieces[-1] += "()"
        return Text(line, pieces)

    def _beside_text(self, behind_text: bool) -> bool:
        return behind_text or self.tokens[self.at + 1].kind == "string"

    def _generic(self, line: int) -> Expression:
        self.expect("(")
        control = self.assignment()
        choices: list[tuple[TypeSyntax | None, Expression]] = []
        while self.accept(","):
            type = None if self.accept("default") else self.type_name()
            self.expect(":")
            choices.append((type, self.assignment()))
        self.expect(")")
        return Generic(line, control, choices)
