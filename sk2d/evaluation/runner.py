"""An evaluation from its set to its results: the self-check first, then every system."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final

from sk2d import __version__
from sk2d.evaluation.canary import ask_canaries
from sk2d.evaluation.comparing import LEVEL, RESAMPLES
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.judge import Judge
from sk2d.evaluation.judging import measure_all
from sk2d.evaluation.measuring import Measures, Question, missing
from sk2d.evaluation.results import Findings, results
from sk2d.evaluation.self_check import ROW_BROKEN, Excluded, excluded_rows, refuse_a_blind_set
from sk2d.evaluation.sets import EvaluationSet, Function
from sk2d.evaluation.systems import EXIT, REFERENCE, STUB, System, checks
from sk2d.hardware.probing import compiler_versions
from sk2d.sandbox import TEST_FLAGS

PACKAGES: Final = ("clang-format", "pycparser", "rapidfuzz", "tree-sitter", "tree-sitter-c")
"""Their versions stand in results: another one may give other numbers."""

Tell = Callable[[str, int, int], None]
"""Takes the name of a step, what is done of it and how much it is."""


def quiet(step: str, done: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True)
class Run:
    """How an evaluation is run.

    Attributes:
        journal: What was measured before, and where measures are written.
        flags: How candidates are compiled.
        seed: Seed of the bootstrap.
        workers: Processes.
        tell: Takes progress.
        judge: Who marks readability; None for nobody.
        compiler: The compiler's version.
    """

    journal: Journal
    flags: tuple[str, ...] = TEST_FLAGS
    seed: int = 42
    workers: int = 1
    tell: Tell = quiet
    judge: Judge | None = None
    compiler: str = field(default_factory=lambda: compiler_versions(["gcc"])["gcc"])


def evaluate(
    functions: EvaluationSet,
    systems: Callable[[], Sequence[System]],
    run: Run,
    remarks: Sequence[str] = (),
    prompts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Measure systems on a set.

    Args:
        functions: The set.
        systems: Gives the systems; asked only when the set has stood its self-check.
        run: How it is run.
        remarks: What a reader of numbers has to know.
        prompts: Name and hash of each model's prompt, by phase.

    Returns:
        The results, as plain values.

    Raises:
        DataError: The set's tests cannot tell right from wrong, or it is broken.
        JailError: The jail failed.
    """  # noqa: DOC502
    canaries = ask_canaries(run.flags)
    checked = checks(functions)
    measures = _measured(functions, checked, run, "self-check")
    excluded = self_check(functions, measures)
    refuse_a_blind_set(functions, excluded)
    others = systems()
    measures |= _measured(functions, others, run, "answers")
    settings = {
        "sk2d": __version__,
        "cc_version": run.compiler,
        "cflags": list(run.flags),
        "canaries": canaries,
        "seed": run.seed,
        "bootstrap": {"resamples": RESAMPLES, "level": LEVEL},
        "prompts": dict(prompts or {}),
        "judge": run.judge.about() if run.judge else None,
        "packages": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
    }
    marks = {} if run.judge is None else _marks([*checked, *others], run.judge, run.tell)
    findings = Findings(functions, [*checked, *others], measures, excluded, marks)
    return results(findings, settings, remarks)


def _marks(systems: Sequence[System], judge: Judge, tell: Tell) -> dict[str, dict[str, int | None]]:
    shown = [system for system in systems if system.name not in (STUB, EXIT)]
    asked = [
        (s.name, identity, answer.code) for s in shown for identity, answer in s.answers.items()
    ]
    marks = judge.mark([code for *_, code in asked], lambda done, total: tell("judge", done, total))
    found: dict[str, dict[str, int | None]] = {}
    for (name, identity, _), mark in zip(asked, marks, strict=True):
        found.setdefault(name, {})[identity] = mark
    return found


def self_check(
    functions: EvaluationSet, measures: Mapping[str, Mapping[str, Measures]]
) -> list[Excluded]:
    """Find the rows that cannot tell right from wrong.

    Args:
        functions: The set.
        measures: Measures of references, and of stubs where there are tests.

    Returns:
        The rows; without tests those that are broken themselves.
    """
    sources = measures[REFERENCE]
    broken = [
        Excluded(identity, ROW_BROKEN, measured.execution.message)
        for identity, measured in sources.items()
        if measured.row_broken
    ]
    out = {each.id for each in broken}
    tested = [
        function.id
        for function in functions.functions
        if function.test is not None and function.id not in out
    ]
    references = {identity: sources[identity].execution for identity in tested}
    stubs = {identity: measures[STUB][identity].execution for identity in tested}
    return [*broken, *excluded_rows(references, stubs)]


def _measured(
    functions: EvaluationSet, systems: Sequence[System], run: Run, step: str
) -> dict[str, dict[str, Measures]]:
    asked = [
        (system, function)
        for system in systems
        for function in functions.functions
        if function.id in system.answers
    ]
    questions = [_question(system, function, run.flags) for system, function in asked]

    def progress(done: int, total: int) -> None:
        run.tell(step, done, total)

    measured = measure_all(questions, run.compiler, run.journal, run.workers, progress)
    found: dict[str, dict[str, Measures]] = {system.name: {} for system in systems}
    for (system, function), measures in zip(asked, measured, strict=True):
        found[system.name][function.id] = measures
    for system in systems:
        _add_missing(system, functions, found[system.name])
    return found


def _question(system: System, function: Function, flags: tuple[str, ...]) -> Question:
    answer = system.answers[function.id]
    return Question(answer.code, answer.pseudo, function, flags, answer.before, answer.ir)


def _add_missing(system: System, functions: EvaluationSet, found: dict[str, Measures]) -> None:
    """Count what is not there as failed; checks of tests are asked for functions with a test."""
    for function in functions.functions:
        asked = system.name not in (STUB, EXIT) or function.test is not None
        if asked and function.id not in found:
            found[function.id] = missing(function, system.failures.get(function.id, "no answer"))
