"""Near duplicates among C functions: sets of token shingles, and sketches that estimate overlap.

The likeness of two texts is the Jaccard index of their shingle sets (Broder, "On the resemblance
and containment of documents", 1997). A sketch of fixed size estimates it: one permutation hashing
(Li, Owen, Zhang, NIPS 2012), whose empty bins are filled as in "Optimal Densification for Fast and
Accurate Minwise Hashing" (Shrivastava, ICML 2017), so that a text is hashed once and not once per
value of the sketch. Sketches that share a band are looked at together (locality-sensitive hashing,
Indyk and Motwani, 1998). All values are the same in every process and on every machine.
"""

from __future__ import annotations

import functools
import operator
import struct
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from typing import Final

from sk2d.c.tokens import significant

SHINGLE: Final = 5
"""Tokens in a shingle."""

VALUES: Final = 128
"""Values in a sketch; the standard error of an estimate is 0.03 at a likeness of 0.85."""

BANDS: Final = 16
"""Bands of a sketch: texts alike by 0.85 share one in 99 of 100 cases, by 0.5 in 6."""

THRESHOLD: Final = 0.85
"""Likeness from which on two functions are near duplicates."""

_BYTES: Final = 4 * VALUES
_NOTHING: Final = 0xFFFFFFFF


def shingles(code: str) -> frozenset[int]:
    """Give the hashes of all runs of five tokens of a text.

    White space and comments do not count. A text of fewer tokens is one shingle.

    Args:
        code: Any text.

    Returns:
        Their 64-bit hashes; empty for a text without tokens.
    """
    words = significant(code)
    if not words:
        return frozenset()
    runs = zip(*(words[at:] for at in range(SHINGLE)), strict=False)
    texts = [" ".join(run) for run in runs] if len(words) >= SHINGLE else [" ".join(words)]
    return frozenset(
        int.from_bytes(
            blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
        )
        for text in texts
    )


def sketch(found: AbstractSet[int]) -> bytes:
    """Make a sketch of a set of shingles.

    Args:
        found: What `shingles` gave.

    Returns:
        `VALUES` numbers of four bytes; two empty sets have equal sketches.
    """
    values = [_NOTHING] * VALUES
    for number in found:
        at, value = number % VALUES, number >> 33  # 31 bits, so never `_NOTHING`
        if value < values[at]:
            values[at] = value
    if found:
        full = [value != _NOTHING for value in values]
        values = [values[_donor(at, full)] for at in range(VALUES)]
    return struct.pack(f"<{VALUES}I", *values)


def estimate(one: bytes, other: bytes) -> float:
    """Estimate the likeness of two texts from their sketches.

    Args:
        one: A sketch.
        other: Another sketch.

    Returns:
        The share of equal values, from 0 to 1.
    """
    assert len(one) == len(other) == _BYTES, "no sketch"
    same: int = sum(map(operator.eq, memoryview(one).cast("I"), memoryview(other).cast("I")))
    return same / VALUES


def jaccard(one: AbstractSet[int], other: AbstractSet[int]) -> float:
    """Give the exact likeness of two texts.

    Args:
        one: Shingles of a text.
        other: Shingles of another.

    Returns:
        The share of common shingles among all; 1 for two empty sets.
    """
    common = len(one & other)
    return common / (len(one) + len(other) - common) if one or other else 1.0


def bands(sketched: bytes) -> list[bytes]:
    """Give the keys under which a text is found by those that are like it.

    Args:
        sketched: A sketch.

    Returns:
        `BANDS` keys of eight bytes, fit for an index in a database; a key names its band too.
    """
    assert len(sketched) == _BYTES, "no sketch"
    size = _BYTES // BANDS
    parts = (sketched[at : at + size] for at in range(0, _BYTES, size))
    return [
        blake2b(part, digest_size=8, salt=bytes([number])).digest()
        for number, part in enumerate(parts)
    ]


def _donor(empty: int, full: list[bool]) -> int:
    """Give the bin whose value an empty bin takes; a full one keeps its own."""
    if full[empty]:
        return empty
    attempt = 0
    while True:
        for at in _tries(empty, attempt):
            if full[at]:
                return at
        attempt += 1


@functools.cache
def _tries(empty: int, attempt: int) -> bytes:
    """Give bins in an order that is random but the same for every text."""
    assert VALUES <= 256, "a bin is a byte"
    seed = struct.pack("<HI", empty, attempt)
    return bytes(number % VALUES for number in blake2b(seed, digest_size=64).digest())
