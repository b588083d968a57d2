"""How many texts compile with the header inferred for them, and what such a header is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from benchmarks.inference.classes import count_prototypes
from benchmarks.inference.samples import Sample, SampleSet
from sk2d import sandbox
from sk2d.c.parse import parse_valid
from sk2d.errors import SourceError

Infer = Callable[[str], str]

LOOSE: Final = ("int-conversion", "incompatible-pointer-types")
"""Kinds of warnings that a header with right types does not raise."""

MOST_LOOSE: Final = 0.10


@dataclass
class Failure:
    """A text that does not compile with its header, or has none.

    Args:
        name: Which row.
        reason: The reason of the error, or `not_compiling`.
        message: What the step or the compiler said first.
    """

    name: str
    reason: str
    message: str


@dataclass
class Rate:
    """What came of a set of texts.

    Args:
        title: Which set.
        floor: Share that has to compile.
        aim: Share that is aimed at.
        rows: All texts.
        cut: Texts from which lines that include files of the program were cut.
        cut_compiling: How many of them compile; as they stood, none of them could.
        not_made: Texts that could not be made, by reason.
        not_c: Texts that do not parse.
        not_c_compiling: How many of them compile with a header all the same.
        compiling: Texts that parse and compile with their header.
        loose: How many of these raise one of the warnings `LOOSE`.
        warnings: Texts that raise a warning, by its kind.
        prototypes: Prototypes in the headers.
        without_parameters: How many of them say nothing about parameters.
        failures: The texts that parse and do not compile.
    """

    title: str
    floor: float
    aim: float
    rows: int = 0
    cut: int = 0
    cut_compiling: int = 0
    not_made: Counter[str] = field(default_factory=Counter)
    not_c: list[str] = field(default_factory=list)
    not_c_compiling: int = 0
    compiling: int = 0
    loose: int = 0
    warnings: Counter[str] = field(default_factory=Counter)
    prototypes: int = 0
    without_parameters: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def judged(self) -> int:
        """Texts that count."""
        return self.compiling + len(self.failures)

    @property
    def share(self) -> float:
        """Share of them that compile."""
        return self.compiling / self.judged if self.judged else 0.0

    @property
    def uncut_share(self) -> float:
        """Share that compiles when nothing is cut from any text."""
        return (self.compiling - self.cut_compiling) / self.judged if self.judged else 0.0

    @property
    def loose_share(self) -> float:
        """Share of the compiling ones that raise a warning which says that types are wrong."""
        return self.loose / self.compiling if self.compiling else 0.0

    @property
    def holds(self) -> bool:
        """Whether the floor is reached and the headers are more than a way to compile.

        A set of which nothing could be judged shows nothing.
        """
        return self.judged > 0 and self.share >= self.floor and self.loose_share <= MOST_LOOSE

    def figures(self) -> dict[str, Any]:
        """Give everything as plain data.

        Returns:
            What JSON can hold.
        """
        failures = [asdict(failure) for failure in self.failures]
        shares = {
            "judged": self.judged,
            "share": self.share,
            "uncut_share": self.uncut_share,
            "loose_share": self.loose_share,
        }
        return vars(self) | {"failures": failures} | shares


@dataclass
class _Case:
    """A text on its way: the header or why there is none, then the compiler's verdict."""

    sample: Sample
    parses: bool
    header: str = ""
    failure: Failure | None = None


def rate(samples: SampleSet, infer: Infer) -> Rate:
    """Infer the headers of a set and compile each text with its own.

    Args:
        samples: The texts.
        infer: The function under test.

    Returns:
        What came of it.
    """
    result = Rate(samples.title, samples.floor, samples.aim, rows=len(samples.samples))
    result.cut = sum(s.cut for s in samples.samples)
    result.not_made.update(s.reason for s in samples.samples if s.code is None)
    known: dict[str, _Case] = {}
    cases = []
    for sample in samples.samples:
        if sample.code is not None:
            case = known.setdefault(sample.code, _case(sample, infer))
            cases.append(_Case(sample, case.parses, case.header, case.failure))
    verdicts = _compile({c.sample.code: c.header for c in cases if c.failure is None})
    for case in cases:
        _count(case, verdicts.get(case.sample.code), result)
    return result


def _case(sample: Sample, infer: Infer) -> _Case:
    parses = _parses(sample.code)
    try:
        return _Case(sample, parses, infer(sample.code))
    except SourceError as error:
        return _Case(sample, parses, failure=Failure(sample.name, str(error.reason), str(error)))
    except Exception as error:  # A mistake of ours is to be counted, and the rest measured.
        return _Case(sample, parses, failure=Failure(sample.name, "crash", repr(error)))


def _parses(code: str) -> bool:
    try:
        parse_valid(code)
    except SourceError:
        return False
    return True


def _compile(headers: dict[str, str]) -> dict[str, sandbox.CompileVerdict]:
    verdicts = sandbox.compile_many([header + code for code, header in headers.items()])
    return dict(zip(headers, verdicts, strict=True))


def _count(case: _Case, verdict: sandbox.CompileVerdict | None, result: Rate) -> None:
    compiles = verdict is not None and verdict.compiles
    if not case.parses:
        result.not_c.append(case.sample.name)
        result.not_c_compiling += compiles
        return
    if not compiles:
        result.failures.append(case.failure or _not_compiling(case, verdict))
        return
    result.compiling += 1
    result.cut_compiling += case.sample.cut
    result.warnings.update(verdict.warnings.keys())
    result.loose += any(kind.removeprefix("-W") in LOOSE for kind in verdict.warnings)
    total, empty = count_prototypes(case.header)
    result.prototypes += total
    result.without_parameters += empty


def _not_compiling(case: _Case, verdict: sandbox.CompileVerdict | None) -> Failure:
    assert verdict is not None, "a header without a verdict"
    return Failure(case.sample.name, verdict.reason or "not_compiling", verdict.message)
