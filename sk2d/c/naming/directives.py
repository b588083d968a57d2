"""Names in preprocessor lines, and in branches of `#if` that could not be read as C."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sk2d.c.naming.ledger import (
    CALLED,
    FILE_SCOPE,
    GUESSED_TYPE,
    Entry,
    Ledger,
    unite,
)
from sk2d.c.naming.lexemes import Directive, Lexemes
from sk2d.c.naming.words import RESERVED
from sk2d.c.tokens import tokenize

_DEFINE: Final = re.compile(r"#(?:\s|\\\n)*define(?:\s|\\\n)+([^\W\d][\w$]*)(\(?)")
_CONDITIONS: Final = frozenset(["if", "elif", "ifdef", "ifndef", "undef"])
_PREPROCESSOR_WORDS: Final = frozenset(
    ["defined", "__has_include", "__has_attribute", "__has_builtin", "__VA_ARGS__", "__VA_OPT__"]
)


class Word(NamedTuple):
    """A token of a preprocessor line or of a branch that is not read."""

    text: str
    start: int
    is_name: bool


def define_macros(lexemes: Lexemes, ledger: Ledger) -> None:
    """Note the macros that the text defines, before it is read.

    Args:
        lexemes: The tokens.
        ledger: Where they are noted.
    """
    for directive in lexemes.directives:
        match = _DEFINE.match(directive.text)
        if match is not None and match[1] not in RESERVED:
            entry = ledger.unexplained("ordinary", match[1])
            entry.declared = True
            entry.macro = "function" if match[2] or entry.macro == "function" else "object"


class Remaining:
    """Finds what names stand for outside the text that was read as C.

    Args:
        lexemes: The tokens.
        ledger: What was read.
    """

    def __init__(self, lexemes: Lexemes, ledger: Ledger) -> None:
        self.lexemes = lexemes
        self.ledger = ledger
        self.found: list[tuple[int, Entry]] = []
        self.visible: dict[str, list[Entry]] = {}
        self.sites: dict[str, list[int]] = {}
        for entry in ledger.declared.values():
            if entry.namespace == "ordinary":
                self.visible.setdefault(entry.name, []).append(entry)
        for token, entry in ledger.uses.items():
            if entry.macro:
                self.sites.setdefault(entry.name, []).append(token)

    def notes(self) -> list[tuple[int, Entry]]:
        """Go through all that was not read.

        Returns:
            Where a name begins in the text, and what it stands for.
        """
        self._unread_tokens()
        for directive in self.lexemes.directives:
            if directive.word == "define":
                self._definition(directive)
            elif directive.word in _CONDITIONS:
                self._condition(directive)
            elif directive.word == "pragma":
                self._pragma(directive)
        return self.found

    def _unread_tokens(self) -> None:
        lexemes, uses = self.lexemes, self.ledger.uses
        if len(lexemes.directives) == 0:
            return
        words = [
            Word(text, start, kind == "name")
            for text, start, kind in zip(lexemes.texts, lexemes.starts, lexemes.kinds, strict=True)
        ]
        for place, word in enumerate(words):
            if word.is_name and place not in uses and not self._is_attribute(place):
                self._neighbours(words, place, [place])

    def _is_attribute(self, place: int) -> bool:
        """Tell whether a token belongs to `__attribute__((...))` or to the operands of `asm`."""
        return any(start <= place < end for start, end in self.ledger.kept)

    def _definition(self, directive: Directive) -> None:
        match = _DEFINE.match(directive.text)
        if match is None or match[1] in RESERVED:
            return
        name = match[1]
        self.found.append((directive.start + match.start(1), self._free(name)))
        words = list(_words(directive, match.end(1)))
        parameters: dict[str, Entry] = {}
        body = 0
        if match[2]:
            body = self._parameters(words, parameters, directive)
        sites = self.sites.get(name) or [directive.token]
        for place in range(body, len(words)):
            word = words[place]
            if word.is_name and word.text in parameters:
                self.found.append((word.start, parameters[word.text]))
            elif word.is_name and not _is_pasted(words, place):
                self._neighbours(words, place, sites)

    def _parameters(
        self, words: list[Word], parameters: dict[str, Entry], directive: Directive
    ) -> int:
        for place, word in enumerate(words):
            if word.text == ")":
                return place + 1
            if word.is_name:
                scope = -2 - directive.start
                entry = Entry(word.text, "var", "ordinary", True, True, scope, directive.token)
                parameters[word.text] = entry
                self.found.append((word.start, entry))
        return len(words)

    def _condition(self, directive: Directive) -> None:
        for word in _words(directive, directive.text.index(directive.word) + len(directive.word)):
            if word.is_name:
                entry = self.ledger.free.get(("ordinary", word.text))
                self.found.append((word.start, entry or self._free(word.text)))

    def _pragma(self, directive: Directive) -> None:
        """Note the declared variables that `#pragma omp` and the like name."""
        for word in _words(directive, 1):
            entry = self._seen(word.text, directive.token) if word.is_name else None
            if entry is not None and entry.kind != "type":
                self.found.append((word.start, entry))

    def _neighbours(self, words: list[Word], place: int, sites: Iterable[int]) -> None:
        """Note a name by what stands beside it and by what is seen where it is used."""
        word = words[place]
        before = words[place - 1].text if place else ""
        after = words[place + 1].text if place + 1 < len(words) else ""
        if before in (".", "->"):
            entry = self.ledger.unexplained("members", word.text)
        elif before in ("struct", "union", "enum"):
            entry = self.ledger.unexplained("tags", word.text)
        elif before == "goto":
            return
        else:
            entry = self._ordinary(word.text, sites)
            entry.roles |= CALLED if after == "(" else 0
            behind = words[place + 2].text if place + 2 < len(words) else ""
            if after == "*" and behind in (")", ","):
                entry.roles |= GUESSED_TYPE
        self.found.append((word.start, entry))

    def _ordinary(self, name: str, sites: Iterable[int]) -> Entry:
        macro = self.ledger.free.get(("ordinary", name))
        if macro is not None and macro.macro:
            return macro
        seen = [entry for site in sites if (entry := self._seen(name, site)) is not None]
        for other in seen[1:]:
            unite(seen[0], other)
        return seen[0] if seen else self._free(name)

    def _seen(self, name: str, token: int) -> Entry | None:
        """Find the innermost declaration of a name that is seen at a token."""
        seen = [
            entry
            for entry in self.visible.get(name, ())
            if entry.scope == FILE_SCOPE or entry.token <= token <= entry.until
        ]
        return max(seen, key=lambda e: (e.scope, e.token), default=None)

    def _free(self, name: str) -> Entry:
        return self.ledger.unexplained("ordinary", name)


def _is_pasted(words: list[Word], place: int) -> bool:
    """Tell whether a name is only a piece of one, beside `##`."""
    around = [words[i].text for i in (place - 1, place + 1) if 0 <= i < len(words)]
    return "##" in around


def _words(directive: Directive, begin: int) -> Iterator[Word]:
    """Cut a preprocessor line into tokens, without its `#` and word."""
    for token in tokenize(directive.text[begin:]):
        if token.blank or token.text == "\\":
            continue
        is_name = token.kind == "name" and token.text not in RESERVED | _PREPROCESSOR_WORDS
        yield Word(token.text, directive.start + begin + token.start, is_name)
