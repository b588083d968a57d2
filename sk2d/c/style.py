"""Layout of C functions by clang-format, many at a time, with the tokens unchanged.

The result for a function depends on that function alone: not on the others of the call, and not on
how busy the machine is. Where statements are very long or deep, line breaks inside of statements
stay where they are (see `STYLE_OF_LONG`). Each function has a bounded amount of CPU time, a batch
has less than that altogether, and the functions of a batch that fails are formatted one by one.
What clang-format is known to take ever so long for is refused beforehand.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sk2d.c.formatter import STYLE, STYLE_OF_LONG, Stopped, format_texts
from sk2d.c.tokens import Token, clean_source, significant, tokenize
from sk2d.errors import Reason, SourceError

CPU_SECONDS: Final = 3
"""CPU time for one function; 250 kB of ordinary code take one second."""

MAX_NESTING: Final = 600
"""Most brackets in each other; a tree of such code is too deep for every other step as well."""

MAX_WORK: Final = 1_000_000
"""Most bytes to lay out, all combinations of the branches of `#if` counted: about a second."""

_BATCH_CPU_SECONDS: Final = 1
_BATCH_FUNCTIONS: Final = 128
_BATCH_BYTES: Final = 65_536
_HARD_STATEMENT: Final = 1_000
_MOST_EFFORT: Final = 50_000
"""Tokens of a statement times the square of its nesting, summed over the hard statements: up to
here clang-format finds the best line breaks within 50 ms, five times as much takes it seconds."""


@dataclass(frozen=True)
class _Job:
    """A function on its way.

    Attributes:
        index: Its place in the call.
        meaning: Its tokens and comments.
        text: What clang-format gets.
        mark: What stands in it for the word that switches clang-format off.
        style: How it is laid out.
    """

    index: int
    meaning: list[str]
    text: bytes
    mark: str
    style: str

    def finish(self, formatted: bytes) -> str | SourceError:
        """Take the result, if its tokens are those of the text."""
        text = formatted.decode("utf-8", "surrogateescape").replace(self.mark, _SWITCH).strip()
        if _meaning(text) == self.meaning:
            return text
        return SourceError(Reason.FMT_CHANGED, "clang-format would have changed the tokens")


def format_functions(codes: Sequence[str]) -> list[str | None]:
    """Format C functions in Google style, without a change to their tokens.

    Args:
        codes: Texts of C functions.

    Returns:
        The formatted texts in order, without a final newline; None for what cannot be formatted.

    Raises:
        UserError: clang-format cannot be started.
    """  # noqa: DOC502
    done = format_with_reasons(codes)
    return [text if isinstance(text, str) else None for text in done]


def format_with_reasons(
    codes: Sequence[str], *, timeout: int = CPU_SECONDS
) -> list[str | SourceError]:
    """Format C functions in Google style, with a reason for each that cannot be formatted.

    Args:
        codes: Texts of C functions.
        timeout: CPU time for one function, in seconds.

    Returns:
        For each function in order its formatted text, or an error with the reason: `fmt_timeout`,
        `fmt_failed`, `fmt_changed_tokens`, `too_deep`, or one of `clean_source`.

    Raises:
        UserError: clang-format cannot be started.
    """  # noqa: DOC502
    done: dict[int, str | SourceError] = {}
    jobs: list[_Job] = []
    for index, code in enumerate(codes):
        try:
            jobs.append(_prepare(index, code))
        except SourceError as error:
            done[index] = error
    for style in (STYLE, STYLE_OF_LONG):
        for batch in _batches([job for job in jobs if job.style == style]):
            done |= _format_batch(batch, timeout)
    return [done[index] for index in range(len(codes))]


def _format_batch(batch: list[_Job], timeout: int) -> dict[int, str | SourceError]:
    """Format functions together, or one by one where together they fail."""
    seconds = timeout if len(batch) == 1 else min(timeout, _BATCH_CPU_SECONDS)
    result = format_texts([job.text for job in batch], seconds, batch[0].style)
    if not isinstance(result, Stopped):
        return {job.index: job.finish(text) for job, text in zip(batch, result, strict=True)}
    if len(batch) > 1:
        alone = [_format_batch([job], timeout) for job in batch]
        return {index: text for one in alone for index, text in one.items()}
    reason = Reason.FMT_TIMEOUT if result.why == "limit" else Reason.FMT_FAILED
    return {batch[0].index: SourceError(reason, result.what)}


def _batches(jobs: list[_Job]) -> Iterator[list[_Job]]:
    """Cut the functions into batches that stay far below the CPU time of a batch."""
    batch: list[_Job] = []
    size = 0
    for job in jobs:
        if batch and (len(batch) == _BATCH_FUNCTIONS or size + len(job.text) > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(job)
        size += len(job.text)
    if batch:
        yield batch


def _prepare(index: int, code: str) -> _Job:
    """Make a function ready, or refuse it by a `SourceError`."""
    text = clean_source(code).strip()
    words = _meaning(text)
    _check_nesting(words)
    if "#" in text:
        _check_work(text)
    shown, mark = _without_switches(text) if _SWITCH in text else (text, _SWITCH)
    style = STYLE_OF_LONG if _effort(words) > _MOST_EFFORT else STYLE
    return _Job(index, words, shown.encode("utf-8", "surrogateescape"), mark, style)


def _effort(words: list[str]) -> int:
    """Foresee how long clang-format searches for line breaks."""
    effort = tokens = depth = deepest = 0
    for word in (*words, ";"):
        if word in (";", "{", "}"):
            hard = tokens * max(1, deepest) ** 2
            effort += hard if hard > _HARD_STATEMENT else 0
            tokens = depth = deepest = 0
            continue
        tokens += 1
        if word in ("(", "["):
            depth += 1
            deepest = max(deepest, depth)
        elif word in (")", "]"):
            depth -= 1
    return effort


def _check_nesting(words: list[str]) -> None:
    depth = 0
    for word in words:
        if word in ("(", "[", "{"):
            depth += 1
            if depth > MAX_NESTING:
                raise SourceError(
                    Reason.TOO_DEEP, f"more than {MAX_NESTING} brackets are open at a time"
                )
        elif word in (")", "]", "}"):
            depth = max(0, depth - 1)


def _check_work(text: str) -> None:
    """Refuse text that holds too many branches of `#if`.

    clang-format lays a text out once for each combination of branches, where the levels of nesting
    multiply and the conditionals of a level go together: llvm/llvm-project issue 53888.
    """
    branches: list[int] = []
    open_now: list[int] = []
    for word in (_directive(part.text) for part in tokenize(text) if part.kind == "directive"):
        if word.startswith("if"):
            open_now.append(1)
            branches += [1] * (len(open_now) - len(branches))
        elif word.startswith("el") and open_now:
            open_now[-1] += 1
            branches[len(open_now) - 1] = max(branches[len(open_now) - 1], open_now[-1])
        elif word == "endif" and open_now:
            open_now.pop()
    work = len(text)
    for count in branches:
        work *= count
        if work > MAX_WORK:
            raise SourceError(
                Reason.FMT_TIMEOUT, "the branches of #if make too many versions of the text"
            )


def _directive(text: str) -> str:
    """Give the word of a directive, such as `define`."""
    return next((part.text for part in tokenize(f"0 {text[1:]}") if part.kind == "name"), "")


_SWITCH: Final = "clang-format"


def _without_switches(text: str) -> tuple[str, str]:
    """Hide comments such as `clang-format off`, which would keep text from being formatted."""
    places = ("comment", "directive")
    stand_ins = (f"clang{letter}format" for letter in string.ascii_letters)
    mark = next((word for word in stand_ins if word not in text), None)
    if mark is None:
        raise SourceError(Reason.FMT_FAILED, "comments that switch clang-format off and on")
    parts = tokenize(text)
    hidden = (p.text.replace(_SWITCH, mark) if p.kind in places else p.text for p in parts)
    return "".join(hidden), mark


def _meaning(text: str) -> list[str]:
    r"""Give what formatting must not change: the tokens and the words of the comments.

    A `\` at a line's end is layout, and so is white space in a directive.
    """
    if not any(sign in text for sign in ("#", "//", "/*", "\\\n")):
        return significant(text)
    words: list[str] = []
    for token in tokenize(text):
        if token.kind == "directive":
            inside = tokenize(f"0 {token.text[1:]}".replace("\\\n", " "))
            words += ["#", *(_words(part) for part in inside if part.kind != "space")]
        elif token.kind != "space":
            words.append(_words(token))
        elif token.text[0] == "\n" and words and words[-1] == "\\":
            words.pop()
    return words


def _words(token: Token) -> str:
    """Give the text of a token, a comment without its white space."""
    return "".join(token.text.split()) if token.kind in ("comment", "directive") else token.text
