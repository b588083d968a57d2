"""Statements and whole texts."""

from __future__ import annotations

from typing import Final

from sk2d.c.naming.beginnings import BeginningReader
from sk2d.c.naming.lexemes import END, NAME, OP, STRING, WORD
from sk2d.c.naming.words import (
    ASSEMBLY,
    ATTRIBUTES,
    CONVENTIONS,
    QUALIFIERS,
    SPECIFIERS,
)

_STATEMENT_WORDS: Final = frozenset(
    ["if", "else", "while", "do", "for", "switch", "return", "break", "continue", "goto"]
)


class StatementReader(BeginningReader):
    """Reads statements and whole texts."""

    # The whole text.

    def whole(self) -> None:
        """Read everything there is."""
        while self.kind != END:
            text = self.text
            if text == ";":
                self.at += 1
            elif text == "extern" and self.kinds[self.at + 1] == STRING:
                self._linkage()
            elif text in ASSEMBLY:
                self._assembly()
            elif text == "_Static_assert":
                self.static_assertion()
            elif not self._macro_on_top():
                self.declaration()

    def _linkage(self) -> None:
        """Read `extern "C"`; its braces are no scope."""
        self.at += 2
        if self.text != "{":
            return
        end = self.closers[self.at]
        self.at += 1
        texts, kinds = self.texts, self.kinds
        self.texts, self.kinds = [*texts[:end], *[""] * 5], [*kinds[:end], *[END] * 5]
        self.whole()
        self.texts, self.kinds = texts, kinds
        self.at = end + 1

    def _macro_on_top(self) -> bool:
        """Read `MODULE_LICENSE("GPL");` and `DEFINE_LOCK(x)` between the functions."""
        at = self.at
        if self.kind != NAME or self.texts[at + 1] != "(" or self.is_type(at):
            return False
        end = self.closers[at + 1] + 1
        kind, text = self.kinds[end], self.texts[end]
        alone = text == ";" and self.texts[at + 2] != "*"
        begins = kind == END or (kind == WORD and text in SPECIFIERS and self.macro_like(at))
        if not alone and (not begins or self._is_old_style(end) or self._is_head(end)):
            return False
        self._macro(at)
        self.accept(";")
        return True

    def _is_head(self, place: int) -> bool:
        """Tell whether what stands there has no beginning of its own, so that a macro is part."""
        return self.texts[place] in QUALIFIERS | ATTRIBUTES | CONVENTIONS

    # Blocks.

    def block(self) -> None:
        """Read statements in braces."""
        self.open_scope()
        self.expect("{")
        self.statements()
        self.close_scope()

    def statements(self) -> None:
        """Read statements up to the brace that closes them, and that brace."""
        while not self.accept("}"):
            if self.kind == END:
                self.unexpected()
            self.statement()

    def statement(self, inner: bool = False) -> None:
        """Read a statement or a declaration, with the labels before it.

        Args:
            inner: Whether it is the body of `if` or a loop, which is no declaration.
        """
        self.deeper()
        labelled = False
        while self._labelled():
            labelled = True
        kind, text = self.kinds[self.at], self.texts[self.at]
        if kind == NAME:
            self._named_statement(inner)
        elif text == "{":
            self.block()
        elif text == ";":
            self.at += 1
        elif kind == WORD:
            self._word_statement(text, inner)
        elif text != "}" or not labelled:
            self._evaluate()
        self.nesting -= 1

    def _labelled(self) -> bool:
        """Read a label or `case`, if one stands here."""
        at = self.at
        if self.kinds[at] == NAME and self.texts[at + 1] == ":":
            self.label(at, declares=True)
            self.at += 2
            self.attributes_behind(names_too=False)
        elif self.texts[at] == "case":
            self.at += 1
            self._case()
        elif self.texts[at] == "default":
            self.at += 1
            self.expect(":")
        else:
            return False
        return True

    def _named_statement(self, inner: bool) -> None:
        """Read a statement that begins with a name."""
        if not inner and self.is_declaration():
            self.declaration()
        elif not self.macro_statement():
            self._evaluate()

    def _evaluate(self) -> None:
        self.expression()
        self.expect(";")

    def _word_statement(self, text: str, inner: bool) -> None:
        if text in _STATEMENT_WORDS:
            self._keyword_statement(text)
        elif text in ASSEMBLY:
            self._assembly()
        elif text == "__label__":
            self._local_labels()
        elif text == "_Static_assert":
            self.static_assertion()
        elif text == "__extension__" and self._extends_expression():
            self._evaluate()
        elif text in ATTRIBUTES and self._is_attribute_statement():
            self.attributes()
            self.accept(";")
        elif text in SPECIFIERS and not inner:
            self.declaration()
        else:
            self._evaluate()

    def _extends_expression(self) -> bool:
        return self.kinds[self.at + 1] == OP

    def _is_attribute_statement(self) -> bool:
        """Tell whether `__attribute__((fallthrough));` stands here."""
        end = self.closers.get(self.at + 1, -2) + 1
        return self.texts[end] in (";", "}")

    def _local_labels(self) -> None:
        self.at += 1
        while self.kind == NAME:
            self.label(self.at)
            self.at += 1
            self.accept(",")
        self.expect(";")

    # What begins with a keyword.

    def _keyword_statement(self, word: str) -> None:
        self.at += 1
        if word == "if":
            self._if()
        elif word in ("while", "switch"):
            self._test()
            self.statement(inner=True)
        elif word == "do":
            self._do()
        elif word == "for":
            self._for()
        elif word == "return":
            if self.text != ";":
                self.expression()
            self.expect(";")
        elif word == "goto":
            self._goto()
        elif word == "else":
            self.wrong("else without if")
        else:
            self.expect(";")

    def _test(self) -> None:
        self.expect("(")
        self.expression()
        self.expect(")")

    def _if(self) -> None:
        """Read `if`, and all `else if` behind it without going deeper."""
        while True:
            self._test()
            self.statement(inner=True)
            if not self.accept("else"):
                return
            if not self.accept("if"):
                self.statement(inner=True)
                return

    def _do(self) -> None:
        self.statement(inner=True)
        self.expect("while")
        self._test()
        self.accept(";")

    def _for(self) -> None:
        self.open_scope()
        self.expect("(")
        if not self.accept(";"):
            if self.starts_declaration():
                self.declaration()
            else:
                self._evaluate()
        if self.text != ";":
            self.expression()
        self.expect(";")
        if self.text != ")":
            self.expression()
        self.expect(")")
        self.statement(inner=True)
        self.close_scope()

    def _case(self) -> None:
        self.expression()
        if self.accept("..."):
            self.expression()
        self.expect(":")

    def _goto(self) -> None:
        if self.text == "*":
            self.expression()
        elif self.kind == NAME:
            self.label(self.at)
            self.at += 1
        else:
            self.unexpected()
        self.expect(";")

    def _assembly(self) -> None:
        """Read `asm`: names stand in parentheses behind strings, and last come labels."""
        self.at += 1
        while self.text in QUALIFIERS or self.text in ("goto", "inline"):
            self.at += 1
        if self.text != "(":
            self.unexpected()
        end = self.closers[self.at]
        self.at += 1
        colons = 0
        while self.at < end:
            colons += self.text == ":"
            if self.text == "(" and self.kinds[self.at - 1] == STRING:
                self._test()
            elif self.text == "[":
                close = self.closers[self.at]
                self.ledger.kept.append((self.index[self.at], self.index[close]))
                self.at = close + 1
            elif self.kind == NAME and colons >= 4:
                self.label(self.at)
                self.at += 1
            elif self.kind == NAME:
                self.use(self.at, 0)
                self.at += 1
            else:
                self.at += 1
        self.at = end + 1
        self.accept(";")
