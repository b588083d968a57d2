"""Do data, loss, training and generation fit together? A few rows must be learnt by heart.

Trains a phase on the first rows of a file with configs/debug/overfit.yaml, then lets the model
folder that the run left answer those rows. Right is a training loss below a tenth of its first
value and an answer that equals its row.

    python benchmarks/overfit.py --phase skeleton --rows FILE.jsonl
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sk2d.commands.fit import fit
from sk2d.corpus.files import read_rows
from sk2d.corpus.rows import SftRow, sft_row
from sk2d.models.generate import generate
from sk2d.models.load import load_model, load_tokenizer
from sk2d.prompts import clean, get_prompt

CONSOLE = Console()
MAX_NEW_TOKENS = 1024


@dataclass(frozen=True)
class Outcome:
    """What came of a phase.

    Args:
        phase: `skeleton` or `skin`.
        steps: Optimiser steps.
        first_loss: Training loss of the first step.
        last_loss: Training loss of the last step.
        equal: Answers that equal their row.
        rows: Rows that were trained on.
        seconds: Time of all steps.
    """

    phase: str
    steps: int
    first_loss: float
    last_loss: float
    equal: int
    rows: int
    seconds: float

    @property
    def learnt(self) -> bool:
        """Whether the loss fell to a tenth and an answer is equal."""
        return self.last_loss < 0.1 * self.first_loss and self.equal > 0


def options(phase: str, machine: str, rows: str, limit: int, output: Path) -> list[str]:
    """Give the options of `fit`, as one would type them.

    Args:
        phase: `skeleton` or `skin`.
        machine: Machine config.
        rows: File of rows.
        limit: How many of its rows to learn.
        output: Run folder.

    Returns:
        Options without those that the user adds.
    """
    configs = [f"{phase}.yaml", machine, "configs/debug/overfit.yaml"]
    chosen = [part for config in configs for part in ("--config", config)]
    return [
        *chosen,
        "--overwrite",
        f"--data.train={rows}",
        f"--data.limit={limit}",
        f"--data.effective_batch={limit}",
        f"--trainer.default_root_dir={output}",
    ]


def count_equal(phase: str, rows: list[SftRow], folder: Path) -> int:
    """Let a model folder answer rows and count the answers that equal theirs.

    Args:
        phase: `skeleton` or `skin`.
        rows: The rows.
        folder: Model folder.

    Returns:
        The number of equal answers.
    """
    model, tokenizer = load_model(str(folder)), load_tokenizer(str(folder))
    prompt = get_prompt(phase)
    prompts = [prompt.render(row.source) for row in rows]
    answers = generate(model, tokenizer, prompts, stop=prompt.stop, max_new_tokens=MAX_NEW_TOKENS)
    pairs = zip(answers, rows, strict=True)
    return sum(answer.finished and clean(answer.text) == clean(row.target) for answer, row in pairs)


def overfit(
    phase: str, machine: str, rows: str, limit: int, output: Path, more: list[str]
) -> Outcome:
    """Train and answer.

    Args:
        phase: `skeleton` or `skin`.
        machine: Machine config.
        rows: File of rows.
        limit: How many of its rows to learn.
        output: Run folder.
        more: Further options of `fit`.

    Returns:
        The outcome.
    """
    fit([*options(phase, machine, rows, limit, output), *more])
    with (output / "metrics.csv").open(encoding="utf-8") as stream:
        steps = list(csv.DictReader(stream))
    learnt = [sft_row(raw, where) for raw, where in read_rows(rows)][:limit]
    return Outcome(
        phase=phase,
        steps=len(steps),
        first_loss=float(steps[0]["loss"]),
        last_loss=float(steps[-1]["loss"]),
        equal=count_equal(phase, learnt, output / "model"),
        rows=len(learnt),
        seconds=round(sum(float(step["seconds"]) for step in steps), 1),
    )


def show(outcome: Outcome) -> None:
    """Print an outcome."""
    table = Table(title=f"{outcome.phase}: learnt by heart" if outcome.learnt else "NOT learnt")
    for name, value in asdict(outcome).items():
        table.add_row(name, f"{value:.4g}" if isinstance(value, float) else str(value))
    CONSOLE.print(table)


def main() -> int:
    """Run the benchmark; 0 when the rows were learnt."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--phase", choices=("skeleton", "skin"), default="skeleton")
    parser.add_argument("--machine", default="cpu.yaml", help="machine config")
    parser.add_argument("--rows", default=None, help="rows; the shipped examples by default")
    parser.add_argument("--limit", type=int, default=4, help="how many rows to learn")
    parser.add_argument("--output", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None, help="file for the outcome")
    arguments, more = parser.parse_known_args()
    rows = arguments.rows or f"examples/{arguments.phase}.jsonl"
    output = arguments.output or Path("runs/overfit") / arguments.phase
    outcome = overfit(arguments.phase, arguments.machine, rows, arguments.limit, output, more)
    show(outcome)
    if arguments.json:
        arguments.json.write_text(json.dumps(asdict(outcome), indent=2) + "\n", encoding="utf-8")
    return 0 if outcome.learnt else 1


if __name__ == "__main__":
    sys.exit(main())
