"""R2I: how readable candidates for a function are beside one another (Eom et al., FSE 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sk2d.metrics.readability.features import features
from sk2d.metrics.readability.parsing import UnreadableError

GROWS = frozenset(
    ("ref_structured", "prop_branch_case", "prop_branch_ternary", "prop_loop_for")
    + ("prop_loop_while",)
)
"""Features of which more is better."""

_ONE = (
    *("ref_structured", "ref_direct", "operator", "comma", "goto", "label", "asm", "if_in_loop"),
    *("cast", "local", "token", "assignment", "loop_total", "loop_depth", "branch_total"),
    *("undefined", "invalid_funccall", "invalid_ir", "unimplemented", "unknown", "invalid_form"),
    *("unknown_op", "invalid_jump", "broken_dowhile"),
)
WEIGHTS: dict[str, Fraction] = dict.fromkeys(_ONE, Fraction(1)) | {
    "prop_branch_case": Fraction(1, 2),
    "prop_branch_if": Fraction(1, 3),
    "prop_branch_ternary": Fraction(1, 6),
    "prop_loop_for": Fraction(1, 2),
    "prop_loop_while": Fraction(1, 3),
    "prop_loop_dowhile": Fraction(1, 6),
    "strcmp_bare": Fraction(1, 3),
    "strcmp_not": Fraction(2, 3),
    "cond_depth": Fraction(4, 3),
    "if_depth": Fraction(2, 3),
    "lol": Fraction(4, 3),
    "loc": Fraction(2, 3),
}
"""In units of 1/31; the others are not scored."""


def r2i(candidates: Mapping[str, str], function: str) -> dict[str, float]:
    """Score candidates for a function beside one another.

    A score says nothing without the set that it was made in: another candidate changes it.

    Args:
        candidates: C text by name of the system; two or more.
        function: Name of the function in each.

    Returns:
        Score in [0, 1] by system, more is better; 0 for text that cannot be read, which takes no
        part in the comparison.

    Raises:
        ValueError: There is one candidate, or none.
    """
    if len(candidates) < 2:
        raise ValueError("R2I compares candidates: it needs two or more")
    counted: dict[str, dict[str, float]] = {}
    for name, code in candidates.items():
        try:
            counted[name] = features(code, function)
        except UnreadableError:
            continue
    return dict.fromkeys(candidates, 0.0) | relative_scores(counted)


def relative_scores(counted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Score features of candidates beside one another.

    Args:
        counted: Features by system.

    Returns:
        Score by system; 1 for all where nothing differs.
    """
    scores = dict.fromkeys(counted, 0.0)
    weights = 0.0
    for feature, exact in WEIGHTS.items():
        values = {name: each[feature] for name, each in counted.items()}
        least = min(values.values(), default=0.0)
        if least == max(values.values(), default=0.0):
            continue
        weight = float(exact)
        weights += weight
        for name, value in values.items():
            near = 1 / (1 + value - least)
            scores[name] += weight * (1 - near if feature in GROWS else near)
    if not weights:
        return dict.fromkeys(counted, 1.0)
    return {name: score / weights for name, score in scores.items()}
