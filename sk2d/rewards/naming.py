"""Are the names of an answer those of the source? The Skin's reward (SK2Decompile, equation 4)."""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from sk2d.c.rename import obfuscate
from sk2d.c.tokens import significant
from sk2d.errors import ConfigError, SourceError, did_you_mean
from sk2d.metrics.identifiers import name_similarity
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rewards.guards import refusal, without_line_markers
from sk2d.rewards.naming_skeleton import named, nearness, skeleton, telling_text
from sk2d.rewards.naming_upstream import summary
from sk2d.rewards.naming_vectors import KEPT, Embedder, Vectors

__all__ = ["BOUND", "Embedder", "Mode", "NamingReward"]

Mode = Literal["paper", "upstream", "lexical", "strict"]

BOUND: Final = 0.25
"""Share of the reference's tokens that an answer's structure is off by to be worth nothing."""


@dataclass(frozen=True)
class _Case:
    """A candidate before its embedding is known.

    Attributes:
        pair: The texts whose embeddings are compared; None where none are needed.
        parts: Parts of the reward that are known.
        message: What is to be said about it.
        seconds: Time that it took so far.
    """

    pair: tuple[str, str] | None
    parts: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    seconds: float = 0.0


class NamingReward:
    """Scores answers of the Skin by their names.

    `paper`: nothing for an answer that the guards refuse, else the cosine of the embeddings of the
    whole texts, in [-1, 1]. No name is asked of the function: it is among what is sought.

    `upstream`: the released function: the square of the cosine of two summaries of identifiers (see
    `naming_upstream`), whatever the text is. A cosine of -1 is paid like one of 1.

    `lexical`: after the guards, the F1 of the words in names, in [0, 1]; needs no model.

    `strict`: after the guards, `max(0, cosine) * structure * named`, in [0, 1]. The cosine is that
    of the texts without comments, without literals that neither the IR nor the reference has, and
    without names that are declared and never used; `structure` falls from 1 where the answer is
    farther from the IR than the reference is (`naming_skeleton.nearness`), and `named` is the share
    of the IR's placeholders that are gone. A row without an IR has its reference's, obfuscated.

    In each mode an answer equal to its reference has the maximum, 1: one whose tokens are the
    reference's own is never refused, even if it holds directives as some released ones do. A
    reference that cannot be worked on and an embedder that fails cost `cannot_judge`, for the
    candidates that need them alone.

    Args:
        mode: How to score.
        embedder: What turns texts into vectors; only `lexical` does without.
        bound: For `strict`: the share of the reference's tokens by which an answer leaves the
            structure of IR and reference to be worth nothing.
        kept: References whose embeddings are kept for the next batch.

    Raises:
        ConfigError: There is no such mode, it needs an embedder, or a number makes no sense.
    """

    def __init__(
        self,
        mode: Mode = "paper",
        embedder: Embedder | None = None,
        bound: float = BOUND,
        kept: int = KEPT,
    ) -> None:
        what, where, remedy = _wrong(mode, embedder, bound, kept)
        if what:
            raise ConfigError(what, where=where, remedy=remedy)
        self.mode = mode
        self.embedder = embedder
        self.bound = bound
        self._vectors = Vectors(embedder, kept) if embedder is not None else None

    def maximum(self, candidate: Candidate) -> float:
        """Give the most that an answer to a row can get.

        Args:
            candidate: The row.

        Returns:
            1.
        """
        return 1.0

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        """Score answers; the whole batch is embedded in one call.

        Args:
            candidates: Answers with their references.

        Returns:
            One score per candidate, in order, with the parts `refused` (0 or 1), `cosine`, `names`
            (lexical F1), `structure` and `named` as far as the mode has them.
        """
        looked_at = [self._look(candidate) for candidate in candidates]
        pairs = [case.pair for case in looked_at if isinstance(case, _Case) and case.pair]
        started = time.perf_counter()
        cosines = self._vectors.cosines(pairs) if self._vectors is not None and pairs else []
        seconds = (time.perf_counter() - started) / max(1, len(pairs))
        left = iter(cosines)
        return [
            case
            if isinstance(case, Score)
            else self._score(case, next(left) if case.pair else None, seconds)
            for case in looked_at
        ]

    def _look(self, candidate: Candidate) -> _Case | Score:
        """Do all but the embedding; what goes wrong costs this candidate alone."""
        started = time.perf_counter()
        try:
            found = self._case(candidate)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            found = Score(None, Verdict.CANNOT_JUDGE, message=message)
        return replace(found, seconds=time.perf_counter() - started)

    def _case(self, candidate: Candidate) -> _Case | Score:
        reference = without_line_markers(candidate.reference).strip()
        text = candidate.text.strip()
        if not reference:
            return Score(None, Verdict.CANNOT_JUDGE, message="the row has no reference")
        if self.mode == "upstream":
            return _upstream(text, reference)
        refused = None if _is_gold(text, reference) else refusal(text)
        if refused is not None:
            return _refused(refused.verdict, refused.message)
        names = name_similarity(text, reference)["all"]
        parts = {"refused": 0.0, "names": 1.0 if names is None else names}
        if self.mode == "strict":
            return self._strict(text, reference, candidate.ir, parts)
        return _Case((text, reference) if self.mode == "paper" else None, parts)

    def _strict(
        self, text: str, reference: str, ir: str | None, parts: dict[str, float]
    ) -> _Case | Score:
        ir, message = _readable_ir(ir, reference)
        wanted = telling_text(reference, reference, ir)
        try:
            found = telling_text(text, reference, ir)
            parts |= {"structure": nearness(text, reference, ir, self.bound)}
        except SourceError as error:
            return _refused(Verdict.SYNTAX_ERROR, str(error))
        return _Case((found, wanted), parts | {"named": named(text, reference, ir)}, message)

    def _score(self, case: _Case, cosine: float | str | None, seconds: float) -> Score:
        if isinstance(cosine, str):
            return Score(None, Verdict.CANNOT_JUDGE, message=cosine, seconds=case.seconds)
        if cosine is None:
            return Score(case.parts["names"], Verdict.OK, case.parts, seconds=case.seconds)
        parts = {**case.parts, "cosine": cosine}
        seconds += case.seconds
        return Score(self._worth(cosine, parts), Verdict.OK, parts, case.message, seconds)

    def _worth(self, cosine: float, parts: Mapping[str, float]) -> float:
        if self.mode == "upstream":
            return cosine * cosine
        if self.mode == "strict":
            return max(0.0, cosine) * parts["structure"] * parts["named"]
        return cosine


def _wrong(mode: str, embedder: Embedder | None, bound: float, kept: int) -> tuple[str, str, str]:
    """Say which setting is wrong, where it stands and what helps; three empty texts for none."""
    modes = get_args(Mode)
    if mode not in modes:
        remedy = did_you_mean(mode, modes) or f"Known: {', '.join(modes)}"
        return f"there is no mode '{mode}'", "mode", remedy
    if embedder is None and mode != "lexical":
        remedy = "Give one, such as load_embedder('minilm'), or take the mode 'lexical'"
        return f"the mode '{mode}' needs an embedder", "embedder", remedy
    if not bound > 0:
        return "it must be more than 0", "bound", f"Try {BOUND}"
    return ("it must not be negative", "kept", f"Try {KEPT}") if kept < 0 else ("", "", "")


def _is_gold(text: str, reference: str) -> bool:
    return text == reference or significant(text) == significant(reference)


def _refused(verdict: Verdict, message: str) -> Score:
    return Score(0.0, verdict, {"refused": 1.0}, message)


def _upstream(text: str, reference: str) -> _Case | Score:
    """Give the two summaries; where one is empty, upstream's reward is 0."""
    if not text:
        return _refused(Verdict.EMPTY, "there is no text")
    pair = summary(text), _reference_summary(reference)
    if not all(pair):
        return _refused(Verdict.NO_FUNCTION, "there are no identifiers")
    return _Case(pair, {"refused": 0.0, **_names_if_any(text, reference)})


_reference_summary = functools.lru_cache(maxsize=4096)(summary)


def _names_if_any(text: str, reference: str) -> dict[str, float]:
    try:
        names = name_similarity(text, reference)["all"]
    except SourceError:
        return {}
    return {} if names is None else {"names": names}


@functools.lru_cache(maxsize=4096)
def _readable_ir(ir: str | None, reference: str) -> tuple[str, str]:
    """Give the IR, and what is to be said where it is made from the reference."""
    if not ir or not ir.strip():
        return obfuscate(reference).ir, "the row has no IR: the reference is obfuscated"
    try:
        skeleton(ir)
    except SourceError as error:
        return obfuscate(reference).ir, f"the reference is obfuscated, for the IR: {error}"
    return ir, ""
