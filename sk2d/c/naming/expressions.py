"""Expressions, with casts told from parentheses by what is known of the names."""

from __future__ import annotations

from typing import Final

from sk2d.c.naming.cursor import Cursor
from sk2d.c.naming.ledger import (
    CALLED,
    GUESSED_TYPE,
    GUESSED_VALUE,
    OBJECT,
    VALUE,
)
from sk2d.c.naming.lexemes import NAME, NUMBER, OP, STRING, WORD
from sk2d.c.naming.words import (
    AFTER_OBJECT,
    BEFORE_OBJECT,
    BINARY,
    OFFSETOF,
    PREFIX,
    QUALIFIERS,
    SIZES,
    TRANSPARENT,
    TYPE_STARTS,
    VA_ARG,
)

STARS: Final = QUALIFIERS | {"*", "^"}
_CAST_ONLY: Final = frozenset(["~", "!", "{"])
_AFTER_LONE_TYPE: Final = frozenset([")", ","])


class ExpressionReader(Cursor):
    """Reads expressions."""

    # What the other parts of the reader give.

    def type_name(self) -> None:
        """Read a type without a name."""
        raise NotImplementedError

    def special_call(self, name: str) -> None:
        """Read the arguments of `va_arg` or `offsetof`."""
        raise NotImplementedError

    def arguments(self, name: str, may_be_macro: bool) -> None:
        """Read what is given to a function or macro."""
        raise NotImplementedError

    def macro_like(self, place: int) -> bool:
        """Tell whether a name is spelled like a macro."""
        raise NotImplementedError

    def braces(self) -> None:
        """Read an initialiser in braces."""
        raise NotImplementedError

    def block(self) -> None:
        """Read statements in braces."""
        raise NotImplementedError

    # Operators.

    def expression(self) -> None:
        """Read an expression, commas included."""
        self.assignment()
        while self.texts[self.at] == ",":
            self.at += 1
            self.assignment()

    def assignment(self) -> None:
        """Read an expression without a comma; names do not care for precedence."""
        texts = self.texts
        while True:
            self._operand()
            text = texts[self.at]
            if text in BINARY:
                self.at += 1
            elif text == "?":
                self.at += 1
                if texts[self.at] != ":":
                    self.expression()
                self.expect(":")
            else:
                return

    def _operand(self) -> None:
        """Read prefix operators and casts, then what they stand before."""
        texts, kinds = self.texts, self.kinds
        while True:
            kind, text = kinds[self.at], texts[self.at]
            if kind == NAME:
                self._name()
                break
            if kind == OP:
                if text in PREFIX:
                    self.at += 1
                    continue
                if text == "(":
                    opened = self.at
                    if self._parenthesis():
                        break
                    if texts[opened - 1] in ("(", ",") and texts[self.at] in _AFTER_LONE_TYPE:
                        return
                    continue
                if text == "&&" and kinds[self.at + 1] == NAME:
                    self.label(self.at + 1)
                    self.at += 2
                    break
                self.unexpected()
            if kind == NUMBER:
                self.at += 1
                if texts[self.at] == "(":
                    self.unexpected()
                break
            if kind == STRING:
                self._strings()
                break
            if text in TRANSPARENT:
                self.at += 1
                continue
            if text in SIZES:
                if self._size():
                    break
                continue
            self._word(text)
            break
        self.postfix()

    def _word(self, text: str) -> None:
        """Read an operand that begins with a keyword."""
        if text == "_Generic":
            self._generic()
        elif text in VA_ARG or text in OFFSETOF:
            self.at += 1
            self.special_call(text)
        else:
            self.unexpected()

    def _name(self) -> None:
        """Read a name in value position."""
        at = self.at
        after = self.texts[at + 1]
        self.at += 1
        if self.kinds[at + 1] == STRING or self._is_macro_text(at):
            self.at = at
            self._strings()
        elif after == "(":
            text = self.texts[at]
            entry = self.use(at, CALLED)
            if text in VA_ARG or text in OFFSETOF:
                self.special_call(text)
            else:
                self.arguments(text, not entry.declared or bool(entry.macro))
        elif after in AFTER_OBJECT or self.texts[at - 1] in BEFORE_OBJECT:
            self.use(at, OBJECT | VALUE)
        else:
            self.use(at, VALUE)

    def postfix(self) -> None:
        """Read what may stand behind an operand."""
        texts = self.texts
        while True:
            text = texts[self.at]
            if text == "[":
                self.at += 1
                self.expression()
                self.expect("]")
            elif text == "(":
                self.arguments("", False)
            elif text in (".", "->"):
                self.member(self.at + 1)
                self.at += 2
            elif text in ("++", "--"):
                self.at += 1
            else:
                return

    def _strings(self) -> None:
        """Read string literals in a row, and the macros between them."""
        while self.kind in (STRING, NAME):
            at = self.at
            self.at += 1
            if self.kinds[at] == NAME:
                self.use(at, CALLED if self.text == "(" else 0)
                if self.text == "(":
                    self.arguments(self.texts[at], True)

    def _is_macro_text(self, at: int) -> bool:
        """Tell whether two macros in a row stand here, which can only be texts."""
        if self.kinds[at + 1] != NAME or self.texts[at + 2] == "(":
            return False
        return all(
            self.macro_like(place) and self.lookup(self.texts[place]) is None
            for place in (at, at + 1)
        )

    # Parentheses.

    def _parenthesis(self) -> bool:
        """Read `(x)`, `({ ... })`, a cast or a compound literal.

        Returns:
            Whether this was a whole operand; a cast is not.
        """
        if self.texts[self.at + 1] == "{":
            self.at += 1
            self.block()
            self.expect(")")
            return True
        cast = self._is_cast()
        self.at += 1
        if cast is None or cast:
            self._type_in_parentheses(guessed=cast is None)
            if self.text != "{":
                return False
            self.braces()
            return True
        if self.kinds[self.at] == NAME and self.texts[self.at + 1] == ")":
            self._lone_name()
            return True
        self.expression()
        self.expect(")")
        return True

    def _type_in_parentheses(self, guessed: bool) -> None:
        if guessed:
            self.use(self.at, GUESSED_TYPE)
            self.at += 1
        else:
            self.type_name()
        self.expect(")")

    def _lone_name(self) -> None:
        """Read `(name)` as a value; that is sure where no cast could stand."""
        at = self.at
        self.at += 2
        sure = self.text not in PREFIX and self.text != "("
        self.use(at, VALUE if sure else GUESSED_VALUE)

    def _is_cast(self) -> bool | None:
        """Tell whether `(` opens a cast or compound literal; None if it is only likely."""
        at = self.at + 1
        kind, text = self.kinds[at], self.texts[at]
        if kind == WORD:
            return text in TYPE_STARTS or text == "__extension__" and self._type_behind(at + 1)
        if kind != NAME:
            return False
        after = self.texts[at + 1]
        if after not in STARS and after not in (")", "(", "["):
            return self.kinds[at + 1] == NAME and self.verdict(at) is True
        verdict = self.verdict(at)
        if verdict is False:
            return False
        end = at + 1
        while self.texts[end] in STARS:
            end += 1
        behind = self.texts[end]
        if behind == ")":
            if end > at + 1:
                return True
            return True if verdict else self._casts(end + 1)
        if behind == "(":
            return self.is_function_pointer(end)
        if behind == "[":
            return self._array_literal() or (verdict is True and end > at + 1)
        return False

    def _type_behind(self, place: int) -> bool:
        return self.texts[place] in TYPE_STARTS or self.is_type(place)

    def is_function_pointer(self, place: int) -> bool:
        """Tell whether `(*)(` stands there, the middle of a function pointer's type."""
        if self.texts[place + 1] not in ("*", "^"):
            return False
        while self.texts[place + 1] in STARS:
            place += 1
        return self.texts[place + 1] in (")", "[") and self.texts[place + 2] in ("(", "[", ")", "]")

    def _array_literal(self) -> bool:
        """Tell whether `(name[...]){` or, from a decompiler, `(name[...])x` stands here."""
        end = self.closers[self.at]
        operand = self.texts[end + 1] == "{" or self.kinds[end + 1] in (NAME, NUMBER)
        return operand and self.texts[end - 1] == "]"

    def _casts(self, place: int) -> bool | None:
        """Tell whether `(name)`, of which nothing is known, is a cast by what stands behind it."""
        kind, text = self.kinds[place], self.texts[place]
        if kind in (NAME, NUMBER, STRING) or text in _CAST_ONLY or text in SIZES | TRANSPARENT:
            return True
        if text in ("(", "&"):
            return None
        if text == "*":
            return None if self._points(place) else False
        return False

    def _points(self, place: int) -> bool:
        """Tell whether what stands behind `*` is declared as a pointer, so that it is followed."""
        while self.texts[place] in ("*", "("):
            place += 1
        if not self.is_name(place):
            return False
        entry = self.lookup(self.texts[place])
        return entry is not None and entry.pointer and self.texts[place + 1] not in ("[", "->")

    def _size(self) -> bool:
        """Read `sizeof` and its type; without parentheses the operand is left for the caller.

        Returns:
            Whether all has been read.
        """
        self.at += 1
        if self.text != "(":
            return False
        at = self.at + 1
        kind, text = self.kinds[at], self.texts[at]
        end = at + 1
        while self.texts[end] in STARS:
            end += 1
        if kind == WORD and (text in TYPE_STARTS or text == "__extension__"):
            is_type: bool | None = True
        elif kind == NAME and self.texts[end] in (")", "(", "["):
            is_type = self._sizes_type(at, end)
        else:
            is_type = False
        if is_type is False:
            return False
        self.at += 1
        self._type_in_parentheses(guessed=is_type is None)
        if self.text == "{":
            self.braces()
        return True

    def _sizes_type(self, at: int, end: int) -> bool | None:
        verdict = self.verdict(at)
        if self.texts[end] == "(":
            return verdict is not False and self.is_function_pointer(end)
        if self.texts[end] == "[":
            return verdict is True
        if verdict is False:
            return False
        return True if verdict or end > at + 1 else None

    def _generic(self) -> None:
        self.at += 1
        self.expect("(")
        self.assignment()
        self.expect(",")
        self._choice()
        while self.accept(","):
            self._choice()
        self.expect(")")

    def _choice(self) -> None:
        """Read `type: value` inside `_Generic`."""
        if not self.accept("default"):
            self.type_name()
        self.expect(":")
        self.assignment()
