"""Source text as words: the significant tokens, each with the white space before it.

A rule of normalisation looks at a word and its neighbours, and rewrites or removes words; comments
are gone before the first rule sees the text.
"""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.tokens import Kind, tokenize

_TRAILING: Final = re.compile(r"[ \t]+(?=\n)")
_HEX_AND_SIGN: Final = re.compile(r"(0[xX][0-9a-fA-F]*[eE])([+-])([0-9].*)")
_IN_DIRECTIVE: Final = re.compile(
    r"(?P<keep>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|/\*.*?(?:\*/|\Z)", re.DOTALL
)
OPENING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}


class Word:
    """A token that means something to the compiler.

    Args:
        text: Its text; a rule may put several tokens here.
        kind: What it is.
        space: White space before it.
        start: Index of its first character in the text that was cut, for messages.
    """

    __slots__ = ("kind", "space", "start", "text")

    def __init__(self, text: str, kind: Kind, space: str = "", start: int = 0) -> None:
        self.text = text
        self.kind = kind
        self.space = space
        self.start = start

    def __repr__(self) -> str:
        return f"{self.space!r}+{self.text!r}"

    @property
    def is_name(self) -> bool:
        """Whether it is an identifier or a keyword."""
        return self.kind == "name"


_CLOSE_UP: Final = frozenset((";", ",", ")", "]"))
REACH: Final = 600
"""How far a rule looks for a bracket, in words: so that time does not explode on any text."""

NEAR: Final = 50
"""How far a rule looks in what is always short, such as a name with its template arguments."""

NOTHING: Final = Word("", "op")
"""Stands before the first word and behind the last one."""


def words_of(code: str) -> list[Word]:
    """Cut text into words; each comment becomes one space.

    Args:
        code: Text from `clean_source`.

    Returns:
        Its words; the last one is empty and holds the white space at the end.
    """
    words: list[Word] = []
    space = ""
    for kind, text, start in tokenize(code):
        if kind == "space":
            if text[0] == "\n" and words and words[-1].text == "\\" and not space:
                space = words.pop().space
            space += text
        elif kind == "comment":
            space += " "
        else:
            words.append(Word(text, kind, space, start))
            space = ""
            if kind in ("number", "directive") and not text.isdigit():
                _mend(words)
    words.append(Word("", "space", space, len(code)))
    for word in words:
        if len(word.space) > 1:
            word.space = _TRAILING.sub("", word.space)
    return words


def _mend(words: list[Word]) -> None:
    """Part `0xE+1`, which C takes for one bad number; take the comments out of a directive."""
    last = words[-1]
    if last.kind == "directive":
        last.text = _IN_DIRECTIVE.sub(lambda match: match["keep"] or " ", last.text)
        return
    match = _HEX_AND_SIGN.match(last.text)
    if match:
        last.text = match[1]
        behind = last.start + len(match[1])
        words += [Word(match[2], "op", "", behind), Word(match[3], "number", "", behind + 1)]


def text_of(words: list[Word]) -> str:
    """Join words to text again.

    Args:
        words: The words.

    Returns:
        The text.
    """
    return "".join([part for word in words for part in (word.space, word.text)])


def word_at(words: list[Word], index: int) -> Word:
    """Give a word, or `NOTHING` outside the text.

    Args:
        words: The words.
        index: Where.

    Returns:
        The word.
    """
    return words[index] if 0 <= index < len(words) else NOTHING


def remove(words: list[Word], start: int, end: int) -> None:
    """Take words out; what is left does not grow together.

    Args:
        words: The words, changed in place.
        start: First word that goes.
        end: First word that stays.
    """
    before, behind = word_at(words, start - 1), word_at(words, end)
    spaces = [word.space for word in words[start : end + 1]]
    line_end = next((space for space in spaces if "\n" in space), None)
    if line_end is not None:
        behind.space = line_end
    elif behind.text in _CLOSE_UP and not behind.space:
        pass
    elif spaces[0] or _grows_together(before, behind):
        behind.space = spaces[0] or " "
    elif before.text in ("(", "*"):
        behind.space = ""
    elif not behind.space:
        behind.space = max(spaces)
    del words[start:end]


def _grows_together(before: Word, behind: Word) -> bool:
    wordlike = ("name", "number")
    return before.kind in wordlike and behind.kind in (*wordlike, "string", "char")


def closing(words: list[Word], opening: int, reach: int = REACH) -> int | None:
    """Find the bracket that closes another.

    Args:
        words: The words.
        opening: Where a `(`, `[`, `{` or `<` stands.
        reach: How far to look, in words.

    Returns:
        Where its partner stands, or None where there is none within reach.
    """
    opens, closes = words[opening].text, OPENING[words[opening].text]
    level = 0
    for index in range(opening, min(opening + reach, len(words))):
        if words[index].text == opens:
            level += 1
        elif words[index].text == closes:
            level -= 1
            if level == 0:
                return index
    return None


def opened_by(words: list[Word], closing_index: int) -> int | None:
    """Find the bracket that another closes.

    Args:
        words: The words.
        closing_index: Where a `)`, `]` or `}` stands.

    Returns:
        Where its partner stands, or None where there is none within reach.
    """
    closes = words[closing_index].text
    opens = next(key for key, value in OPENING.items() if value == closes)
    level = 0
    for index in range(closing_index, max(closing_index - REACH, -1), -1):
        if words[index].text == closes:
            level += 1
        elif words[index].text == opens:
            level -= 1
            if level == 0:
                return index
    return None
