"""How near a text is to its reference, letter by letter."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from sk2d.c.style import format_functions


def edit_similarity(candidate: str, reference: str) -> float:
    """Compare two texts as they stand.

    Args:
        candidate: A text.
        reference: The text that it should be.

    Returns:
        1 - Levenshtein distance / length of the longer text, in [0, 1], equal both ways round;
        1 for two empty texts.
    """
    return float(Levenshtein.normalized_similarity(candidate, reference))


def formatted(codes: list[str]) -> list[str]:
    """Bring code into one layout, so that it is not layout that is compared.

    Args:
        codes: C texts.

    Returns:
        Each in Google style; text that cannot be formatted stays as it is but for white space at
        its ends.

    Raises:
        UserError: clang-format cannot be started.
    """  # noqa: DOC502
    made = format_functions(codes)
    return [new if new is not None else old.strip() for new, old in zip(made, codes, strict=True)]
