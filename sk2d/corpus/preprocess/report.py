"""What became of the rows: counts per step and reason that add up, or the run is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sk2d.corpus.preprocess.records import Record
from sk2d.corpus.rows import COMPILE_REASON, COMPILES, WARNINGS
from sk2d.errors import EXPLANATIONS, Reason

ORDER: Final = (
    *("read", "worker", "normalize", "obfuscate", "format", "infer", "compile", "filter"),
    *("identify", "decontaminate", "deduplicate"),
)
"""Steps in the order in which they take rows out; `worker` are rows that no process survived."""

_SHOWN_PROBLEMS: Final = 20


@dataclass
class Counts:
    """What is counted while the records go by.

    Args:
        rows_in: Rows of the input.
        rows_out: Rows that were kept.
        rejects: Rows by step and reason.
        not_compiling: Kept rows whose IR does not compile, by reason.
        warnings: Kept rows that compile with a warning, by its kind.
        split: Kept rows by side.
        problems: What the audit of single rows found.
        problem_count: How many rows it found something in.
    """

    rows_in: int = 0
    rows_out: int = 0
    rejects: dict[str, Counter[Reason]] = field(default_factory=dict)
    not_compiling: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    split: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    problem_count: int = 0

    def rejected(self, record: Record) -> None:
        """Count a row that was refused.

        Args:
            record: The row.
        """
        assert record.reject is not None, "only refused rows are rejects"
        self.rows_in += 1
        self.rejects.setdefault(record.reject.step, Counter())[record.reject.reason] += 1

    def kept(self, record: Record, side: str) -> None:
        """Count a row that stays.

        Args:
            record: The row.
            side: Its side.
        """
        self.rows_in += 1
        self.rows_out += 1
        self.split[side] += 1
        if not record.made[COMPILES]:
            self.not_compiling[record.made[COMPILE_REASON]] += 1
        self.warnings.update(record.made[WARNINGS].keys())
        problems = record.made["problems"]
        self.problem_count += bool(problems)
        room = _SHOWN_PROBLEMS - len(self.problems)
        self.problems += [f"{record.where}: {problem}" for problem in problems[: max(room, 0)]]

    @property
    def failed_types(self) -> int:
        """Rows for which no header was found that they compile with."""
        refused = sum(sum(self.rejects.get(step, {}).values()) for step in ("infer", "compile"))
        return refused + sum(self.not_compiling.values())

    @property
    def reached_types(self) -> int:
        """Rows that came as far as type inference."""
        before = ORDER[: ORDER.index("infer")]
        return self.rows_in - sum(sum(self.rejects.get(step, {}).values()) for step in before)

    def steps(self) -> list[dict[str, Any]]:
        """Follow the rows through the steps.

        Returns:
            Step, rows in, rows out, and rejects by reason, for each step.
        """
        table, left = [], self.rows_in
        for step in ORDER:
            reasons = self.rejects.get(step, Counter())
            lost = sum(reasons.values())
            if step in ("worker", "identify") and not lost:
                continue
            counted = {str(reason): reasons[reason] for reason in Reason if reasons[reason]}
            table.append({"step": step, "in": left, "out": left - lost, "rejects": counted})
            left -= lost
        assert left == self.rows_out, f"{self.rows_in} rows in, {self.rows_out} out, {left} left"
        return table

    def reasons(self) -> dict[str, dict[str, Any]]:
        """Sum up the rejects.

        Returns:
            Number and explanation by reason, in the order of the closed list.
        """
        total: Counter[Reason] = sum(self.rejects.values(), Counter())
        return {
            str(reason): {"rows": total[reason], "meaning": EXPLANATIONS[reason]}
            for reason in Reason
            if total[reason]
        }


def make_report(
    counts: Counts,
    outputs: Mapping[str, int],
    functions: Mapping[str, int],
    what: Mapping[str, Any],
) -> dict[str, Any]:
    """Put the report together; it holds nothing of the machine or the clock.

    Args:
        counts: What was counted.
        outputs: Rows by output file.
        functions: Functions by side.
        what: Description of the run.

    Returns:
        Plain values.
    """
    lost = sum(sum(reasons.values()) for reasons in counts.rejects.values())
    assert counts.rows_in == counts.rows_out + lost, "every row is kept or rejected"
    return {
        "rows_in": counts.rows_in,
        "rows_out": counts.rows_out,
        "rejects": lost,
        "steps": counts.steps(),
        "reasons": counts.reasons(),
        "outputs": dict(outputs),
        "split": {
            side: {"rows": counts.split[side], "functions": functions[side]} for side in functions
        },
        "types": {"reached": counts.reached_types, "failed": counts.failed_types},
        "compile": {
            "compiling": counts.rows_out - sum(counts.not_compiling.values()),
            "not_compiling": dict(sorted(counts.not_compiling.items())),
            "rows_with_warning": dict(sorted(counts.warnings.items())),
        },
        "audit": {"rows_with_problems": counts.problem_count, "problems": counts.problems},
        **what,
    }
