"""A binary, function by function, through all steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sk2d.c.faithfulness import differences
from sk2d.decompile.naming import NameBook, named
from sk2d.decompile.preparing import prepared
from sk2d.decompile.records import Decompiled
from sk2d.decompile.verdicts import judge
from sk2d.errors import SourceError
from sk2d.frontends.records import Frontend, PseudoFunction, Target

if TYPE_CHECKING:  # models need torch, which the base package does without
    from sk2d.decompile.loading import Phases

T = TypeVar("T")

WINDOW = 16
"""Functions that go through a step together; what is done is given on after each window."""

CUT = "{phase}: the answer was cut off at the longest that was allowed"
TOO_LONG = "{phase}: the text leaves no room for an answer in the model's context"


class Decompiler:
    """Front end, normalisation, Skeleton, Skin, names and verdicts.

    Args:
        frontend: The decompiler.
        phases: The models; None, or one that is left out, leaves the text as it is.
        tell: Called with the name of a step and the functions that have done it.
    """

    def __init__(
        self,
        frontend: Frontend,
        phases: Phases | None = None,
        tell: Callable[[str, int], None] = lambda step, count: None,
    ) -> None:
        self.frontend = frontend
        self.phases = phases
        self.tell = tell

    def run(
        self,
        binary: Path,
        targets: Sequence[Target],
        everything: Sequence[Target],
        done: Sequence[Decompiled] = (),
    ) -> Iterator[Decompiled]:
        """Decompile functions.

        Args:
            binary: The file.
            targets: Functions to decompile.
            everything: All functions of the file.
            done: Functions of an earlier run, whose names are kept.

        Yields:
            The functions as they are done: in their order without models, else callees first, so
            that a name is known before it is used.
        """
        book = NameBook(everything)
        for function in done:
            for name in function.names:
                book.name_of(name.pseudo, name.recovered)
        records = self.frontend.decompile(binary, targets)
        for window in windows(self._answered(records)):
            named_ones = [_named(book, function) for function in window]
            yield from judge(named_ones)
            self.tell("verdict", len(window))

    def _answered(self, records: Iterable[PseudoFunction]) -> Iterator[Decompiled]:
        """Give functions with their code, before names are settled."""
        if self.phases is None or not self.phases.models:
            yield from self._prepared(records)
            return
        kept = list(records)
        ready = {function.address: function for function in self._prepared(kept)}
        functions = [ready[address] for address in callees_first(kept)]
        if self.phases.in_turn:  # each model once over everything
            for phase in self.phases.models:
                functions = list(self._ask(phase, functions))
            yield from functions
            return
        for window in windows(functions):
            answered: Iterable[Decompiled] = window
            for phase in self.phases.models:
                answered = list(self._ask(phase, list(answered)))
            yield from answered

    def _prepared(self, records: Iterable[PseudoFunction]) -> Iterator[Decompiled]:
        for window in windows(records):
            yield from prepared(window)
            self.tell("pseudo", len(window))

    def _ask(self, phase: str, functions: Sequence[Decompiled]) -> Iterator[Decompiled]:
        """Let a model answer; a function without an answer keeps the text that it has."""
        assert self.phases is not None, "asked for only with models"
        asked = [function for function in functions if function.code]
        answers = self.phases.get(phase).answers([function.code for function in asked])
        for function in functions:
            if not function.code:
                yield function
                continue
            answer = next(answers)
            self.tell(phase, 1)
            if answer is None:
                yield _warned(function, TOO_LONG.format(phase=phase))
                continue
            ir = answer.text if phase == "skeleton" else function.ir
            made = dataclasses.replace(function, code=answer.text, ir=ir)
            yield made if answer.finished else _warned(made, CUT.format(phase=phase))


def windows(functions: Iterable[T]) -> Iterator[list[T]]:
    """Take functions together, as many as go through a step at a time.

    Args:
        functions: Functions or their records, as they come.

    Yields:
        At most `WINDOW` of them.
    """
    rest = iter(functions)
    while window := list(islice(rest, WINDOW)):
        yield window


def _warned(function: Decompiled, warning: str) -> Decompiled:
    return dataclasses.replace(function, warnings=(*function.warnings, warning))


def _named(book: NameBook, function: Decompiled) -> Decompiled:
    if not function.code:
        return function
    code, names, lost = named(book, function.pseudo_norm, function.ir, function.code)
    try:
        unlike = differences(function.pseudo_norm, code)
    except SourceError:
        unlike = []  # the normalised text is no C, which its verdict says
    warnings = (*function.warnings, *lost, *unlike)
    return dataclasses.replace(function, code=code, names=names, warnings=warnings)


def callees_first(records: Sequence[PseudoFunction]) -> list[int]:
    """Order functions so that those that are called come before those that call them.

    Args:
        records: Functions with the addresses that they call.

    Returns:
        Their addresses; in a circle of calls the one that comes first in the file waits.
    """
    calls = {record.address: record.calls for record in records}
    order: dict[int, None] = {}
    for start in calls:
        if start not in order:
            _visit(start, calls, order)
    return list(order)


def _visit(start: int, calls: dict[int, tuple[int, ...]], order: dict[int, None]) -> None:
    """Go down a tree of calls without recursion: binaries call deeper than Python does."""
    seen = {start}
    stack = [(start, iter(calls[start]))]
    while stack:
        address, rest = stack[-1]
        following = next((c for c in rest if c in calls and c not in order and c not in seen), None)
        if following is None:
            stack.pop()
            order[address] = None
        else:
            seen.add(following)
            stack.append((following, iter(calls[following])))
