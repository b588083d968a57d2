"""How near the names of a candidate are to those of the source."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from sk2d.c import libc
from sk2d.c.names import resolve
from sk2d.c.parse import parse
from sk2d.errors import SourceError

KINDS: Final = ("func", "type", "var", "field")
"""Kinds of names, as `sk2d.c.names` calls them. Labels are left out."""

_WORDS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")

Embedder = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Gives a vector for each text."""


def sub_tokens(name: str) -> list[str]:
    """Cut a name into its words.

    Args:
        name: An identifier.

    Returns:
        Its words in lower case: `parseHTTPHeader2` and `parse_http_header_2` give the same.
    """
    return [word.lower() for word in _WORDS.findall(name)]


def names_by_kind(code: str, function: str | None = None) -> dict[str, set[str]]:
    """List the names that a text chooses itself.

    Args:
        code: C text.
        function: A name that does not count, such as that of the function in a test.

    Returns:
        Names by kind; those of the C library are left out.

    Raises:
        SourceError: The text cannot be worked on.
    """  # noqa: DOC502
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for symbol in resolve(parse(code)).symbols:
        chosen = symbol.declared or not libc.kind_of(symbol.name)
        if symbol.kind in found and symbol.name != function and chosen:
            found[symbol.kind].add(symbol.name)
    return found


def name_similarity(
    candidate: str, reference: str, function: str | None = None
) -> dict[str, float | None]:
    """Compare names by kind: F1 of their words, each word as often as names have it.

    Args:
        candidate: C text.
        reference: The source.
        function: A name that does not count.

    Returns:
        F1 in [0, 1] for each kind and for `all`; None where neither has names of the kind. A
        candidate that cannot be worked on has no names.

    Raises:
        SourceError: The reference cannot be worked on.
    """  # noqa: DOC502
    wanted = _words_by_kind(reference, function)
    try:
        found = _words_by_kind(candidate, function)
    except SourceError:
        found = {kind: Counter() for kind in wanted}
    return {kind: f1(found[kind], words) for kind, words in wanted.items()}


def name_cosine(
    candidate: str, reference: str, embed: Embedder, function: str | None = None
) -> float | None:
    """Compare names by their meaning: the cosine of the embeddings of all of them.

    Args:
        candidate: C text.
        reference: The source.
        embed: Gives a vector for each text.
        function: A name that does not count.

    Returns:
        The cosine, in [-1, 1]; 0 for a candidate without names, None where the source has none.

    Raises:
        SourceError: The reference cannot be worked on.
    """  # noqa: DOC502
    wanted = _all_words(reference, function)
    if not wanted:
        return None
    try:
        found = _all_words(candidate, function)
    except SourceError:
        found = ""
    if not found:
        return 0.0
    first, second = embed([found, wanted])
    length = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / length if length else 0.0


def _all_words(code: str, function: str | None) -> str:
    """Give the words of all names, each name once, in an order that only the names decide."""
    kinds = names_by_kind(code, function).values()
    names = sorted({name for names in kinds for name in names})
    return " ".join(word for name in names for word in sub_tokens(name))


def _words_by_kind(code: str, function: str | None) -> dict[str, Counter[str]]:
    words = {
        kind: Counter(word for name in names for word in sub_tokens(name))
        for kind, names in names_by_kind(code, function).items()
    }
    return words | {"all": sum(words.values(), Counter())}


def f1(found: Counter[str], wanted: Counter[str]) -> float | None:
    """Give the harmonic mean of precision and recall of a multiset.

    Args:
        found: What there is.
        wanted: What there should be.

    Returns:
        `2 |found & wanted| / (|found| + |wanted|)`; None for two empty ones.
    """
    both = found.total() + wanted.total()
    return 2 * (found & wanted).total() / both if both else None
