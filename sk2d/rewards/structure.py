"""Is an IR right in its structure? The Skeleton's reward (SK2Decompile, equation 3).

Three modes. `paper`: nothing for an answer that is refused or does not compile with the
reference's header, else 1 plus the Jaccard index of the placeholders. `upstream`: the released
function, regular expressions on raw text and all, which pays for an empty file. `strict`: also asks
for the reference's signature and for no integers passed off as pointers, and pays as far as
placeholders are used as the reference uses them, in code that can run.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from sk2d.errors import ConfigError, JailError, Reason, SourceError
from sk2d.hardware import logical_cores
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rewards.compiling import compile_units
from sk2d.rewards.guard_text import RefusedError
from sk2d.rewards.guards import Admitted, admit
from sk2d.rewards.placeholders import jaccard, placeholder_jaccard, placeholders_of
from sk2d.rewards.references import Reference, known_reference, without_storage
from sk2d.rewards.upstream import upstream_structure
from sk2d.rewards.usage import agreement, usage
from sk2d.sandbox import CompileVerdict, compile_c, run_test

StructureMode = Literal["paper", "upstream", "strict"]

_CONVERSION: Final = "int-conversion"
_CONFLICT: Final = re.compile(r"conflicting types for|redeclared as different kind")


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


class _Read(NamedTuple):
    """An answer that the guards let pass, its reference, and the unit that the compiler sees."""

    admitted: Admitted
    reference: Reference
    unit: str


class StructureReward:
    """The reward of the Skeleton.

    Args:
        mode: paper, upstream or strict.
        weights: What the parts are worth; the paper's are 1 and 1.
        workers: Compilers side by side; None for one per core.

    Raises:
        ConfigError: There are no workers.
    """

    def __init__(
        self,
        mode: StructureMode = "strict",
        weights: Weights = Weights(),  # noqa: B008  (frozen dataclass)
        workers: int | None = None,
    ) -> None:
        if workers is not None and workers < 1:
            raise ConfigError("it must be at least 1", where="workers", remedy="Leave it out")
        self.mode = mode
        self.weights = weights
        self.workers = workers or logical_cores()

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

        verdicts = compile_units(units(), self.workers)
        return [
            answer if isinstance(answer, Score) else self._score(candidate, answer, next(verdicts))
            for candidate, answer in zip(candidates, read, strict=True)
        ]

    def _read(self, candidate: Candidate) -> _Read | Score:
        strict = self.mode == "strict"
        try:
            reference = known_reference(candidate.reference, candidate.header)
            wanted = reference.name if strict else None
            admitted = admit(candidate.text, func_name=wanted, may_be_main=reference.name == "main")
        except RefusedError as refused:
            return Score(0.0, refused.refusal.verdict, {"compiles": 0.0}, refused.refusal.message)
        except (JailError, SourceError) as error:
            return Score(None, Verdict.CANNOT_JUDGE, message=str(error))
        if strict and reference.usage is None:
            message = f"the reference is refused: {reference.refused}"
            return Score(None, Verdict.CANNOT_JUDGE, message=message)
        promised = reference.prototype if strict else ""
        text = without_storage(admitted.text) if promised else admitted.text
        return _Read(admitted, reference, f"{reference.header}\n{promised}\n{text}\n")

    def _score(self, candidate: Candidate, read: _Read, verdict: CompileVerdict | None) -> Score:
        if verdict is None:
            return Score(None, Verdict.CANNOT_JUDGE, message="the jail failed")
        failure = self._failure(verdict)
        if failure is not None:
            return Score(0.0, failure, {"compiles": 0.0}, verdict.message)
        extra = len(set(verdict.warnings) - read.reference.warnings)
        parts = {"compiles": 1.0, "warnings": float(extra)}
        base = self._base(read, parts) - self.weights.warnings * extra
        if candidate.test and self.weights.tests:
            passed = _passes(candidate, read)
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

    def _base(self, read: _Read, parts: dict[str, float]) -> float:
        """Give the part of the score that the text itself earns, and write down of what."""
        wanted = read.reference.usage if self.mode == "strict" else None
        if wanted is None:
            found = placeholders_of(read.admitted.tree)
            parts["placeholders"] = jaccard(found, read.reference.placeholders)
            return self._earned(parts)
        live = usage(read.admitted)
        parts["placeholders"] = jaccard(live.placeholders, wanted.placeholders)
        parts["used"] = agreement(live, wanted)
        return parts["used"] * self._earned(parts)

    def _earned(self, parts: dict[str, float]) -> float:
        return self.weights.compiles + self.weights.placeholders * parts["placeholders"]


def _passes(candidate: Candidate, read: _Read) -> bool | None:
    """Run the row's test; None where the jail failed or the test itself does not compile."""
    assert candidate.test is not None, "the caller looked"
    try:
        verdict = run_test(
            read.admitted.text,
            candidate.test,
            declarations=f"{candidate.deps}\n{read.reference.prototype}",
            func_name=candidate.func_name or read.reference.name or "",
            header=read.reference.header,
        )
    except JailError:
        return None
    return verdict.passed


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
