"""What is given to functions and macros; a macro may take a type, a member, or anything at all."""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.naming.cursor import PLACEHOLDER, WrongSyntaxError
from sk2d.c.naming.expressions import STARS, ExpressionReader
from sk2d.c.naming.ledger import GUESSED_VALUE, MEMBER, TYPE
from sk2d.c.naming.lexemes import END, NAME, WORD
from sk2d.c.naming.words import TYPE_STARTS, VA_ARG

_TAKES_MEMBER: Final = re.compile(r"contain|\w*_entry|\w*offset", re.IGNORECASE)
"""Macros whose last argument is a member: `container_of`, `list_entry`, `FIELD_OFFSET`."""

_REPEATS: Final = re.compile(r"for_?each|(?:^|_)(?:each|for|while|loop)(?:_|$)", re.IGNORECASE)
"""Macros that are loops, and so stand before a statement."""


class CallReader(ExpressionReader):
    """Reads the arguments of calls."""

    def declaration_in_argument(self) -> None:
        """Read a type, perhaps with a name, that is given to a macro."""
        raise NotImplementedError

    def special_call(self, name: str) -> None:
        """Read the arguments of `va_arg` or `offsetof`."""
        self.expect("(")
        if name in VA_ARG:
            self.assignment()
            self.expect(",")
            self.type_name()
        else:
            self.type_name()
            self.expect(",")
            self.member_path()
        self.expect(")")

    def member_path(self) -> None:
        """Read `a.b[1].c`, the members that `offsetof` names."""
        self.member(self.at)
        self.at += 1
        self.postfix()

    def arguments(self, name: str, may_be_macro: bool) -> None:
        """Read what is given to a function or macro.

        Args:
            name: The name that is called, or nothing.
            may_be_macro: Whether it may be a macro, which takes types and anything else.
        """
        opened = self.at
        self.at += 1
        number, typed = 0, False
        macro = name if may_be_macro else ""
        if self.accept(")"):
            return
        while True:
            number += 1
            if self._is_lone(self.at):
                typed |= self._lone_argument(macro, number > 2 or typed)
            elif self.text not in (",", ")"):
                typed |= self._argument(macro, opened)
            elif not self.takes_anything(macro):
                self.unexpected()
            if not self.accept(","):
                break
        self.expect(")")

    def _is_lone(self, at: int) -> bool:
        return self.kinds[at] == NAME and self.texts[at + 1] in (",", ")")

    def _lone_argument(self, macro: str, may_be_member: bool) -> bool:
        """Read an argument that is one name; tell whether it is a type."""
        at = self.at
        self.at += 1
        is_type = self.verdict(at) is True
        if is_type:
            self.use(at, TYPE)
        elif may_be_member and self.texts[at + 1] == ")" and _TAKES_MEMBER.match(macro):
            self.use(at, MEMBER)
        else:
            self.use(at, GUESSED_VALUE)
        return is_type

    def _argument(self, macro: str, opened: int) -> bool:
        """Read one argument and tell whether it is a type."""
        at = self.at
        before = (len(self.notes), len(self.scopes), self.nesting, self.function)
        try:
            is_type = self.is_type_argument()
            if is_type:
                self.declaration_in_argument()
            else:
                self.assignment()
            if self.text in (",", ")"):
                return is_type
        except WrongSyntaxError:
            if not self._may_be_anything(macro, opened):
                raise
        if not self._may_be_anything(macro, opened):
            self.unexpected()
        self.at = at
        del self.notes[before[0] :], self.scopes[before[1] :]
        self.nesting, self.function = before[2:]
        self._anything()
        return False

    def _may_be_anything(self, macro: str, opened: int) -> bool:
        """Tell whether a macro is called, by its name or by a `;` in its parentheses."""
        if self.takes_anything(macro):
            return True
        return bool(macro) and ";" in self.texts[opened : self.closers[opened]]

    def takes_anything(self, macro: str) -> bool:
        """Tell whether a name is that of a macro by its spelling or definition."""
        if macro.isupper() or _REPEATS.search(macro):
            return True
        entry = self.ledger.free.get(("ordinary", macro))
        if entry is not None and entry.macro:
            return True
        placeholder = PLACEHOLDER.fullmatch(macro)
        return placeholder is not None and placeholder[1] == "func"

    def is_type_argument(self) -> bool:
        """Tell whether a type stands here as an argument, alone in parentheses or among others."""
        at = self.at
        kind, text = self.kinds[at], self.texts[at]
        if kind == WORD:
            return text in TYPE_STARTS
        if kind != NAME:
            return False
        after = self.texts[at + 1]
        if after in STARS:
            end = at + 1
            while self.texts[end] in STARS:
                end += 1
            if self.texts[end] in (",", ")"):
                entry = self.lookup(text)
                return entry is None or entry.kind == "type"
            return self.verdict(at) is True and (self.is_name(end) or self.is_function_pointer(end))
        if after == "(":
            return self.verdict(at) is True and self.is_function_pointer(at + 1)
        return (after in (",", ")", "[") or self.is_name(at + 1)) and self.verdict(at) is True

    def _anything(self) -> None:
        """Go to the end of an argument that is no C by itself, noting names by their neighbours."""
        start = self.at
        while self.texts[self.at] not in (",", ")"):
            if self.kinds[self.at] == END:
                self.unexpected()
            self.at = self.closers.get(self.at, self.at) + 1
        self.neighbours(start, self.at)
