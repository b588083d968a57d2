"""What a statement that begins with a name is: a declaration, a macro, or an expression."""

from __future__ import annotations

from typing import Final

from sk2d.c.naming.lexemes import END, NAME, OP, WORD
from sk2d.c.naming.records import RecordReader
from sk2d.c.naming.words import (
    ASSEMBLY,
    ASSIGNMENTS,
    ATTRIBUTES,
    QUALIFIERS,
    RECORDS,
    SPECIFIERS,
    STORAGE,
    TYPEOF,
    TYPES,
)

_STARS: Final = QUALIFIERS | {"*"}
_BEHIND_DECLARED: Final = frozenset(["=", ";", ","])
_NEVER_DECLARED: Final = ASSIGNMENTS - {"="} | frozenset(["->", ".", "++", "--"])
_TYPE_WORDS: Final = TYPES | QUALIFIERS | RECORDS | STORAGE | TYPEOF


class BeginningReader(RecordReader):
    """Tells declarations, macros and expressions apart by how they begin."""

    def statement(self, inner: bool = False) -> None:
        """Read a statement or a declaration; an inner one is no declaration."""
        raise NotImplementedError

    def starts_declaration(self) -> bool:
        """Tell whether a declaration begins here."""
        if self.kind == WORD:
            return self.text in SPECIFIERS
        return self.kind == NAME and self.is_declaration()

    def is_declaration(self) -> bool:
        """Tell whether the name here begins a declaration."""
        at = self.at
        kind, after = self.kinds[at + 1], self.texts[at + 1]
        if after == "(":
            return self._function_pointer_declared(at)
        if kind == OP and after != "*":
            return False
        entry = self.lookup(self.texts[at])
        if entry is not None and entry.kind != "type":
            return False
        if kind == NAME:
            return self._names_in_a_row(at)
        if kind == WORD:
            return after in _TYPE_WORDS
        return after == "*" and self._star_declares(at)

    def _names_in_a_row(self, at: int) -> bool:
        """Judge `a b ...`: a declaration, unless `a` is a macro that stands alone."""
        behind = self.texts[at + 2]
        if self.verdict(at) is True:
            return True
        if behind in _NEVER_DECLARED:
            return False
        if behind == "(":
            return self._prototype_follows(at + 2)
        if behind in ("=", "["):
            entry = self.lookup(self.texts[at + 1])
            return entry is None or entry.kind == "type" or not self.macro_like(at)
        return True

    def _prototype_follows(self, place: int) -> bool:
        """Tell whether parameters stand there, not the arguments of a call behind a macro."""
        end = self.closers[place]
        if self.texts[end + 1] not in (";", ",", "{") or not self.texts[place - 1]:
            return False
        if end == place + 1:
            return True
        first = place + 1
        if self.is_word(first):
            return self.texts[first] in SPECIFIERS
        if not self.is_name(first) or self.verdict(first) is False:
            return False
        if self.verdict(first) or self.is_name(first + 1) or self.texts[first + 1] == "*":
            return True
        name = self.texts[place - 2]
        return self.texts[first + 1] in (",", ")") and not (name.isupper() and len(name) > 2)

    def _star_declares(self, at: int) -> bool:
        """Judge `a * b ...`: a product does nothing as a statement, so `a` may well be a type."""
        verdict = self.verdict(at)
        end = at + 1
        while self.texts[end] in _STARS:
            end += 1
        if self.texts[end] == "(":
            return verdict is True and self.texts[end + 1] == "*"
        if not self.is_name(end) or not self._ends_declarator(end + 1):
            return False
        if verdict is not None:
            return verdict
        self.guessed = at if self.texts[end + 1] != "=" else -1
        return True

    def _ends_declarator(self, place: int) -> bool:
        """Tell whether sizes or parameters and then the end of a declarator stand there."""
        while self.texts[place] in ("[", "("):
            place = self.closers[place] + 1
        if self.kinds[place] == WORD:
            return self.texts[place] in ATTRIBUTES or self.texts[place] in ASSEMBLY
        return self.is_name(place) or self.texts[place] in _BEHIND_DECLARED

    def _function_pointer_declared(self, at: int) -> bool:
        """Judge `a (*b)(c)` and `a (b);`: with a type `a` a declaration, else a call."""
        end = self.closers[at + 1]
        if self.texts[at + 2] != "*":
            behind = self.texts[end + 1]
            single = self.is_name(at + 2) and end == at + 3
            return single and behind in (";", "=", "[") and self.verdict(at) is True
        if not self.is_name(at + 3) or self.texts[end + 1] not in ("(", "["):
            return False
        verdict = self.verdict(at)
        if verdict is not None:
            return verdict
        self.guessed = at
        return self.lookup(self.texts[at + 3]) is None

    def macro_statement(self) -> bool:
        """Read a macro that is a statement without a semicolon, or begins one."""
        at = self.at
        if self.verdict(at) is True or self.lookup(self.texts[at]) is not None:
            return False
        if self.texts[at + 1] != "(":
            return self._bare_macro(at)
        end = self.closers[at + 1] + 1
        kind, text = self.kinds[end], self.texts[end]
        if text == "{" and self.takes_anything(self.texts[at]):
            self._macro(at)
            self.statement(inner=True)
            return True
        goes_on = kind in (NAME, END) or text == "}" or (kind == WORD and text != "sizeof")
        takes_statements = ";" in self.texts[at + 2 : end]
        if not goes_on or not (takes_statements or self.takes_anything(self.texts[at])):
            return False
        self._macro(at)
        return True

    def _bare_macro(self, at: int) -> bool:
        """Read `BEGIN` before the next statement."""
        kind, after = self.kinds[at + 1], self.texts[at + 1]
        if kind not in (NAME, WORD) and after not in ("{", "}"):
            return False
        if not self.macro_like(at):
            return False
        self.use(at, 0)
        self.at += 1
        return True
