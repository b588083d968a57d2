"""The comparison as a table, as Markdown and as a picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure
from rich.table import Table

from benchmarks.precisions.modes import FP32, Case
from benchmarks.precisions.worker import Outcome

HEADINGS = (
    "precision",
    "trains",
    "tokens/s",
    "ratio",
    "peak GiB",
    "loss",
    "against fp32",
    "skipped",
    "sample",
    "remark",
)
NUMBERS = HEADINGS[2:8]


@dataclass(frozen=True)
class Result:
    """A run and what came of it.

    Args:
        case: The run.
        outcome: What it measured; None when its process failed.
        failed: Why there is no outcome, or why it is not one to rely on.
    """

    case: Case
    outcome: Outcome | None
    failed: str | None = None

    @property
    def complete(self) -> bool:
        """Whether it did all its steps."""
        return self.outcome is not None and self.outcome.held_out_loss is not None


def remark(result: Result) -> str:
    """Say why a run has no figures, or what is odd about them.

    Args:
        result: The run.

    Returns:
        One sentence; empty for a run like any other.
    """
    outcome = result.outcome
    if outcome is None:
        return f"failed: {result.failed}"
    if outcome.ended:
        shown = "past fit's check, " if outcome.refused else ""
        return f"{shown}ended after {outcome.steps} steps: {outcome.ended}"
    if not result.complete:
        return f"not run here: {outcome.refused}"
    if outcome.refused:
        return f"run past fit's check: {outcome.refused}"
    odd = outcome.precision != result.case.mode.precision
    return f"computed in {outcome.precision}" if odd else ""


def baseline(results: list[Result], kind: str) -> Outcome | None:
    """Find what the runs of a kind are compared with.

    Args:
        results: All runs.
        kind: `lora` or `full`.

    Returns:
        The outcome of fp32, or None when it was not run to its end.
    """
    found = [r for r in results if r.case.mode.name == FP32 and r.case.kind == kind and r.complete]
    return found[0].outcome if found else None


def rows(results: list[Result]) -> list[list[str]]:
    """Lay the runs out under `HEADINGS`.

    Args:
        results: All runs.

    Returns:
        One row of text per run.
    """
    return [_row(result, baseline(results, result.case.kind)) for result in results]


def _row(result: Result, base: Outcome | None) -> list[str]:
    outcome, start = result.outcome, [result.case.mode.name, result.case.kind]
    if outcome is None or not result.complete:
        return [*start, *("-" for _ in (*NUMBERS, "sample")), remark(result)]
    pairs: list[tuple[str, Callable[[Outcome], float | None]]] = [
        ("{:.1f}", lambda of: of.tokens_per_s),
        ("{:.2f}", lambda of: _divided(of.tokens_per_s, base.tokens_per_s if base else None)),
        ("{:.2f}", lambda of: of.peak_gib),
        ("{:.4f}", lambda of: of.held_out_loss),
        ("{:+.4f}", lambda of: _less(of.held_out_loss, base.held_out_loss if base else None)),
    ]
    figures = [_shown(text, of(outcome)) for text, of in pairs]
    return [*start, *figures, str(outcome.skipped), _agreement(outcome, base), remark(result)]


def _shown(text: str, figure: float | None) -> str:
    return "-" if figure is None or not math.isfinite(figure) else text.format(figure)


def _divided(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


def _less(one: float | None, other: float | None) -> float | None:
    return one - other if one is not None and other is not None else None


def _agreement(outcome: Outcome, base: Outcome | None) -> str:
    """Say how far a sample is that of fp32."""
    if base is None or outcome is base or outcome.sample is None or base.sample is None:
        return "-"
    if outcome.sample == base.sample:
        return "the same"
    pairs = zip(outcome.sample, base.sample, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), None)
    shortest = min(len(outcome.sample), len(base.sample))
    return f"other from character {(shortest if same is None else same) + 1}"


def table(results: list[Result]) -> Table:
    """Lay the runs out for the terminal.

    Args:
        results: All runs.

    Returns:
        Something that rich prints.
    """
    shown = Table(title="precisions, each against fp32 of the same kind")
    for name in HEADINGS:
        shown.add_column(name, justify="right" if name in NUMBERS else "left")
    for row in rows(results):
        shown.add_row(*row)
    return shown


def markdown(results: list[Result]) -> str:
    """Lay the runs out for a page.

    Args:
        results: All runs.

    Returns:
        A table in Markdown.
    """
    ruler = ["---:" if name in NUMBERS else "---" for name in HEADINGS]
    lines = [HEADINGS, ruler, *rows(results)]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def draw(results: list[Result], path: Path) -> None:
    """Draw speed, peak memory and loss of each run that was run to its end.

    Args:
        results: All runs.
        path: PNG file to write.
    """
    done = [result for result in results if result.complete and result.outcome][::-1]
    names = [result.case.name for result in done]
    outcomes = [result.outcome for result in done if result.outcome]
    panels = {
        "tokens per second": [o.tokens_per_s or 0.0 for o in outcomes],
        "peak memory (GiB)": [o.peak_gib or 0.0 for o in outcomes],
        "loss after the last step": [o.held_out_loss or 0.0 for o in outcomes],
    }
    figure = Figure(figsize=(12, 1.2 + 0.4 * len(done)), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    for place, (title, values) in zip(axes, panels.items(), strict=True):
        finite = [value if math.isfinite(value) else 0.0 for value in values]
        bars = place.barh(names, finite)
        place.bar_label(bars, fmt="%.4g", padding=2)
        place.set_title(title)
        place.margins(x=0.2)
    figure.savefig(path, dpi=120)
