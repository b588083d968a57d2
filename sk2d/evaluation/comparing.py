"""Is one system better than another, or was it luck? On the same functions, in pairs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same functions.

    Attributes:
        difference: Mean of the first less that of the second.
        low: Lower end of the interval of the difference.
        high: Upper end.
        wins: Functions on which the first is better.
        losses: Functions on which the second is better.
        p_value: Of the sign test: how likely at least so uneven a split is by chance.
    """

    difference: float
    low: float
    high: float
    wins: int
    losses: int
    p_value: float


def compare(first: Sequence[float], second: Sequence[float], seed: int = 42) -> Comparison:
    """Compare two systems.

    The interval is the percentile bootstrap over functions (Efron 1979), each function's
    difference drawn as one; the sign test is exact and two-sided.

    Args:
        first: A value per function.
        second: The same functions in the same order.
        seed: Seed of the bootstrap.

    Returns:
        What can be said of the difference.

    Raises:
        ValueError: The numbers of values differ, or there are none.
    """
    if len(first) != len(second) or not first:
        raise ValueError(f"{len(first)} and {len(second)} values are no pairs")
    differences = [one - other for one, other in zip(first, second, strict=True)]
    low, high = bootstrap(differences, seed)
    wins = sum(difference > 0 for difference in differences)
    losses = sum(difference < 0 for difference in differences)
    mean = sum(differences) / len(differences)
    return Comparison(mean, low, high, wins, losses, float(sign_test(wins, losses)))


def bootstrap(values: Sequence[float], seed: int = 42) -> tuple[float, float]:
    """Give the interval in which the mean lies, by resampling.

    Args:
        values: A value per function; at least one.
        seed: Seed.

    Returns:
        The ends of the 95 % interval.
    """
    draw = random.Random(seed)  # noqa: S311 no secret
    count = len(values)
    means = sorted(sum(draw.choices(values, k=count)) / count for _ in range(RESAMPLES))
    tail = round(RESAMPLES * (1 - LEVEL) / 2)
    return means[tail], means[-tail - 1]


def sign_test(wins: int, losses: int) -> Fraction:
    """Give the probability of so uneven a split, or a more uneven one, of a fair coin.

    Args:
        wins: Pairs that went one way.
        losses: Pairs that went the other; ties are in neither.

    Returns:
        The two-sided p-value; 1 for no pairs.
    """
    count = wins + losses
    tail = sum(comb(count, k) for k in range(min(wins, losses) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**count))
