"""pass@k: how likely one of k answers is right."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def pass_at_k(n: int, c: int, k: int) -> Fraction | None:
    """Estimate pass@k from n answers to a prompt, without bias and exactly.

    Args:
        n: Answers to the prompt.
        c: How many of them are right.
        k: How many answers one would look at.

    Returns:
        `1 - C(n - c, k) / C(n, k)` (Chen et al. 2021, equation 1); None where there are fewer than
        k answers, from which nothing can be said.

    Raises:
        ValueError: There are more right answers than answers, a number is negative, or k is 0.
    """
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} answers cannot be right")
    if k < 1:
        raise ValueError(f"k is {k}, and counts answers from 1")
    if k > n:
        return None
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def mean_pass_at_k(counts: list[tuple[int, int]], k: int) -> Fraction | None:
    """Average pass@k over prompts.

    Args:
        counts: Answers and right answers of each prompt.
        k: How many answers one would look at.

    Returns:
        The mean; None where a prompt has fewer than k answers, or there are no prompts.

    Raises:
        ValueError: As for `pass_at_k`.
    """  # noqa: DOC502
    each = [pass_at_k(n, c, k) for n, c in counts]
    known = [value for value in each if value is not None]
    return sum(known, Fraction(0)) / len(known) if known and len(known) == len(each) else None
