"""Declarators, parameters and initialisers."""

from __future__ import annotations

from sk2d.c.inference.parse_specifiers import ATTRIBUTES, QUALIFIERS, SpecifierParser
from sk2d.c.inference.syntax import (
    ArrayOf,
    Braces,
    Builtin,
    Declarator,
    Expression,
    FunctionOf,
    Named,
    Parameter,
    PointerTo,
    TypeSyntax,
)


class DeclarationParser(SpecifierParser):
    """Reads what is declared by each name."""

    def declarator(self, base: TypeSyntax) -> Declarator:
        """Read a declarator, with a name or without.

        Args:
            base: The type that the specifiers gave.

        Returns:
            The name, if there is one, and its whole type.
        """
        constant, self.constant = self.constant, False
        self._calling_convention()
        while self.text in ("*", "^"):
            line = self.take().line
            base = PointerTo(line, base, constant)
            constant = False
            while self.text in QUALIFIERS or self.text in ATTRIBUTES:
                constant |= self.text == "const"
                if self.text in ATTRIBUTES:
                    self.attributes()
                else:
                    self.take()
        self._calling_convention()
        if self.text == "(" and self._is_nested():
            return self._nested(base)
        line = self.line
        name = self.take().text if self.is_name() else None
        return Declarator(line, name, self._suffixes(base))

    def _calling_convention(self) -> None:
        """Skip attributes, and a macro such as `WINAPI` between type and name."""
        self.attributes()
        while self.is_name() and self.is_name(1) and not self.lookup(self.text)[0]:
            self.take_attribute()

    def _is_nested(self) -> bool:
        """Tell whether `(` belongs to the declarator and opens no parameters."""
        if self.ahead(1) in ("*", "^", "(", "["):
            return True
        if self.ahead(1) in ATTRIBUTES:
            return True
        if self.is_name(1) and self.ahead(2) == "*":
            return not self.is_type(self.ahead(1)) and self.is_name(3)
        return self.is_name(1) and not self.is_type(self.ahead(1)) and self.ahead(2) == ")"

    def _nested(self, base: TypeSyntax) -> Declarator:
        """Read `(declarator)suffixes`: the suffixes bind first."""
        self.take()
        self.attributes()
        if self.is_name() and self.ahead(1) == "*":
            self.take_attribute()
        hole = Builtin(self.line, "hole")
        inner = self.declarator(hole)
        self.expect(")")
        inner.type = _fill(inner.type, hole, self._suffixes(base))
        return inner

    def _suffixes(self, base: TypeSyntax) -> TypeSyntax:
        line = self.line
        if self.accept("["):
            while self.text in QUALIFIERS or self.text == "static":
                self.take()
            size = None
            if self.text == "*" and self.ahead(1) == "]":
                self.take()
            elif self.text != "]":
                size = self.expression()
            self.expect("]")
            return ArrayOf(line, self._suffixes(base), size)
        if self.text == "(":
            parameters, variadic, names = self.parameters()
            return FunctionOf(line, self._suffixes(base), parameters, variadic, names)
        self.attributes()
        return base

    def parameters(self) -> tuple[list[Parameter] | None, bool, list[str]]:
        """Read the parameters of a function."""
        self.expect("(")
        if self.accept(")"):
            return None, False, []
        if self.text == "void" and self.ahead(1) == ")":
            self.at += 2
            return [], False, []
        if self._are_old_style():
            return None, False, self._old_style_names()
        found: list[Parameter] = []
        variadic = False
        self.scopes.append({})
        while not variadic:
            if self.accept("..."):
                variadic = True
                break
            found.append(self._parameter())
            if not self.accept(","):
                break
        self.scopes.pop()
        self.expect(")")
        return found, variadic, []

    def _parameter(self) -> Parameter:
        line = self.line
        base, _ = self.specifiers()
        if isinstance(base, Builtin) and base.name == "implicit int":
            if not self.is_name():
                self.wrong(f"expected a parameter before {self.text!r}")
            base = Named(line, self.take().text)
            self.unit.types.add(base.name)
        found = self.declarator(base)
        self.attributes()
        self.declare(found.name, found.type)
        return Parameter(line, found.name, found.type)

    def _are_old_style(self) -> bool:
        """Tell whether `(a, b)` are the names of an old-style definition."""
        at = 0
        while self.is_name(at) and not self.is_type(self.ahead(at)):
            if self.ahead(at + 1) == ")":
                after = self.tokens[self.at + at + 2]
                return after.kind == "name" or after.text == "{"
            if self.ahead(at + 1) != ",":
                return False
            at += 2
        return False

    def _old_style_names(self) -> list[str]:
        names = [self.take().text]
        while self.accept(","):
            names.append(self.take().text)
        self.expect(")")
        return names

    # Initialisers.

    def initializer(self) -> Expression:
        """Read an initialiser."""
        return self.braces() if self.text == "{" else self.assignment()

    def braces(self) -> Braces:
        """Read an initialiser in braces."""
        found = Braces(self.line, [])
        self.expect("{")
        while not self.accept("}"):
            path = self._designators()
            found.items.append((path, self.initializer()))
            if not self.accept(",") and self.text != "}":
                self.wrong(f"expected , or }} before {self.text!r}")
        return found

    def _designators(self) -> list[str | Expression]:
        path: list[str | Expression] = []
        if self.is_name() and self.ahead(1) == ":":
            path = [self.take().text]
            self.take()
            return path
        while self.text in (".", "["):
            if self.accept("."):
                path.append(self.member_name())
                continue
            self.take()
            path.append(self.conditional())
            if self.accept("..."):
                path[-1] = self.conditional()
            self.expect("]")
        if path:
            self.accept("=")
        return path


def _fill(type: TypeSyntax, hole: TypeSyntax, value: TypeSyntax) -> TypeSyntax:
    """Put the outer type where the inner declarator left a hole."""
    if type is hole:
        return value
    if isinstance(type, PointerTo):
        type.to = _fill(type.to, hole, value)
    elif isinstance(type, ArrayOf):
        type.of = _fill(type.of, hole, value)
    elif isinstance(type, FunctionOf):
        type.result = _fill(type.result, hole, value)
    return type
