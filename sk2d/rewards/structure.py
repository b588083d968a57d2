"""Is an IR right in its structure? The Skeleton's reward (SK2Decompile, equation 3).

Three modes. `paper`: nothing for an answer that is refused or does not compile with the
reference's header, else 1 plus the Jaccard index of the placeholders. `upstream`: the released
function, regular expressions on raw text and all, which pays for an empty file. `strict`: also asks
for the reference's signature and for no integers passed off as pointers, and pays as far as
placeholders are used as the reference uses them, in code that can run.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from sk2d.c.calls import prototype
from sk2d.errors import JailError, Reason, SourceError
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rewards.compiling import compile_units, default_workers
from sk2d.rewards.guards import Admitted, RefusedError, admit, without_line_markers
from sk2d.rewards.placeholders import jaccard, placeholder_jaccard, placeholders_of
from sk2d.rewards.upstream import upstream_structure
from sk2d.rewards.usage import Usage, agreement, usage
from sk2d.sandbox import CompileVerdict, compile_c, run_test

StructureMode = Literal["paper", "upstream", "strict"]

_CONVERSION: Final = "int-conversion"
_CONFLICT: Final = re.compile(r"conflicting types for|redeclared as different kind")
_STORAGE: Final = re.compile(r"^\s*(?:(?:static|extern|inline|__inline|__inline__)\s+)+")


@dataclass(frozen=True)
class Weights:
    """What the parts of the structure reward are worth.

    Attributes:
        compiles: Compiling.
        placeholders: A Jaccard index of 1.
        warnings: Taken off for each kind of warning that the reference does not cause.
        tests: A passed test, for rows that have one.
    """

    compiles: float = 1.0
    placeholders: float = 1.0
    warnings: float = 0.0
    tests: float = 0.0


class _Reference(NamedTuple):
    """What is known of a reference."""

    name: str | None
    placeholders: frozenset[str]
    usage: Usage | None
    prototype: str
    warnings: frozenset[str]


class _Read(NamedTuple):
    """An answer that the guards let pass, and the unit that the compiler sees."""

    admitted: Admitted
    unit: str


class StructureReward:
    """The reward of the Skeleton.

    Args:
        mode: paper, upstream or strict.
        weights: What the parts are worth; the paper's are 1 and 1.
        workers: Compilers side by side; None for one per core.
    """

    def __init__(
        self,
        mode: StructureMode = "strict",
        weights: Weights = Weights(),  # noqa: B008  (frozen dataclass)
        workers: int | None = None,
    ) -> None:
        self.mode = mode
        self.weights = weights
        self.workers = workers or default_workers()

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        """Judge answers.

        Args:
            candidates: Answers with reference and header.

        Returns:
            One score per answer, in order.

        Raises:
            UserError: There is no gcc.
        """  # noqa: DOC502
        started = time.monotonic()
        if self.mode == "upstream":
            with ThreadPoolExecutor(self.workers) as pool:
                scores = list(pool.map(upstream_structure, candidates))
        else:
            scores = self._judge(candidates)
        each = (time.monotonic() - started) / max(1, len(candidates))
        return [replace(score, seconds=round(each, 6)) for score in scores]

    def maximum(self, candidate: Candidate) -> float:
        """Give the most that an answer to a row can get.

        Args:
            candidate: The row.

        Returns:
            The score of a perfect answer.
        """
        tests = self.weights.tests if candidate.test else 0.0
        return self.weights.compiles + self.weights.placeholders + tests

    def _judge(self, candidates: Sequence[Candidate]) -> list[Score]:
        read: list[_Read | Score] = []

        def units() -> Iterator[str]:
            """Read the answers one by one, while those before are being compiled."""
            for candidate in candidates:
                read.append(self._read(candidate))
                if isinstance(read[-1], _Read):
                    yield read[-1].unit

        verdicts = iter(compile_units(units(), self.workers))
        return [
            answer if isinstance(answer, Score) else self._score(candidate, answer, next(verdicts))
            for candidate, answer in zip(candidates, read, strict=True)
        ]

    def _read(self, candidate: Candidate) -> _Read | Score:
        reference = _reference(candidate.reference, candidate.header)
        strict = self.mode == "strict"
        wanted = reference.name if strict or reference.name == "main" else None
        try:
            admitted = admit(candidate.text, func_name=wanted)
        except RefusedError as refused:
            return Score(0.0, refused.refusal.verdict, {"compiles": 0.0}, refused.refusal.message)
        promised = reference.prototype if strict else ""
        text = _STORAGE.sub("", admitted.text) if promised else admitted.text
        return _Read(admitted, f"{candidate.header}\n{promised}\n{text}\n")

    def _score(self, candidate: Candidate, read: _Read, verdict: CompileVerdict | None) -> Score:
        if verdict is None:
            return Score(None, Verdict.CANNOT_JUDGE, message="the jail failed")
        failure = self._failure(verdict)
        if failure is not None:
            return Score(0.0, failure, {"compiles": 0.0}, verdict.message)
        reference = _reference(candidate.reference, candidate.header)
        extra = len(set(verdict.warnings) - reference.warnings)
        parts = {"compiles": 1.0, "warnings": float(extra)}
        base = self._base(read.admitted, reference, parts)
        base -= self.weights.warnings * extra
        if candidate.test and self.weights.tests:
            passed = _passes(candidate, reference)
            if passed is None:
                return Score(None, Verdict.CANNOT_JUDGE, parts, "the test could not be run")
            parts["tests"] = float(passed)
            base += self.weights.tests * passed
        return Score(max(0.0, base), Verdict.OK, parts)

    def _failure(self, verdict: CompileVerdict) -> Verdict | None:
        if not verdict.compiles:
            if verdict.reason is Reason.COMPILE_TIMEOUT:
                return Verdict.COMPILER_LIMIT
            conflict = self.mode == "strict" and _CONFLICT.search(verdict.message)
            return Verdict.SIGNATURE if conflict else Verdict.NOT_COMPILING
        converts = self.mode == "strict" and verdict.warnings.get(_CONVERSION)
        return Verdict.CONVERSION if converts else None

    def _base(self, admitted: Admitted, reference: _Reference, parts: dict[str, float]) -> float:
        """Give the part of the score that the text itself earns, and write down of what."""
        if self.mode == "paper" or reference.usage is None:
            parts["placeholders"] = jaccard(placeholders_of(admitted.tree), reference.placeholders)
            return self.weights.compiles + self.weights.placeholders * parts["placeholders"]
        found = usage(admitted)
        parts["placeholders"] = jaccard(found.placeholders, reference.usage.placeholders)
        parts["used"] = agreement(found, reference.usage)
        earned = self.weights.compiles + self.weights.placeholders * parts["placeholders"]
        return parts["used"] * earned


def _passes(candidate: Candidate, reference: _Reference) -> bool | None:
    """Run the row's test; None where the jail failed or the test itself does not compile."""
    assert candidate.test is not None, "the caller looked"
    try:
        verdict = run_test(
            candidate.text,
            candidate.test,
            declarations=f"{candidate.deps}\n{reference.prototype}",
            func_name=candidate.func_name or reference.name or "",
            header=candidate.header,
        )
    except JailError:
        return None
    return verdict.passed


@functools.lru_cache(maxsize=4096)
def _reference(text: str, header: str) -> _Reference:
    """Read a reference; one that the guards refuse still has placeholders to compare with."""
    text = without_line_markers(text)
    try:
        admitted = admit(text, func_name=_own_name(text))
    except RefusedError:
        return _Reference(None, frozenset(), None, "", frozenset())
    promised = _prototype(admitted.text, header)
    verdict = _reference_verdict(f"{header}\n{admitted.text}\n")
    warnings = frozenset(verdict.warnings) if verdict else frozenset()
    found = placeholders_of(admitted.tree)
    return _Reference(admitted.name, found, usage(admitted), promised, warnings)


def _own_name(text: str) -> str | None:
    return "main" if re.search(r"\bmain\s*\(", text) and _defines_main(text) else None


def _defines_main(text: str) -> bool:
    try:
        admit(text)
    except RefusedError as refused:
        return refused.refusal.verdict is Verdict.DEFINES_MAIN
    return False


def _prototype(text: str, header: str) -> str:
    """Write the reference's prototype, where one stands by itself: an old-style head does not."""
    try:
        written = _STORAGE.sub("", prototype(text))
    except SourceError:
        return ""
    verdict = _reference_verdict(f"{header}\n{written}\n")
    return written if verdict is not None and verdict.compiles else ""


def _reference_verdict(unit: str) -> CompileVerdict | None:
    try:
        return compile_c(unit)
    except JailError:
        return None


@dataclass(frozen=True)
class Structure:
    """How an IR compares with its reference.

    Attributes:
        compiles: Whether it compiles with the reference's header.
        placeholders: Jaccard index of the sets of placeholders, in [0, 1].
    """

    compiles: bool
    placeholders: float


def structure(ir: str, reference: str, header: str) -> Structure:
    """Compare an IR with its reference, without guards: a measure of honest models, not a reward.

    Args:
        ir: C text with placeholders; untrusted.
        reference: The text that it should be.
        header: Declarations that let the reference compile.

    Returns:
        The parts of the reward.

    Raises:
        JailError: The jail failed; nothing is known of the text.
    """  # noqa: DOC502
    return Structure(compile_c(header + ir).compiles, placeholder_jaccard(ir, reference))
