"""What an answer's text alone shows: the first guard, before anything is parsed.

Refused is all that could make the text in the compiler another one than the text that was read
here: directives, line splices, digraphs and trigraphs of `#`, NUL bytes, open comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sk2d.c.parse import encode
from sk2d.c.tokens import Token, clean_source, tokenize
from sk2d.errors import Reason, SourceError
from sk2d.rewards.candidates import Verdict
from sk2d.sandbox.compiling import printable

MAX_BYTES: Final = 65_536

_STANDARD_INCLUDE: Final = re.compile(r"#\s*include\s*<([\w./]+)>\s*")
_ASSEMBLY: Final = frozenset(["asm", "__asm", "__asm__"])
_MACHINE: Final = frozenset(
    ["__builtin_frame_address", "__builtin_return_address", "__builtin_eh_return"]
    + ["__builtin_unwind_init", "__builtin_extract_return_addr", "__builtin_frob_return_addr"]
    + ["__builtin_apply_args", "__builtin_apply", "__builtin_return", "__builtin_dwarf_cfa"]
    + ["__builtin_stack_save", "__builtin_stack_restore", "__builtin_longjmp", "__builtin_setjmp"]
)
"""With these a function reaches the frames of its callers, a test's `main` among them."""
_SPLICE: Final = re.compile(r"\\[ \t\f\v]*(?:\r\n|\n|\r)|\\[ \t\f\v]*\Z")
_TRIGRAPH: Final = re.compile(r"\?\?[=/'()!<>-]")
_WORDS_OF_HEADERS: Final = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
wchar wctype alloca arpa/inet dirent dlfcn fcntl getopt glob grp libgen malloc memory netdb
netinet/in poll pthread pwd regex sched search semaphore strings sys/file sys/ioctl sys/mman
sys/resource sys/select sys/socket sys/stat sys/time sys/times sys/types sys/uio sys/un sys/utsname
sys/wait syslog termios unistd utime values
"""
_STANDARD_HEADERS: Final = frozenset(_WORDS_OF_HEADERS.split())
_ASIDE: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_ASIDE_SIGN: Final = re.compile(r"//|/\*")
_RAW: Final = re.compile(r"(?:u8|[uUL])?R")
"""Before a quote it begins a raw string, which ends elsewhere than any lexer of plain C thinks."""
_RAW_STRING: Final = re.compile(rf"\b{_RAW.pattern}\s*\"")
_SUSPECT: Final = re.compile(r"[#\\]|%\s*:|\?\s*\?|\[\s*\[|_Pragma|__pragma|asm|__builtin_")
"""In all that a token alone is refused for; a text without needs no look at its tokens."""
_BRACKET: Final = re.compile(r"[][(){}]")
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}
_BY_REASON: Final = {
    Reason.EMPTY: Verdict.EMPTY,
    Reason.TOO_LARGE: Verdict.TOO_LARGE,
    Reason.TOO_DEEP: Verdict.TOO_DEEP,
    Reason.SYNTAX_ERROR: Verdict.SYNTAX_ERROR,
}


class Refusal(NamedTuple):
    """Why an answer is not judged any further.

    Attributes:
        verdict: The kind.
        message: For people.
    """

    verdict: Verdict
    message: str


class RefusedError(Exception):
    """An answer that is refused.

    Args:
        verdict: The kind.
        message: For people.
    """

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(verdict, printable(message))


def refused_by(error: SourceError) -> RefusedError:
    """Make a refusal of what cannot be worked on.

    Args:
        error: Why.

    Returns:
        The refusal.
    """
    return RefusedError(_BY_REASON.get(error.reason, Verdict.BAD_TEXT), str(error))


def checked_text(code: str) -> str:
    """Refuse a text that the compiler could read otherwise, or that is none.

    Args:
        code: The answer; untrusted.

    Returns:
        The text without its standard includes.

    Raises:
        RefusedError: It is refused.
    """
    text = _whole_text(code)
    looked_at = _ASIDE_SIGN.search(text) or _RAW_STRING.search(text)
    harmless = not looked_at and not _SUSPECT.search(bare(text))
    kept = text if harmless else "".join(token.text for token in _checked_tokens(text))
    if not kept.strip():
        raise RefusedError(Verdict.EMPTY, "there is no code")
    return kept


def bare(text: str) -> str:
    """Blank out literals and comments.

    Args:
        text: C text that `checked_text` let pass, or one without comments.

    Returns:
        The rest, with a blank for each of them.
    """
    return _ASIDE.sub(" ", text)


def balanced(text: str) -> bool:
    """Tell whether each bracket has its own, as in all C but that with digraphs.

    Args:
        text: C text that `checked_text` let pass.

    Returns:
        Whether it can be C.
    """
    opened: list[str] = []
    for sign in _BRACKET.findall(bare(text)):
        if sign in _CLOSES:
            opened.append(sign)
        elif not opened or _CLOSES[opened.pop()] != sign:
            return False
    return not opened


def _whole_text(code: str) -> str:
    try:
        text = clean_source(code)
    except SourceError as error:
        raise refused_by(error) from error
    if len(encode(text)) > MAX_BYTES:
        raise RefusedError(Verdict.TOO_LARGE, f"more than {MAX_BYTES} bytes")
    if _SPLICE.search(text):
        raise RefusedError(Verdict.DIRECTIVE, "a line ends in a backslash")
    return text


def _checked_tokens(text: str) -> Iterator[Token]:
    """Give the tokens but those of standard includes; refuse what a token alone shows."""
    before = ""
    for token in tokenize(text):
        if token.kind == "directive":
            if not _is_standard_include(token.text):
                raise RefusedError(Verdict.DIRECTIVE, token.text[:80])
            continue
        if token.kind in ("string", "char"):
            if _RAW.fullmatch(before):
                raise RefusedError(Verdict.BAD_TEXT, "a raw string")
            yield token
            before = ""
            continue
        if token.kind == "comment" and not _is_closed(token.text):
            raise RefusedError(Verdict.BAD_TEXT, "a comment is not closed")
        _check_token(token, before)
        yield token
        before = before if token.blank else token.text


def _is_closed(comment: str) -> bool:
    return comment.startswith("//") or (len(comment) >= 4 and comment.endswith("*/"))


def _check_token(token: Token, before: str) -> None:
    text = token.text
    if token.kind == "comment":
        if _TRIGRAPH.search(text):
            raise RefusedError(Verdict.DIRECTIVE, "a trigraph")
        return
    if "#" in text or (before == "%" and text[0] == ":"):
        raise RefusedError(Verdict.DIRECTIVE, "the sign of a directive")
    if before == "?" and text == "?":
        raise RefusedError(Verdict.DIRECTIVE, "the beginning of a trigraph")
    if text == "_Pragma" or text == "__pragma":
        raise RefusedError(Verdict.DIRECTIVE, text)
    if text in _ASSEMBLY or text in _MACHINE:
        raise RefusedError(Verdict.ASSEMBLY, text)
    if text == "[" and before == "[":
        raise RefusedError(Verdict.ATTRIBUTE, "[[")
    if text == "\\":
        raise RefusedError(Verdict.BAD_TEXT, "a backslash outside literals")


def _is_standard_include(directive: str) -> bool:
    found = _STANDARD_INCLUDE.fullmatch(directive)
    return found is not None and found[1].removesuffix(".h") in _STANDARD_HEADERS
