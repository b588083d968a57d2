"""What an evaluation found, as plain values: the content of `results.json`.

Nothing in it depends on the machine's load, the number of processes or the time of day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Final

from sk2d.evaluation.comparing import compare
from sk2d.evaluation.measuring import Measures
from sk2d.evaluation.scores import COMPARED, Row, by_level, scores
from sk2d.evaluation.self_check import Excluded
from sk2d.evaluation.sets import EvaluationSet, Function
from sk2d.evaluation.systems import EXIT, REFERENCE, STUB, Kind, System
from sk2d.metrics.readability.scoring import relative_scores

NO_TESTS: Final = "the set has no tests: what compiles is counted, what is right is not"


@dataclass(frozen=True)
class Findings:
    """All that was measured.

    Attributes:
        functions: The set.
        systems: The systems, in the order of reports.
        measures: For each system the measures of its answer to every function that it was asked.
        excluded: Rows that do not count.
        marks: What the judge said of each answer, by system and id; None is a reply without a
            mark. Empty where there was no judge.
    """

    functions: EvaluationSet
    systems: Sequence[System]
    measures: Mapping[str, Mapping[str, Measures]]
    excluded: Sequence[Excluded]
    marks: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)

    @property
    def shown(self) -> list[System]:
        """Systems whose texts can be looked at, and are candidates of R2I."""
        return [system for system in self.systems if system.name not in (STUB, EXIT)]

    @property
    def counted(self) -> list[Function]:
        """Functions that count."""
        out = {each.id for each in self.excluded}
        return [function for function in self.functions.functions if function.id not in out]


def results(findings: Findings, settings: Mapping[str, Any], remarks: Sequence[str]) -> dict:
    """Put together what an evaluation found.

    Args:
        findings: What was measured.
        settings: All that the numbers depend on beside set and systems; `seed` is one of it.
        remarks: What a reader of numbers has to know.

    Returns:
        Plain values.
    """
    readability = _readability(findings)
    rows = {system.name: _rows(findings, system, readability) for system in findings.systems}
    counted = {function.id for function in findings.counted}
    kept = {
        name: [row for row in found.values() if row.function.id in counted]
        for name, found in rows.items()
    }
    return {
        "set": _set(findings, remarks),
        "settings": dict(settings),
        "candidate_set": candidate_set(findings),
        "systems": {
            each.name: _system(findings, each, kept[each.name]) for each in findings.systems
        },
        "comparisons": _comparisons(findings, kept, int(settings["seed"])),
        "functions": [_function(each, findings, rows) for each in findings.functions.functions],
    }


def candidate_set(findings: Findings) -> str | None:
    """Name what R2I compared: its systems; None where there was nothing to compare with."""
    names = [system.name for system in findings.shown]
    return " + ".join(names) if len(names) > 1 else None


def _readability(findings: Findings) -> dict[str, dict[str, float]]:
    """Score the candidates of every function beside one another, by id and system."""
    if candidate_set(findings) is None:
        return {}
    found = {}
    for function in findings.functions.functions:
        measured = {each.name: findings.measures[each.name][function.id] for each in findings.shown}
        counted = {name: m.features for name, m in measured.items() if m.features is not None}
        found[function.id] = dict.fromkeys(measured, 0.0) | relative_scores(counted)
    return found


def _rows(
    findings: Findings, system: System, readability: Mapping[str, Mapping[str, float]]
) -> dict[str, Row]:
    measured = findings.measures[system.name]
    return {
        function.id: Row(
            function,
            measured[function.id],
            readability.get(function.id, {}).get(system.name),
        )
        for function in findings.functions.functions
        if function.id in measured
    }


def _set(findings: Findings, remarks: Sequence[str]) -> dict[str, Any]:
    functions = findings.functions
    levels: dict[str, int] = {}
    for function in findings.counted:
        levels[function.level] = levels.get(function.level, 0) + 1
    said = list(functions.remarks) + ([] if functions.has_tests else [NO_TESTS])
    return {
        "name": functions.name,
        "format": functions.format,
        "hash": functions.hash,
        "functions": len(functions.functions),
        "tested": sum(function.test is not None for function in functions.functions),
        "counted": len(findings.counted),
        "by_level": dict(sorted(levels.items())),
        "excluded": [asdict(each) for each in findings.excluded],
        "remarks": [*said, *remarks],
    }


def _system(findings: Findings, system: System, rows: Sequence[Row]) -> dict[str, Any]:
    asked = [row.function.id for row in rows]
    told = system.name not in (STUB, EXIT)  # that these fail is no news
    return {
        "kind": str(system.kind),
        "about": system.about,
        "rows": len(rows),
        "missing": [identity for identity in asked if identity not in system.answers],
        **scores(rows),
        "judge": _judged(findings.marks.get(system.name, {}), rows),
        "failures": [_failure(row) for row in rows if row.measures.execution.reason and told],
    }


def _judged(marks: Mapping[str, int | None], rows: Sequence[Row]) -> dict[str, Any] | None:
    if not marks:
        return None

    def mark(row: Row) -> float | None:
        return marks.get(row.function.id)

    asked = [row.function.id for row in rows if row.function.id in marks]
    unread = sum(marks[identity] is None for identity in asked)
    return {"mean": by_level(rows, mark), "asked": len(asked), "without_mark": unread}


def _failure(row: Row) -> dict[str, Any]:
    execution = row.measures.execution
    return {"id": row.function.id, "reason": execution.reason, "message": execution.message}


def _comparisons(
    findings: Findings, rows: Mapping[str, Sequence[Row]], seed: int
) -> list[dict[str, Any]]:
    """Compare each two systems, the later one with the earlier: models stand last."""
    compared = [system.name for system in findings.systems if system.kind is not Kind.CHECK]
    found = []
    for second, first in combinations(compared, 2):
        for measure, value in COMPARED.items():
            pairs = [(value(a), value(b)) for a, b in zip(rows[first], rows[second], strict=True)]
            there = [(a, b) for a, b in pairs if a is not None and b is not None]
            if there:
                ones, others = zip(*there, strict=True)
                names = {"first": first, "second": second, "measure": measure, "rows": len(there)}
                found.append(names | asdict(compare(ones, others, seed)))
    return found


def _function(
    function: Function, findings: Findings, rows: Mapping[str, Mapping[str, Row]]
) -> dict[str, Any]:
    reasons = {each.id: each.reason for each in findings.excluded}
    answers = {
        system.name: _answer(system, rows[system.name][function.id], findings)
        for system in findings.shown
        if system.name != REFERENCE
    }
    return {
        "id": function.id,
        "level": function.level,
        "func_name": function.func_name,
        "excluded": reasons.get(function.id),
        "tested": function.test is not None,
        "reference": function.code,
        "reference_r2i": rows[REFERENCE][function.id].r2i,
        "answers": answers,
    }


def _answer(system: System, row: Row, findings: Findings) -> dict[str, Any]:
    measures, given = row.measures, system.answers.get(row.function.id)
    execution = measures.execution
    return {
        "code": given.code if given else None,
        "ir": given.ir if given else None,
        "compiles": execution.compiles,
        "passes": execution.passes,
        "reason": execution.reason,
        "message": execution.message,
        "edit": measures.edit,
        "edit_raw": measures.edit_raw,
        "exact": measures.exact,
        "names": measures.names.get("all"),
        "r2i": row.r2i,
        "readable": measures.features is not None,
        "judge": findings.marks.get(system.name, {}).get(row.function.id),
        "ir_verdict": asdict(measures.ir) if measures.ir else None,
    }
