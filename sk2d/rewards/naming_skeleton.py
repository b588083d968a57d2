"""What names a text says, and how far its structure is from its IR: for the strict naming reward.

A text's skeleton is its tokens with each name that it chooses itself replaced by the kind of the
name; which of the names are one another is kept beside.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from sk2d.c.names import Names, resolve
from sk2d.c.parse import Edit, apply_edits, decode, parse
from sk2d.c.rename import obfuscate
from sk2d.c.tokens import significant, string_literals, tokenize

PLACEHOLDER: Final = re.compile(r"\b(func|type|var|field)[1-9][0-9]*\b")
_BLANK_LITERAL: Final = {"string": '""', "char": "' '"}


class Skeleton(NamedTuple):
    """A function without its names.

    Attributes:
        words: Its tokens; a chosen name as its kind.
        names: Beside each token its placeholder; empty for a token that is no chosen name.
    """

    words: tuple[str, ...]
    names: tuple[str, ...]


def skeleton(code: str) -> Skeleton:
    """Take the names out of a function.

    Args:
        code: C text that defines one function, with names or placeholders.

    Returns:
        Its skeleton; names of the C library stay.

    Raises:
        SourceError: The text cannot be worked on.
    """  # noqa: DOC502
    ir, mapping = obfuscate(code)
    words = significant(ir)
    names = tuple(word if word in mapping else "" for word in words)
    kinds = (PLACEHOLDER.sub(r"\1", word) if _is_open(word, mapping) else word for word in words)
    return Skeleton(tuple(kinds), names)


def _is_open(word: str, mapping: dict[str, str]) -> bool:
    """Tell whether a token holds names: it is one, or a directive."""
    return word in mapping or word.startswith("#")


def distance(one: Skeleton, other: Skeleton) -> int:
    """Count what tells two skeletons apart.

    The sum of the Levenshtein distance of their tokens and of the names that, where the tokens
    agree, contradict the one-to-one mapping of names that most places follow (chosen greedily). So
    a declaration too many costs its own tokens, and two variables that are swapped cost the places
    where they stand.

    Args:
        one: A skeleton.
        other: Another.

    Returns:
        The number of tokens; 0 for texts that are equal but for names and layout.
    """
    edits, pairs = 0, Counter[tuple[str, str]]()
    for step in Levenshtein.opcodes(one.words, other.words):
        if step.tag != "equal":
            edits += max(step.src_end - step.src_start, step.dest_end - step.dest_start)
            continue
        left = one.names[step.src_start : step.src_end]
        right = other.names[step.dest_start : step.dest_end]
        pairs.update(pair for pair in zip(left, right, strict=True) if pair[0])
    return edits + _contradictions(pairs)


def _contradictions(pairs: Counter[tuple[str, str]]) -> int:
    left: set[str] = set()
    right: set[str] = set()
    agreed = 0
    for (one, other), count in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        if one not in left and other not in right:
            left.add(one)
            right.add(other)
            agreed += count
    return pairs.total() - agreed


def nearness(text: str, reference: str, ir: str, bound: float) -> float:
    """Say whether a text keeps to its IR as well as its reference does.

    With d the distance of skeletons and n the tokens of the reference, it is
    `1 - excess / (bound * n)`, but not below 0, where
    `excess = (d(text, ir) + d(text, reference) - d(reference, ir)) / 2`.

    By the triangle inequality the excess is at least `d(text, ir) - d(reference, ir)`, what the
    text is farther from the IR than its reference. It also is 0 only for texts that lie between the
    two: where IR and reference are far apart, a text that is like neither is not let through. The
    IR with good names and the reference both have 0, and k tokens too many cost k at most.

    Args:
        text: C text that defines one function; untrusted.
        reference: The source.
        ir: The IR that both name.
        bound: Share of the reference's tokens that a text is off by to be worth nothing.

    Returns:
        1 for a text in the structure of the IR or of the reference, down to 0.

    Raises:
        SourceError: A text cannot be worked on.
    """  # noqa: DOC502
    found, wanted = skeleton(text), _known(reference)
    off = distance(found, _known(ir)) + distance(found, wanted) - _own_distance(reference, ir)
    return max(0.0, 1 - max(0, off) / (2 * bound * len(wanted.words)))


_known = functools.lru_cache(maxsize=512)(skeleton)  # many answers share a reference


@functools.lru_cache(maxsize=4096)
def _own_distance(reference: str, ir: str) -> int:
    return distance(_known(reference), _known(ir))


def named(text: str, reference: str, ir: str) -> float:
    """Say how many of the IR's placeholders a text names.

    Args:
        text: C text; untrusted.
        reference: The source; what it calls by a placeholder itself does not count.
        ir: The IR.

    Returns:
        The share, in [0, 1]; 1 where there is nothing to name.
    """
    asked = _placeholders(ir) - _placeholders(reference)
    return 1 - len(asked & _placeholders(text)) / len(asked) if asked else 1.0


def _placeholders(code: str) -> set[str]:
    return {word for word in significant(code) if PLACEHOLDER.fullmatch(word)}


def telling_text(code: str, reference: str, ir: str) -> str:
    """Leave in a text only the names that it uses for something.

    Comments go; so do literals that stand neither in the IR nor in the reference, and names that
    are declared in the body and never used.

    Args:
        code: C text that defines one function; untrusted.
        reference: The source.
        ir: The IR.

    Returns:
        The text that is embedded.

    Raises:
        SourceError: The text cannot be worked on.
    """  # noqa: DOC502
    tree = parse(code)
    names = resolve(tree)
    edits = [Edit(start, end, b" ") for start, end in names.comments]
    edits += [Edit(start, end, b"_") for start, end in _unused(names)]
    text = decode(apply_edits(tree.source, sorted(edits, key=lambda edit: edit.start)))
    known = {*string_literals(reference), *string_literals(ir)}
    return "".join(
        token.text if token.text in known else _BLANK_LITERAL.get(token.kind, token.text)
        for token in tokenize(text)
    ).strip()


def _unused(names: Names) -> list[tuple[int, int]]:
    """Find names that stand once, as their declaration in a body."""
    uses = Counter(occurrence.symbol for occurrence in names.occurrences)
    return [
        (o.start, o.end)
        for o in names.occurrences
        if uses[o.symbol] == 1
        and names.symbols[o.symbol].declared
        and any(f.body_start < o.start < f.end for f in names.functions)
    ]
