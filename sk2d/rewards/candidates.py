"""What a reward judges, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Verdict(StrEnum):
    """What became of a candidate: a closed list."""

    OK = "ok"
    EMPTY = "empty"
    BAD_TEXT = "bad_text"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    DIRECTIVE = "directive"
    SYNTAX_ERROR = "syntax_error"
    NO_FUNCTION = "no_function"
    SEVERAL_FUNCTIONS = "several_functions"
    OTHER_ITEM = "other_item"
    EMPTY_BODY = "empty_body"
    NESTED_FUNCTION = "nested_function"
    ASSEMBLY = "assembly"
    ATTRIBUTE = "attribute"
    DEFINES_MAIN = "defines_main"
    STANDARD_NAME = "standard_name"
    NOT_COMPILING = "not_compiling"
    COMPILER_LIMIT = "compiler_limit"
    CONVERSION = "conversion"
    SIGNATURE = "signature"
    CANNOT_JUDGE = "cannot_judge"


@dataclass(frozen=True)
class Candidate:
    """A model's answer, and what it is judged by.

    Attributes:
        text: The answer; untrusted.
        reference: The true text.
        header: Declarations that let the reference compile; trusted. None has them inferred.
        func_name: Name of the function; None where it does not matter.
        ir: The IR that the answer names (Skin); None where the row has none.
        test: A test program with assertions in `main`; None where the row has none.
        deps: Declarations that the test's unit begins with.
    """

    text: str
    reference: str
    header: str | None = ""
    func_name: str | None = None
    ir: str | None = None
    test: str | None = None
    deps: str = ""


def candidate_from(text: str, row: Mapping[str, Any]) -> Candidate:
    """Put an answer together with the row that it is judged by.

    Args:
        text: The answer.
        row: The column `reference` and, where there are any, `header`, `func_name`, `ir`, `test`
            and `deps`.

    Returns:
        The candidate; its header is inferred where the row has none.
    """
    return Candidate(
        text=text,
        reference=row["reference"],
        header=row.get("header"),
        func_name=row.get("func_name") or None,
        ir=row.get("ir"),
        test=row.get("test"),
        deps=row.get("deps") or "",
    )


@dataclass(frozen=True)
class Score:
    """What a reward says about a candidate.

    Attributes:
        score: The reward; None when it cannot be judged, because the jail or an embedder failed.
        verdict: What became of it.
        parts: The parts that the reward is made of, by name.
        message: Why, for people.
        seconds: Wall time that judging it took.
    """

    score: float | None
    verdict: Verdict
    parts: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    seconds: float = 0.0


class Reward(Protocol):
    """One reward, whoever calls it: RL, verl, TRL or the shell."""

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        """Judge candidates.

        Args:
            candidates: Answers with their references.

        Returns:
            One score per candidate, in order.
        """

    def maximum(self, candidate: Candidate) -> float:
        """Give the most that an answer to a row can get.

        Args:
            candidate: The row.

        Returns:
            The score of a perfect answer.
        """
