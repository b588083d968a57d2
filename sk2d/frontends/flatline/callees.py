"""What callers must know of the functions that they call: parameters and result.

The engine sees one function at a time. Without the prototype of a callee it guesses its arguments
from what the caller writes, and misses those that it only hands on. So callees are decompiled
first, and what their heads say is told to their callers. How far that goes does not depend on which
functions are asked for, so that each always has the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sk2d.frontends.flatline.pool import Question
from sk2d.frontends.records import Target

Answer = dict[str, Any]
Ask = Callable[[Sequence[Question]], Iterator[Answer]]

DEPTH: Final = 2
"""Callees of callees are known too: a function that only hands its arguments on needs them."""

WINDOW: Final = 256
"""Functions that are decompiled together, while those before are read."""

_HEAD: Final = re.compile(r"^([A-Za-z_][\w \*]*?[ \*])(\w+)\(([^()]*)\)\s*\{", re.MULTILINE)
_UNKNOWN_RESULT: Final = "extraout_"
_ANY_NUMBER: Final = re.compile(r"\bin_AL\b")
"""Functions like printf look there for the number of floating-point arguments."""


class Callees:
    """Decompiles functions of one file with what is known of their callees.

    Args:
        targets: Functions whose prototype is not known otherwise, by the addresses at which they
            are called: their own, and those of stubs that lead to them.
        results: Functions whose result a caller uses, with the engine's word for its type.
        ask: Decompiles.
    """

    def __init__(self, targets: Mapping[int, Target], results: Mapping[int, str], ask: Ask) -> None:
        self.targets = targets
        self.results = {
            targets[at].address if at in targets else at: kind for at, kind in results.items()
        }
        self.ask = ask
        self.known: list[dict[int, Answer]] = [{} for _ in range(DEPTH + 1)]

    def decompile(self, targets: Sequence[Target]) -> Iterator[Answer]:
        """Decompile functions.

        Args:
            targets: Functions.

        Yields:
            One answer each, in their order.
        """
        parts = [targets[start : start + WINDOW] for start in range(0, len(targets), WINDOW)]
        with ThreadPoolExecutor(1) as ahead:
            coming = [ahead.submit(self._learn, part, DEPTH) for part in parts]
            try:
                for part, done in zip(parts, coming, strict=True):
                    done.result()
                    yield from (self.known[DEPTH][target.address] for target in part)
            finally:
                ahead.shutdown(wait=True, cancel_futures=True)

    def _learn(self, targets: Sequence[Target], depth: int) -> None:
        """Decompile functions that are not known to a depth yet, their callees first."""
        known = self.known[depth]
        missing = [target for target in targets if target.address not in known]
        if depth == 0:
            known |= self._asked([self._question(target, {}) for target in missing])
            return
        if not missing:
            return
        self._learn(missing, 0)
        calls = {target.address: self._calls(target.address) for target in missing}
        wanted = {
            self.targets[at].address: self.targets[at] for some in calls.values() for at in some
        }
        self._learn(list(wanted.values()), depth - 1)
        told = [self._told(calls[target.address], depth - 1) for target in missing]
        for target in missing:
            known[target.address] = self.known[0][target.address]
        known |= self._better(
            [self._question(one, facts) for one, facts in zip(missing, told, strict=True) if facts]
        )

    def _question(self, target: Target, told: Mapping[int, str]) -> Question:
        return Question(target, told, self.results.get(target.address))

    def _calls(self, address: int) -> list[int]:
        calls = self.known[0][address].get("calls", ())
        return [at for at in calls if at in self.targets]

    def _told(self, calls: Sequence[int], depth: int) -> dict[int, str]:
        found = {at: declaration(self.known[depth][self.targets[at].address]) for at in calls}
        return {at: text for at, text in found.items() if text is not None}

    def _asked(self, questions: Sequence[Question]) -> dict[int, Answer]:
        answers = self.ask(questions)
        return {q.target.address: answer for q, answer in zip(questions, answers, strict=True)}

    def _better(self, questions: Sequence[Question]) -> dict[int, Answer]:
        """Decompile with what is told; give the answers that are better than without."""
        found = self._asked(questions)
        unsure = []
        for question in questions:
            giving = {at: one for at, one in question.told.items() if not _gives_nothing(one)}
            code = found[question.target.address].get("code") or ""
            if len(giving) < len(question.told) and _UNKNOWN_RESULT in code:
                # It uses a result that its callee seems not to give: the callee is misread.
                unsure.append(self._question(question.target, giving))
        found |= self._asked(unsure)
        return {address: answer for address, answer in found.items() if "error" not in answer}


def _gives_nothing(text: str) -> bool:
    return text.startswith("extern void ") and not text.startswith("extern void *")


def declaration(answer: Answer) -> str | None:
    """Read the prototype off the head of a decompiled function.

    Args:
        answer: What the engine gave for it.

    Returns:
        Such as `extern int4 twice(int4 param_1);`; None where it failed, where it may take any
        number of arguments, or where the engine did not say how many.
    """
    code = answer.get("code") or ""
    head = _HEAD.search(code)
    if head is None or _ANY_NUMBER.search(code):
        return None
    parameters = " ".join(head[3].split())  # a long list stands on several lines
    return f"extern {head[1].strip()} {head[2]}({parameters});"
