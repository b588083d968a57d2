"""Whole texts: declarations, functions, and macros between them."""

from __future__ import annotations

from sk2d.c.inference.conditions import number_value
from sk2d.c.inference.evidence import name_kinds
from sk2d.c.inference.parse_specifiers import SPECIFIERS
from sk2d.c.inference.parse_statements import ASM, StatementParser
from sk2d.c.inference.preprocessing import Lexeme
from sk2d.c.inference.syntax import (
    Builtin,
    Declaration,
    FunctionDefinition,
    FunctionOf,
    MacroUse,
    Statement,
    Unit,
)
from sk2d.errors import Reason, SourceError


def parse_unit(tokens: list[Lexeme], types: frozenset[str]) -> Unit:
    """Read a whole text.

    Args:
        tokens: Its tokens.
        types: Names that are known to be types.

    Returns:
        What it declares and defines.

    Raises:
        SourceError: `syntax_error`.
    """  # noqa: DOC502
    evident, values = name_kinds(tokens)
    parser = UnitParser(tokens, types | evident)
    parser.values = values
    unit = parser.whole()
    found = (number_value(t.text) for t in tokens if t.kind in ("number", "char"))
    unit.literals = {value for value in found if value is not None}
    return unit


class UnitParser(StatementParser):
    """Reads whole texts."""

    def whole(self) -> Unit:
        """Read everything there is."""
        while self.tokens[self.at].kind != "end":
            if self.accept(";"):
                continue
            if self.text in ASM:
                self.attributes()
                continue
            item = self._macro_at_top() or self.declaration()
            self.unit.items.append(item)
        return self.unit

    def _macro_at_top(self) -> Statement | None:
        """Read `MODULE_LICENSE("GPL");` and `DEFINE_LOCK(x)` between the functions."""
        if not self.is_name() or self.ahead(1) != "(" or self.is_type(self.text):
            return None
        end = self.behind(self.at + 1)
        after = self.tokens[end]
        if after.text != ";" and not (after.kind in ("end",) or after.text in SPECIFIERS):
            return None
        if after.text != ";" and self._is_old_style_head(end):
            return None
        name = self.take()
        self.at = end
        self.accept(";")
        return MacroUse(name.line, name.text, True, None)

    def _is_old_style_head(self, end: int) -> bool:
        """Tell whether a function without a type, `f(a) int a; {`, begins here."""
        for token in self.tokens[end:]:
            if token.text == "{":
                return True
            if token.text in ("(", "="):
                return False
        return False

    # Declarations, perhaps with bodies.

    def declaration(self) -> Statement:
        """Read a declaration or a function definition."""
        line = self.line
        type, storage = self.specifiers()
        constant = self.constant
        declarators = []
        while self.text != ";":
            self.constant = constant
            found = self.declarator(type)
            self.attributes()
            if isinstance(found.type, FunctionOf) and self._body_follows():
                return self._function(line, storage, found.name, found.type)
            self.declare(found.name, None if storage == "typedef" else found.type)
            if found.name is None:
                self.wrong(f"expected a name before {self.text or 'the end'!r}")
            if self.accept("="):
                found.value = self.initializer()
            declarators.append(found)
            self._trailing_attribute()
            if not self.accept(","):
                break
        self.expect(";")
        if not declarators and isinstance(type, Builtin) and type.name == "implicit int":
            self.wrong("expected a declaration")
        return Declaration(line, storage, type, declarators)

    def _trailing_attribute(self) -> None:
        """Skip a macro such as `UNUSED` behind the declarator."""
        while self.is_name() and self.ahead(1) in (";", ",", "=", "("):
            self.take_attribute()
        self.attributes()

    def _body_follows(self) -> bool:
        """Tell whether a function's body stands here, perhaps behind old-style declarations."""
        if self.text == "{":
            return True
        if self.text in (";", ",", "=", ""):
            return False
        if self.is_name() and self.ahead(1) == "{":
            self.take_attribute()
            return True
        return self.type_starts() or (self.is_name() and self.declaration_starts())

    def _function(
        self, line: int, storage: str | None, name: str | None, type: FunctionOf
    ) -> Statement:
        if name is None:
            self.wrong("a function without a name")
        if len(self.scopes) > 1:
            where = f"line {line}"
            raise SourceError(Reason.UNSUPPORTED, "a function inside a function", where=where)
        self.declare(name, type)
        self.scopes.append({})
        declared = []
        while self.text != "{":
            item = self.declaration()
            if not isinstance(item, Declaration):
                self.wrong("expected the declaration of a parameter")
            declared.append(item)
        for parameter in type.parameters or ():
            self.declare(parameter.name, parameter.type)
        for name_ in type.names:
            if name_ not in self.scopes[-1]:
                self.declare(name_, Builtin(line, "int"))
        body = self.block()
        self.scopes.pop()
        return FunctionDefinition(line, storage, name, type, declared, body)
