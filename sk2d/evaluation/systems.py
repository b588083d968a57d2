"""What is compared: systems, each with an answer to every function of a set, or the reason why not.

Some stand in every table: what must pass, what must not, and what a decompiler gives without a
model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from sk2d.c import normalize
from sk2d.errors import SourceError
from sk2d.evaluation.sets import PSEUDO_COLUMNS, EvaluationSet, Function
from sk2d.evaluation.stubs import stub


class Kind(StrEnum):
    """What a system is there for."""

    CHECK = "check"
    NO_MODEL = "no model"
    PREDICTIONS = "predictions"
    MODELS = "models"


@dataclass(frozen=True)
class Answer:
    """What a system makes of a function.

    Attributes:
        code: C text; untrusted.
        pseudo: Whether it is a decompiler's text, before which the shim stands.
        ir: What the Skeleton model made of it, where that is known.
        before: What stands before it when it is compiled, and is no part of it.
    """

    code: str
    pseudo: bool = False
    ir: str | None = None
    before: str = ""


@dataclass(frozen=True)
class System:
    """A system and its answers.

    Attributes:
        name: What reports call it.
        kind: What it is there for.
        about: What it is, in a sentence.
        answers: Answers by id.
        failures: Why there is no answer, by id, where that is known.
    """

    name: str
    kind: Kind
    about: str
    answers: Mapping[str, Answer]
    failures: Mapping[str, str] = field(default_factory=dict)


REFERENCE: Final = "reference"
STUB: Final = "stub"
EXIT: Final = "exit(0)"
_STORED: Final = "the set's column {}, normalised, with the shim; no recovery step"


def checks(functions: EvaluationSet) -> list[System]:
    """Give the systems by which a set and its compiler are judged.

    Args:
        functions: The set.

    Returns:
        The references; where there are tests, functions that do nothing and such that call exit(0).
    """
    found = [
        _system(REFERENCE, Kind.CHECK, "the source", functions.functions, _reference),
    ]
    tested = [function for function in functions.functions if function.test is not None]
    if tested:
        found.append(_system(STUB, Kind.CHECK, "a function that does nothing", tested, _stub))
        found.append(_system(EXIT, Kind.CHECK, "a function that calls exit(0)", tested, _exit))
    return found


def _reference(function: Function) -> Answer:
    return Answer(function.code, before=function.before)


def _stub(function: Function) -> Answer:
    return Answer(stub(function.reference, function.func_name))


def _exit(function: Function) -> Answer:
    return Answer(stub(function.reference, function.func_name, leaves=True))


def stored(functions: EvaluationSet) -> list[System]:
    """Give the pseudo-code that stands in the set, one system for each column.

    Args:
        functions: The set.

    Returns:
        The systems; none where the set has no pseudo-code.
    """
    columns = [
        column
        for column in PSEUDO_COLUMNS
        if any(column in function.pseudo for function in functions.functions)
    ]
    if "pseudo_norm" in columns and "pseudo" in columns:
        columns.remove("pseudo")  # normalised it is the same text
    return [_stored(functions, column) for column in columns]


def _stored(functions: EvaluationSet, column: str) -> System:
    def answer(function: Function) -> Answer:
        return Answer(normalize(function.pseudo[column], PSEUDO_COLUMNS[column]), pseudo=True)

    have = [function for function in functions.functions if column in function.pseudo]
    return _system(stored_name(column), Kind.NO_MODEL, _STORED.format(column), have, answer)


def stored_name(column: str) -> str:
    """Give the name under which reports show a column of pseudo-code."""
    return f"{column.removesuffix('_pseudo')} (stored)"


def _system(
    name: str,
    kind: Kind,
    about: str,
    functions: Iterable[Function],
    answer: Callable[[Function], Answer],
) -> System:
    answers: dict[str, Answer] = {}
    failures: dict[str, str] = {}
    for function in functions:
        try:
            answers[function.id] = answer(function)
        except SourceError as error:
            failures[function.id] = str(error)
    return System(name, kind, about, answers, failures)
