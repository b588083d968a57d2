"""Structs, unions, enums and their initialisers."""

from __future__ import annotations

from sk2d.c.naming.declarations import DeclarationReader
from sk2d.c.naming.lexemes import NAME


class RecordReader(DeclarationReader):
    """Reads what is in braces and no block."""

    def record(self) -> None:
        """Read a struct, union or enum."""
        word = self.text
        self.at += 1
        self.attributes()
        if self.kind == NAME and self.is_name(self.at + 1) and self._tag_behind(self.at + 1):
            self._macro(self.at)
        at, named = self.at, self.kind == NAME
        self.at += named
        body = self.text == "{"
        if named:
            self.tag(at, declares=body or self._is_forward(at)).defined |= body
        elif not body:
            self.unexpected()
        if body:
            self.at += 1
            if word == "enum":
                self._constants()
            else:
                self._members()
            self.attributes()

    def _tag_behind(self, place: int) -> bool:
        return self.texts[place + 1] == "{" and self.macro_like(place - 1)

    def _is_forward(self, at: int) -> bool:
        """Tell whether `struct tag;` stands here."""
        return self.texts[at + 1] == ";" and self.texts[at - 2] in ("", ";", "{", "}")

    def _constants(self) -> None:
        while not self.accept("}"):
            if self.kind != NAME:
                self.wrong("expected the name of a constant")
            self.declare(self.at, "var")
            self.at += 1
            self.attributes_behind()
            if self.accept("="):
                self.assignment()
            if not self.accept(",") and self.text != "}":
                self.wrong(f"expected , or }} before {self.text!r}")

    def _members(self) -> None:
        while not self.accept("}"):
            if self.accept(";"):
                continue
            if self.text == "_Static_assert":
                self.static_assertion()
            else:
                self._member_declaration()

    def static_assertion(self) -> None:
        """Read `_Static_assert(x, "text");`."""
        self.at += 1
        self.expect("(")
        self.expression()
        self.expect(")")
        self.expect(";")

    def _member_declaration(self) -> None:
        specifiers = self.specifiers("member")
        if not specifiers.typed:
            self.unexpected()
        while self.text != ";":
            if self.text != ":":
                found = self.declarator("member")
                self.member(found.name, declares=True)
            if self.accept(":"):
                self.assignment()
            self.attributes_behind()
            if not self.accept(","):
                break
        self.expect(";")

    # Initialisers.

    def initializer(self) -> None:
        """Read what stands behind `=`."""
        if self.text == "{":
            self.braces()
        else:
            self.assignment()

    def braces(self) -> None:
        """Read an initialiser in braces."""
        self.expect("{")
        while not self.accept("}"):
            self._designators()
            self.initializer()
            if not self.accept(",") and self.text != "}":
                self.wrong(f"expected , or }} before {self.text!r}")

    def _designators(self) -> None:
        if self.kind == NAME and self.texts[self.at + 1] == ":":
            self.member(self.at)
            self.at += 2
            return
        start = self.at
        while self.text in (".", "["):
            if self.accept("."):
                self.member(self.at)
                self.at += 1
            else:
                self.array()
        if self.at > start:
            self.accept("=")
