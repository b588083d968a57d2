"""What pycparser, which reads C11, does not know: rewritten so that it counts as it reads."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from sk2d.c.inference.preprocessing import Lexeme

_DROPPED = frozenset(
    (
        *("__extension__", "__inline", "__inline__", "inline", "__restrict", "__restrict__"),
        *("__cdecl", "__fastcall", "__stdcall", "__thiscall", "__usercall", "__userpurge"),
        *("__pascal", "__noreturn", "__thread", "__volatile__", "__const", "__const__"),
        *("_Noreturn", "__signed__", "__complex__"),
    )
)
_DROPPED_WITH_ARGUMENTS = ("__attribute__", "__attribute", "__declspec", "_Alignas")
_ASM = ("asm", "__asm", "__asm__")
_TYPE_OF = ("typeof", "__typeof", "__typeof__", "typeof_unqual")
_TAKES_TYPE = ("va_arg", "__builtin_va_arg")
_OPEN, _CLOSE = "([{", ")]}"


def without_gnu(tokens: Sequence[Lexeme]) -> list[str]:
    """Write tokens as C11.

    Attributes and calling conventions are dropped, an asm statement becomes a call of `__asm`
    (which is how R2I counts it), `typeof` is int, `a ?: b` has a middle, a range of cases is its
    first, and the contents of strings do not matter.

    Args:
        tokens: Tokens of a text.

    Returns:
        Tokens for pycparser.
    """
    words = [_plain(token) for token in tokens if token.kind not in ("end", "directive")]
    return list(_rewritten(words))


def _plain(token: Lexeme) -> str:
    if token.kind == "string":
        return '""'
    return "'a'" if token.kind == "char" else token.text


def _rewritten(words: list[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
        if word in _DROPPED or (word in _DROPPED_WITH_ARGUMENTS and following != "("):
            at += 1
        elif word in _DROPPED_WITH_ARGUMENTS:
            at = _behind(words, at + 1)
        elif word in _ASM:
            yield from ("__asm", "(", ")")
            at = _behind_asm(words, at)
        elif word in _TYPE_OF and following == "(":
            yield "int"
            at = _behind(words, at + 1)
        elif word in _TAKES_TYPE and following == "(":
            end = _behind(words, at + 1)
            yield from _with_sized_type(words[at:end])
            at = end
        elif (made := _pair(word, following)) is not None:
            yield from made
            at += 2
        else:
            at = yield from _one(words, at)


def _pair(word: str, following: str) -> tuple[str, ...] | None:
    """Rewrite two tokens that C11 does not have beside one another."""
    if (word, following) == ("?", ":"):
        return "?", "0", ":"
    if (word, following) == (":", "}"):
        return ":", ";", "}"
    return ("goto",) if (word, following) == ("goto", "*") else None


def _one(words: list[str], at: int) -> Generator[str, None, int]:
    """Give a token, or leave out the end of a range; return where to go on."""
    if words[at] == "..." and at and words[at - 1] not in ("(", ","):
        return at + 2
    yield words[at]
    return at + 1


def _behind(words: Sequence[str], at: int) -> int:
    """Give the place behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] in _OPEN) - (words[place] in _CLOSE)
        if depth == 0:
            return place + 1
    return len(words)


def _behind_asm(words: Sequence[str], at: int) -> int:
    place = at + 1
    while place < len(words) and words[place] in ("volatile", "__volatile__", "goto", "inline"):
        place += 1
    opens = place < len(words) and words[place] in ("(", "{")
    return _behind(words, place) if opens else place


def _with_sized_type(call: Sequence[str]) -> Iterator[str]:
    """Write `va_arg(ap, T)` as `va_arg(ap, sizeof(T))`: an argument cannot be a type."""
    depth = 0
    for place, word in enumerate(call[:-1]):
        depth += (word in _OPEN) - (word in _CLOSE)
        yield word
        if word == "," and depth == 1:
            yield from ("sizeof", "(", *call[place + 1 : -1], ")")
            break
    yield call[-1]
