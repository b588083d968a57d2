"""Named filters: whole rows that are left out though nothing is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sk2d.errors import Reason

if TYPE_CHECKING:
    from sk2d.corpus.preprocess.settings import Settings


@dataclass(frozen=True)
class Texts:
    """What a filter may look at.

    Args:
        name: Name of the function in the source.
        pseudo: Formatted pseudo-code.
        ir: Formatted IR.
    """

    name: str
    pseudo: str
    ir: str


@dataclass(frozen=True)
class Filter:
    """A rule of one line.

    Args:
        reason: What its rows are counted under.
        rule: The rule in words.
        refuses: The rule.
    """

    reason: Reason
    rule: str
    refuses: Callable[[Texts, Settings], bool]


def body_lines(code: str) -> int:
    """Count the lines of a formatted function that say something.

    A line counts from three characters on, behind the brace that opens the body; this is how
    upstream counts (its `format.py`, "3 < lines < 300").

    Args:
        code: A formatted function.

    Returns:
        The number of such lines.
    """
    body = code.partition("{")[2]
    return sum(len(line.strip()) >= 3 for line in body.split("\n"))


def _few(texts: Texts, settings: Settings) -> bool:
    return min(body_lines(texts.pseudo), body_lines(texts.ir)) < settings.min_lines


def _many(texts: Texts, settings: Settings) -> bool:
    return max(body_lines(texts.pseudo), body_lines(texts.ir)) > settings.max_lines


def _main(texts: Texts, settings: Settings) -> bool:
    return texts.name == "main"


FILTERS: Final[Mapping[str, Filter]] = {
    "few_lines": Filter(
        Reason.TOO_FEW_LINES, "pseudo-code or IR has a body of less than --min_lines lines", _few
    ),
    "many_lines": Filter(
        Reason.TOO_MANY_LINES, "pseudo-code or IR has a body of more than --max_lines lines", _many
    ),
    "main": Filter(Reason.IS_MAIN, "the function is called main (off by default)", _main),
}
