"""A place in the tokens, and the scopes around it."""

from __future__ import annotations

import functools
import re
from typing import Final, NoReturn

from sk2d.c import libc
from sk2d.c.naming.ledger import CALLED, FILE_SCOPE, Entry, Kind, Ledger, Namespace
from sk2d.c.naming.lexemes import END, NAME, WORD
from sk2d.c.parse import MAX_DEPTH
from sk2d.errors import Reason, SourceError

PLACEHOLDER: Final = re.compile(r"(func|type|var|field)([1-9][0-9]*)")
"""A name as the IR has it."""

_CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}


class WrongSyntaxError(Exception):
    """The tokens are no C from here on; inside the reader only."""

    def __init__(self, what: str, token: int) -> None:
        self.what = what
        self.token = token
        super().__init__(what)


class Scope:
    """The names that a block, a prototype or the file declares."""

    __slots__ = ("end", "names", "start", "tags")

    def __init__(self, start: int) -> None:
        self.start = start
        self.names: dict[str, Entry] = {}
        self.tags: dict[str, Entry] = {}


class Knowledge:
    """What earlier passes over the text proved of undeclared names.

    Args:
        types: Names that are types.
        values: Names that are none.
        spelling: Whether a name that is spelled like a placeholder is taken for one.
    """

    def __init__(
        self,
        types: frozenset[str] = frozenset(),
        values: frozenset[str] = frozenset(),
        spelling: bool = True,
    ) -> None:
        self.types = types
        self.values = values
        self.spelling = spelling

    def verdict(self, name: str) -> bool | None:
        """Tell whether an undeclared name is a type; None if nothing is known of it."""
        if name in self.types:
            return True
        if name in self.values:
            return False
        placeholder = PLACEHOLDER.fullmatch(name) if self.spelling else None
        if placeholder is not None:
            return placeholder[1] == "type"
        return _standard_verdict(name)

    def is_field_placeholder(self, name: str) -> bool:
        """Tell whether a name is taken for the placeholder of a member."""
        placeholder = PLACEHOLDER.fullmatch(name) if self.spelling else None
        return placeholder is not None and placeholder[1] == "field"


@functools.lru_cache(maxsize=20_000)
def _standard_verdict(name: str) -> bool | None:
    kind = libc.kind_of(name)
    if kind == "type":
        return True
    return False if kind in ("func", "var", "constant") else None


class Cursor:
    """The tokens of one reading, and what is known of names at the place reached.

    Args:
        texts: Texts of all tokens.
        kinds: Their kinds.
        index: The tokens of this reading.
        ledger: Where entities are kept.
        knowledge: What is known of undeclared names.
    """

    def __init__(
        self,
        texts: list[str],
        kinds: list[str],
        index: list[int],
        ledger: Ledger,
        knowledge: Knowledge,
    ) -> None:
        last = index[-1] if index else 0
        whole = len(index) == len(texts)
        self.texts = [*(texts if whole else [texts[i] for i in index]), "", "", "", ""]
        self.kinds = [*(kinds if whole else [kinds[i] for i in index]), END, END, END, END]
        self.index = [*index, last, last, last, last]
        self.ledger = ledger
        self.knowledge = knowledge
        self.at = 0
        self.nesting = 0
        self.notes: list[tuple[int, Entry, int]] = []
        self.scopes = [Scope(FILE_SCOPE)]
        self.function = -1
        self.closers = self._match()

    def _match(self) -> dict[int, int]:
        """Find the bracket that closes each one that opens."""
        found: dict[int, int] = {}
        pending: list[int] = []
        kinds = self.kinds
        for place, text in enumerate(self.texts):
            if text in _CLOSERS and kinds[place] == "op":
                pending.append(place)
                if len(pending) > MAX_DEPTH:
                    raise SourceError(Reason.TOO_DEEP, f"over {MAX_DEPTH} brackets are open")
            elif text in (")", "]", "}"):
                if not pending or _CLOSERS[self.texts[pending[-1]]] != text:
                    raise WrongSyntaxError(f"{text!r} closes nothing", self.index[place])
                found[pending.pop()] = place
        if pending:
            text = self.texts[pending[-1]]
            raise WrongSyntaxError(f"{text!r} is not closed", self.index[pending[-1]])
        return found

    # The tokens.

    @property
    def text(self) -> str:
        """Text of the token here."""
        return self.texts[self.at]

    @property
    def kind(self) -> str:
        """Kind of the token here."""
        return self.kinds[self.at]

    def accept(self, text: str) -> bool:
        """Go on if this token stands here."""
        if self.texts[self.at] == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go on by this token, which has to stand here."""
        if self.texts[self.at] != text:
            self.wrong(f"expected {text!r} before {self.text or 'the end'!r}")
        self.at += 1

    def wrong(self, what: str) -> NoReturn:
        """Give up on this reading.

        Args:
            what: What is wrong with it.

        Raises:
            WrongSyntaxError: Always.
        """
        raise WrongSyntaxError(what, self.index[self.at])

    def unexpected(self) -> NoReturn:
        """Give up on this reading because of the token here."""
        self.wrong(f"unexpected {self.text or 'end'!r}")

    def is_name(self, place: int) -> bool:
        """Tell whether an identifier stands at a place."""
        return self.kinds[place] == NAME

    def is_word(self, place: int) -> bool:
        """Tell whether a keyword stands at a place."""
        return self.kinds[place] == WORD

    def deeper(self) -> None:
        """Note one more statement inside another; `self.nesting -= 1` takes it back.

        Raises:
            SourceError: `too_deep`.
        """
        self.nesting += 1
        if self.nesting > MAX_DEPTH:
            raise SourceError(Reason.TOO_DEEP, f"over {MAX_DEPTH} statements are nested")

    # The scopes.

    def open_scope(self) -> Scope:
        """Begin a scope here."""
        scope = Scope(self.index[self.at])
        self.scopes.append(scope)
        return scope

    def close_scope(self) -> Scope:
        """End the innermost scope here."""
        scope = self.scopes.pop()
        until = self.index[self.at]
        for entry in scope.names.values():
            if entry.scope == scope.start:
                entry.until = max(entry.until, until)
        return scope

    def lookup(self, name: str) -> Entry | None:
        """Find the declaration of a name that is seen here."""
        for scope in reversed(self.scopes):
            entry = scope.names.get(name)
            if entry is not None:
                return entry
        return None

    def meaning(self, place: int) -> Entry:
        """Give what the ordinary name at a place stands for."""
        name = self.texts[place]
        macro = self.ledger.free.get(("ordinary", name))
        if macro is not None and macro.macro:
            if macro.macro == "object" or self.texts[place + 1] == "(":
                return macro
        else:
            macro = None
        return self.lookup(name) or macro or self.ledger.unexplained("ordinary", name)

    def declare(
        self, place: int, kind: Kind, *, outer: bool = False, static: bool = False
    ) -> Entry:
        """Note that the name at a place is declared here.

        Args:
            place: Its place.
            kind: What it is declared as.
            outer: Whether it stands for the one of the whole program (`extern`).
            static: Whether it is declared `static`.

        Returns:
            The entity.
        """
        name = self.texts[place]
        token = self.index[place]
        macro = self.ledger.free.get(("ordinary", name))
        if macro is not None and macro.macro == "object":
            self.notes.append((token, macro, 0))
            return macro
        scope = self.scopes[-1]
        entry = scope.names.get(name)
        if entry is None and outer:
            entry = self.scopes[0].names.get(name)
        if entry is None:
            home = self.scopes[0] if outer else scope
            entry = self._declared(token, name, kind, "ordinary", home)
            entry.static = static
            home.names[name] = entry
        scope.names[name] = entry
        self.notes.append((token, entry, 0))
        return entry

    def _declared(
        self, token: int, name: str, kind: Kind, namespace: Namespace, scope: Scope
    ) -> Entry:
        entry = self.ledger.declared.get((token, namespace))
        if entry is None:
            local = scope.start != FILE_SCOPE
            entry = Entry(name, kind, namespace, True, local, scope.start, token)
            self.ledger.declared[token, namespace] = entry
        return entry

    def tag(self, place: int, declares: bool) -> Entry:
        """Note the tag of a struct, union or enum.

        Args:
            place: Its place.
            declares: Whether it is declared here and not only used.

        Returns:
            The entity.
        """
        name, token = self.texts[place], self.index[place]
        entry = None
        if declares:
            entry = self.scopes[-1].tags.get(name)
            if entry is None:
                entry = self._declared(token, name, "type", "tags", self.scopes[-1])
                self.scopes[-1].tags[name] = entry
        else:
            found = (scope.tags.get(name) for scope in reversed(self.scopes))
            entry = next((e for e in found if e is not None), None)
            entry = entry or self.ledger.unexplained("tags", name)
        self.notes.append((token, entry, 0))
        return entry

    def member(self, place: int, declares: bool = False) -> None:
        """Note the name of a member."""
        if not self.is_name(place):
            self.wrong(f"expected the name of a member before {self.texts[place]!r}")
        entry = self.ledger.unexplained("members", self.texts[place])
        entry.declared |= declares
        self.notes.append((self.index[place], entry, 0))

    def label(self, place: int, declares: bool = False) -> None:
        """Note a label; labels belong to the function around them."""
        name = self.texts[place]
        key = f"{self.function} {name}"
        entry = self.ledger.free.get(("labels", key))
        if entry is None:
            entry = Entry(name, "label", "labels", local=True, scope=self.function)
            self.ledger.free["labels", key] = entry
        entry.declared |= declares
        self.notes.append((self.index[place], entry, 0))

    def note(self, place: int, entry: Entry, roles: int) -> None:
        """Note that the name at a place stands for an entity."""
        self.notes.append((self.index[place], entry, roles))

    def use(self, place: int, roles: int) -> Entry:
        """Note a use of the ordinary name at a place."""
        entry = self.meaning(place)
        self.notes.append((self.index[place], entry, roles))
        return entry

    # What is known of names.

    def verdict(self, place: int) -> bool | None:
        """Tell whether the name at a place is a type; None if nothing is known."""
        entry = self.meaning(place)
        if entry.declared and not entry.macro:
            return entry.kind == "type"
        return self.knowledge.verdict(entry.name)

    def is_type(self, place: int) -> bool:
        """Tell whether an identifier that is known to be a type stands at a place."""
        return self.kinds[place] == NAME and self.verdict(place) is True

    # Names in text that is not read as C.

    def neighbours(self, start: int, end: int) -> None:
        """Note names by what stands beside them, in arguments of macros that are no C.

        Args:
            start: First place.
            end: Place behind the last one.
        """
        for place in range(start, end):
            if self.kinds[place] != NAME:
                continue
            before, after = self.texts[place - 1] if place else "", self.texts[place + 1]
            if before in (".", "->"):
                self.member(place)
            elif before in ("struct", "union", "enum"):
                self.tag(place, declares=False)
            elif before == "goto":
                self.label(place)
            else:
                self.use(place, CALLED if after == "(" else 0)
