"""The words before a declared name: storage classes, types, and macros that stand among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from sk2d.c.naming.calls import CallReader
from sk2d.c.naming.cursor import PLACEHOLDER
from sk2d.c.naming.ledger import CALLED, GUESSED_TYPE, TYPE
from sk2d.c.naming.lexemes import NAME, WORD
from sk2d.c.naming.words import (
    ASSEMBLY,
    ATTRIBUTES,
    CONVENTIONS,
    QUALIFIERS,
    RECORDS,
    SPECIFIERS,
    STORAGE,
    TYPE_STARTS,
    TYPEOF,
    TYPES,
)

Place = Literal["named", "abstract", "parameter", "member"]
"""Where a declaration stands: with a name, without, or with or without."""

_PLAIN_WORDS: Final = TYPES | QUALIFIERS | STORAGE | CONVENTIONS
_BEHIND_TYPES: Final = re.compile(r"API|CALL|DECL|PASCAL|ENTRY|FAR|CONV|UNUSED|NORETURN")
"""What is in the names of macros that stand between a type and a name, such as `WINAPI`."""

_ARGUMENT_NAMES: Final = frozenset(
    ["cleanup", "__cleanup__", "aligned", "__aligned__", "vector_size", "__vector_size__"]
)
"""Attributes whose arguments may be names of the program."""


@dataclass(slots=True)
class Specifiers:
    """What the words before a declared name say."""

    typed: bool = False
    typedef: bool = False
    extern: bool = False
    static: bool = False


class SpecifierReader(CallReader):
    """Reads specifiers and attributes."""

    guessed = -1
    """Place of a name that is only likely to begin a declaration."""

    def record(self) -> None:
        """Read a struct, union or enum."""
        raise NotImplementedError

    def specifiers(self, place: Place) -> Specifiers:
        """Read the words before a declarator.

        Args:
            place: Where the declaration stands.

        Returns:
            What they say.
        """
        found = Specifiers()
        while True:
            kind, text = self.kinds[self.at], self.texts[self.at]
            if kind == NAME:
                if not self._name_specifier(found, place):
                    return found
            elif kind != WORD or not self._word_specifier(found, text):
                return found

    def _word_specifier(self, found: Specifiers, text: str) -> bool:
        if text in _PLAIN_WORDS:
            self.at += 1
            self._note_word(found, text)
        elif text in RECORDS:
            found.typed = True
            self.record()
        elif text in TYPEOF:
            found.typed = True
            self._typeof()
        elif text in ATTRIBUTES:
            self.attributes()
        else:
            return False
        return True

    def _note_word(self, found: Specifiers, text: str) -> None:
        if text in TYPES:
            found.typed = True
        elif text == "typedef":
            found.typedef = True
        elif text == "extern":
            found.extern = True
        elif text == "static":
            found.static = True
        elif text == "_Atomic" and self.text == "(":
            self.at += 1
            self.type_name()
            self.expect(")")
            found.typed = True

    def _typeof(self) -> None:
        self.at += 1
        self.expect("(")
        if self.is_type_argument():
            self.type_name()
        else:
            self.expression()
        self.expect(")")

    # Names among the specifiers.

    def _name_specifier(self, found: Specifiers, place: Place) -> bool:
        """Read a name that is a type or a macro; leave it where it is what is declared."""
        at = self.at
        if found.typed:
            if not (self.macro_like(at) if place == "abstract" else self._is_infix_macro(at)):
                return False
            self._macro(at)
            return True
        if place == "abstract":
            return self._type(found, at)
        kind, after = self.kinds[at + 1], self.texts[at + 1]
        if kind == NAME:
            return self._before_name(found, at)
        if kind == WORD:
            return self._before_word(found, at, after)
        if after == "(":
            return self._before_parenthesis(found, at, place)
        if after == "*" or (place == "parameter" and after in (",", ")", "[", "^")):
            return self._type(found, at)
        if self.verdict(at) is True and (after in (":", ";") or place == "member"):
            return self._type(found, at)
        return False

    def _type(self, found: Specifiers, at: int) -> bool:
        self.use(at, GUESSED_TYPE if at == self.guessed else TYPE)
        self.at = at + 1
        found.typed = True
        return True

    def _macro(self, at: int) -> None:
        """Read a macro that stands for an attribute or storage class."""
        self.at = at + 1
        called = self.text == "("
        self.use(at, CALLED if called else 0)
        if called:
            self.arguments(self.texts[at], True)

    def _is_infix_macro(self, at: int) -> bool:
        """Tell whether a name behind a type is a macro such as `WINAPI`, not what is declared."""
        kind, after = self.kinds[at + 1], self.texts[at + 1]
        if after == "(":
            end = self.closers[at + 1] + 1
            behind = self.is_name(end) and self.texts[end + 1] == "("
            if not self.macro_like(at) or self._is_old_style(end):
                return False
            return behind or self.texts[end] == "*"
        if kind == WORD:
            return after in QUALIFIERS or after in STORAGE or after in CONVENTIONS
        return after == "*" or (kind == NAME and self.precedes_name(at))

    def precedes_name(self, at: int) -> bool:
        """Tell which of two names in a row is declared: whether the first is a macro."""
        if self.verdict(at + 1) is True or self.texts[at] == self.texts[at + 1]:
            return False
        return self.macro_like(at) or (
            self.texts[at + 2] == "(" and self._on_top() and not self.macro_like(at + 1)
        )

    def _on_top(self) -> bool:
        """Tell whether no block or prototype is open; macros of any spelling stand in heads."""
        return len(self.scopes) == 1

    def _before_name(self, found: Specifiers, at: int) -> bool:
        """Judge `a b ...`: `a` is a type, or a macro before one."""
        if self._is_prefix_macro(at):
            self._macro(at)
            return True
        return self._type(found, at)

    def _is_prefix_macro(self, at: int) -> bool:
        first = self.verdict(at)
        if first is not None:
            return not first
        end = at + 2
        while self.texts[end] == "*" or self.texts[end] in QUALIFIERS:
            end += 1
        if not self.is_name(end):
            return False
        if end > at + 2 or self.verdict(at + 1):
            return True
        if self.texts[at].isupper() and self.texts[at + 1].isupper():
            return _BEHIND_TYPES.search(self.texts[at + 1]) is None
        return self.texts[at].isupper() or not self.texts[at + 1].isupper()

    def _before_word(self, found: Specifiers, at: int, after: str) -> bool:
        """Judge a name before a keyword: `INLINE int`, `T const *`."""
        if self.verdict(at) is True:
            return self._type(found, at)
        if after in TYPES or after in RECORDS or after in TYPEOF or after in STORAGE:
            if not self.macro_like(at) and not self._on_top():
                self.unexpected()
            self._macro(at)
            return True
        if after not in SPECIFIERS:
            return False
        end = at + 1
        while self.texts[end] in QUALIFIERS:
            end += 1
        words = self.is_word(end) and self.texts[end] in TYPE_STARTS
        if words or (self.is_name(end) and (self.is_name(end + 1) or self.texts[end + 1] == "*")):
            self._macro(at)
            return True
        return self._type(found, at)

    def _before_parenthesis(self, found: Specifiers, at: int, place: Place) -> bool:
        """Judge `a(...)`: a type before a declarator, a macro, or a function without a type."""
        end = self.closers[at + 1] + 1
        kind, behind = self.kinds[end], self.texts[end]
        if kind == WORD and behind in SPECIFIERS - ATTRIBUTES and not self._is_old_style(end):
            self._macro(at)
            return True
        star = self.texts[at + 2] in ("*", "^")
        verdict = self.verdict(at)
        if verdict is True or (star and behind in ("(", "[")) or place == "parameter":
            return self._type(found, at)
        if kind == NAME and not self._is_old_style(end):
            self._macro(at)
            found.typed = True
            return True
        if (behind == "*" and self.is_name(end + 1)) or (place == "member" and behind == ";"):
            self._macro(at)
            found.typed = True
            return True
        return False

    def _is_old_style(self, place: int) -> bool:
        """Tell whether declarations of parameters and then a body stand there."""
        while self.texts[place] not in ("{", "(", "=", "", "}", ")"):
            place += 1
        if self.texts[place] == "(" and self.texts[place + 1] == "*":
            return True
        return self.texts[place] == "{" and self.texts[place - 1] == ";"

    # Attributes.

    def macro_like(self, place: int) -> bool:
        """Tell whether a name is spelled like a macro that may stand behind a declarator."""
        name = self.texts[place]
        if name.isupper() or name.startswith("_"):
            return True
        entry = self.ledger.free.get(("ordinary", name))
        if entry is not None and entry.macro:
            return True
        placeholder = PLACEHOLDER.fullmatch(name)
        return placeholder is not None and placeholder[1] in ("var", "func")

    def attributes(self) -> None:
        """Read `__attribute__((...))`, `asm("name")`, `_Alignas(...)` and the like."""
        while self.kind == WORD:
            text = self.text
            if text in CONVENTIONS:
                self.at += 1
            elif text in ATTRIBUTES or text in ASSEMBLY:
                self.at += 1
                while self.text in QUALIFIERS:
                    self.at += 1
                if self.text != "(":
                    self.unexpected()
                self._attribute_arguments(text)
            else:
                return

    def _attribute_arguments(self, word: str) -> None:
        end = self.closers[self.at]
        if word == "_Alignas":
            self._alignment()
            return
        self.ledger.kept.append((self.index[self.at], self.index[end]))
        for place in range(self.at, end):
            if self.texts[place] in _ARGUMENT_NAMES and self.texts[place + 1] == "(":
                self.neighbours(place + 2, self.closers[place + 1])
        self.at = end + 1

    def _alignment(self) -> None:
        self.at += 1
        if (self.kind == WORD and self.text in TYPE_STARTS) or self.is_type(self.at):
            self.type_name()
        else:
            self.expression()
        self.expect(")")

    def attributes_behind(self, names_too: bool = True) -> None:
        """Read what may stand between a declarator and its initialiser, body or end.

        Args:
            names_too: Whether a name there is a macro.
        """
        while True:
            if self.kind == WORD and self.text in ATTRIBUTES | ASSEMBLY | CONVENTIONS:
                self.attributes()
            elif names_too and self.kind == NAME and self.macro_like(self.at):
                self._macro(self.at)
            else:
                return
