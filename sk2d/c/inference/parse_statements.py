"""Statements, and macros that stand in their place."""

from __future__ import annotations

from typing import Final

from sk2d.c.inference.parse_declarations import DeclarationParser
from sk2d.c.inference.parse_specifiers import SPECIFIERS
from sk2d.c.inference.preprocessing import Lexeme
from sk2d.c.inference.syntax import (
    Assembly,
    Block,
    Case,
    Evaluate,
    Expression,
    If,
    Jump,
    Loop,
    MacroUse,
    Return,
    Statement,
    Switch,
)

ASM: Final = frozenset(["asm", "__asm", "__asm__"])
_STATEMENT_WORDS: Final = frozenset(
    [
        "if",
        "else",
        "while",
        "do",
        "for",
        "switch",
        "case",
        "default",
        "return",
        "break",
        "continue",
        "goto",
    ]
)
_OPERATORS_BEHIND_CALL: Final = frozenset(
    [
        ";",
        ",",
        ")",
        "]",
        "[",
        "(",
        ".",
        "->",
        "++",
        "--",
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "%=",
        "&=",
        "|=",
        "^=",
        "<<=",
        ">>=",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "?",
        ":",
        "<<",
        ">>",
        "|",
        "^",
        "&",
        "&&",
        "||",
    ]
)


class StatementParser(DeclarationParser):
    """Reads statements."""

    def block(self) -> Block:
        """Read statements in braces."""
        found = Block(self.line, [])
        self.expect("{")
        self.scopes.append({})
        while not self.accept("}"):
            found.items.append(self.statement())
        self.scopes.pop()
        return found

    def statement(self) -> Statement:
        """Read a statement or a declaration."""
        text, line = self.text, self.line
        if text == "{":
            return self.block()
        if self.accept(";"):
            return Evaluate(line, None)
        if text in _STATEMENT_WORDS:
            return self._keyword_statement(text, line)
        if text in ASM:
            return self._assembly()
        if text == "__label__":
            while self.take().text != ";" and self.text:
                pass
            return Evaluate(line, None)
        if self.is_name() and self.ahead(1) == ":" and self.ahead(2) != ":":
            return self._label()
        if text == "_Static_assert":
            self.take()
            self.skip_brackets()
            self.expect(";")
            return Evaluate(line, None)
        if self.declaration_starts():
            return self.declaration()
        return self._macro_statement() or self._evaluate()

    def _label(self) -> Statement:
        self.at += 2
        self.attributes()
        return Evaluate(self.line, None) if self.text == "}" else self.statement()

    def _evaluate(self) -> Statement:
        line = self.line
        value = self.expression()
        self.expect(";")
        return Evaluate(line, value)

    def declaration_starts(self) -> bool:
        """Tell whether a declaration begins here, by its first tokens."""
        if self.text in SPECIFIERS or self.text in ("__attribute__",):
            return True
        if not self.is_name():
            return False
        declared, type = self.lookup(self.text)
        if self.is_name(1):
            return self._names_in_a_row(declared and type is not None)
        if declared and type is not None:
            return False
        if self.ahead(1) in SPECIFIERS:
            return True
        if self.ahead(1) == "*":
            return self._star_declares()
        if self.ahead(1) == "(":
            return self.is_type(self.text) and self._function_pointer_declares(1)
        return False

    def _names_in_a_row(self, is_object: bool) -> bool:
        """Judge `a b`: a declaration, unless `a` is a macro that stands alone."""
        if is_object:
            return False
        if self.ahead(2) == "(" and not self.is_type(self.text):
            return self.tokens[self.at].line == self.tokens[self.at + 1].line and (
                self.tokens[self.behind(self.at + 2)].text in ("{", ";")
                and self.type_starts(3)
                or self.ahead(3) == ")"
            )
        return self.ahead(2) not in ("->", ".", "++", "--", "+=", "-=")

    def _star_declares(self) -> bool:
        """Judge `a * b ...` with an `a` that is no object."""
        end = 1
        while self.ahead(end) in ("*", "const", "restrict", "volatile", "__restrict"):
            end += 1
        if self.ahead(end) == "(":
            return self.is_type(self.text) and self._function_pointer_declares(end)
        if not self.is_name(end):
            return False
        if self.is_type(self.text) or end > 2:
            return True
        return self.ahead(end + 1) in ("=", ";", ",", "[", "(") or self.is_name(end + 1)

    def _function_pointer_declares(self, at: int) -> bool:
        return [self.ahead(at), self.ahead(at + 1)] == ["(", "*"] and self.is_name(at + 2)

    def _macro_statement(self) -> Statement | None:
        """Read a macro that is used as a whole statement, without a semicolon."""
        if not self.is_name() or self.lookup(self.text)[0]:
            return None
        token = self.tokens[self.at]
        if self.ahead(1) != "(":
            return self._bare_macro(token)
        end = self.behind(self.at + 1)
        if self.tokens[end].text in _OPERATORS_BEHIND_CALL or self.tokens[end].kind == "end":
            return None
        self.at = end
        body = self.block() if self.text == "{" else None
        return MacroUse(token.line, token.text, True, body)

    def _bare_macro(self, token: Lexeme) -> Statement | None:
        """Read a macro without parentheses: `BEGIN` on a line of its own, or `TRY { ... }`."""
        after = self.tokens[self.at + 1]
        begins = after.kind == "name" and (
            after.text in _STATEMENT_WORDS or after.line > token.line
        )
        if not begins and after.text not in ("}", "{"):
            return None
        self.take()
        return MacroUse(token.line, token.text, False, None)

    def _keyword_statement(self, word: str, line: int) -> Statement:
        self.take()
        if word == "if":
            return self._if(line)
        if word == "while":
            return Loop(line, None, self._test(), None, self.statement())
        if word == "do":
            return self._do(line)
        if word == "for":
            return self._for(line)
        if word == "switch":
            return Switch(line, self._test(), self.statement())
        if word == "return":
            value = None if self.text == ";" else self.expression()
            self.expect(";")
            return Return(line, value)
        if word == "case":
            return self._case(line)
        if word == "default":
            self.expect(":")
            return self._labelled(line)
        return self._jump(word, line)

    def _jump(self, word: str, line: int) -> Statement:
        if word == "else":
            self.wrong("else without if")
        if word != "goto":
            self.expect(";")
            return Evaluate(line, None)
        if self.accept("*"):
            target = self.expression()
            self.expect(";")
            return Jump(line, target)
        self.take()
        self.expect(";")
        return Evaluate(line, None)

    def _test(self) -> Expression:
        self.expect("(")
        test = self.expression()
        self.expect(")")
        return test

    def _if(self, line: int) -> Statement:
        test = self._test()
        then = self.statement()
        other = self.statement() if self.accept("else") else None
        return If(line, test, then, other)

    def _do(self, line: int) -> Statement:
        body = self.statement()
        self.expect("while")
        test = self._test()
        self.accept(";")
        return Loop(line, None, test, None, body)

    def _for(self, line: int) -> Statement:
        self.expect("(")
        self.scopes.append({})
        first: Statement | None = None
        if not self.accept(";"):
            first = self.declaration() if self.declaration_starts() else self._evaluate()
        test = None if self.text == ";" else self.expression()
        self.expect(";")
        step = None if self.text == ")" else self.expression()
        self.expect(")")
        body = self.statement()
        self.scopes.pop()
        return Loop(line, first, test, step, body)

    def _case(self, line: int) -> Statement:
        value = self.conditional()
        high = self.conditional() if self.accept("...") else None
        self.expect(":")
        return Case(line, value, high, self._labelled(line))

    def _labelled(self, line: int) -> Statement:
        """Read what a case label stands before; declarations may follow as in a block."""
        return Evaluate(line, None) if self.text == "}" else self.statement()

    def _assembly(self) -> Statement:
        """Read the operands of `asm`: what stands in parentheses behind a string."""
        line = self.take().line
        while self.text in ("volatile", "__volatile__", "__volatile", "goto", "inline"):
            self.take()
        end = self.behind(self.at)
        operands = []
        while self.at < end - 1:
            if self.take().kind == "string" and self.text == "(":
                self.take()
                operands.append(self.expression())
                self.expect(")")
        self.at = end
        self.accept(";")
        return Assembly(line, operands)
