"""`demo`: both phases on the shipped examples with a tiny model, and what it learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from sk2d.commands.demo_binary import compile_library, decompile_library, missing_decompiler
from sk2d.commands.fit import fit
from sk2d.corpus.files import read_rows, shipped
from sk2d.corpus.rows import SftRow, sft_row
from sk2d.models.answers import Answer
from sk2d.models.generate import generate
from sk2d.models.load import load_model, load_tokenizer
from sk2d.phases.samples import beside
from sk2d.prompts import get_prompt

PHASES = ("skeleton", "skin")
SHOWN = 3
MAX_NEW_TOKENS = 400
TRAINED_ROWS = 80
"""Rows of a phase: as many as so small a model learns by heart within two minutes."""


@dataclass(frozen=True)
class Shown:
    """One answered row.

    Args:
        phase: `skeleton` or `skin`.
        seen: Whether the row was trained on.
        row: The row.
        answer: What the model made of it.
    """

    phase: str
    seen: bool
    row: SftRow
    answer: Answer

    @property
    def exact(self) -> bool:
        """Whether the answer equals the reference."""
        return self.answer.text.strip() == self.row.target.strip()


def demo(output: Path = Path("runs/demo"), steps: int = 500) -> None:
    """Train Skeleton and Skin with a tiny model on the shipped examples and show answers.

    The model has about a million random weights and sees some forty functions, so it learns those
    by heart and little else: the unseen rows show that honestly. Where the decompiler is set up, a
    library is compiled on the spot and decompiled with the two models.

    Args:
        output: Folder for both runs; what an earlier demo left there is replaced.
        steps: Optimiser steps of each phase.
    """
    console = Console()
    shown: list[Shown] = []
    for phase in PHASES:
        console.rule(f"Phase {phase}: training")
        fit(training_options(phase, output / phase, steps))
        console.rule(f"Phase {phase}: answers")
        answered = answers(phase, output / phase / "model")
        for item in answered:
            console.print(beside(item.answer.text, item.row.target, title_of(item)))
        shown += answered
    console.rule("A binary, decompiled with both models")
    missing = missing_decompiler()
    if missing is None:
        library = compile_library(output / "binary")
        decompile_library(library, {phase: output / phase / "model" for phase in PHASES})
    else:
        console.print(f"left out: {missing}", markup=False)
    console.rule("What the demo did")
    console.print(summary(shown, output))


def training_options(phase: str, folder: Path, steps: int) -> list[str]:
    """Give the options with which a phase is trained; they work with `fit` as they stand.

    Args:
        phase: `skeleton` or `skin`.
        folder: Run folder.
        steps: Optimiser steps.

    Returns:
        Options of `fit`.
    """
    return [
        *("--config", f"{phase}.yaml", "--config", "cpu_tiny.yaml", "--overwrite"),
        f"--trainer.default_root_dir={folder}",
        f"--trainer.max_steps={steps}",
        "--trainer.max_epochs=-1",
        "--data.val_share=0",
        f"--data.limit={TRAINED_ROWS}",
    ]


def rows_of(name: str) -> list[SftRow]:
    """Read rows of the shipped examples.

    Args:
        name: File name.

    Returns:
        The rows.
    """
    path = shipped(f"examples/{name}")
    assert path is not None, f"examples/{name} is shipped"
    return [sft_row(raw, where) for raw, where in read_rows(path)]


def pick(rows: Sequence[SftRow], count: int) -> list[SftRow]:
    """Choose rows of different functions, spread over the file.

    Args:
        rows: Rows in the order of the file.
        count: How many to choose.

    Returns:
        One row per function, at most `count`.
    """
    first = list({row.group: row for row in reversed(rows)}.values())[::-1]
    step = max(1, len(first) // count)
    return first[::step][:count]


def answers(phase: str, folder: Path) -> list[Shown]:
    """Let a trained model answer rows that it has seen and rows that it has not.

    Args:
        phase: `skeleton` or `skin`.
        folder: The model folder.

    Returns:
        Seen rows first.
    """
    model, tokenizer, prompt = (
        load_model(str(folder)),
        load_tokenizer(str(folder)),
        get_prompt(phase),
    )
    shown = []
    for seen, name in ((True, f"{phase}.jsonl"), (False, f"{phase}_unseen.jsonl")):
        rows = pick(rows_of(name)[:TRAINED_ROWS], SHOWN)
        prompts = [prompt.render(row.source) for row in rows]
        found = generate(model, tokenizer, prompts, stop=prompt.stop, max_new_tokens=MAX_NEW_TOKENS)
        shown += [Shown(phase, seen, row, answer) for row, answer in zip(rows, found, strict=True)]
    return shown


def title_of(item: Shown) -> str:
    """Say of an answered row whether it was seen and whether the answer is right.

    Args:
        item: The answered row.

    Returns:
        One line.
    """
    label = "SEEN in training" if item.seen else "UNSEEN, held back"
    return f"{item.row.id} [{label}] {'equals' if item.exact else 'differs from'} its reference"


def summary(shown: Sequence[Shown], output: Path) -> str:
    """Say what was learnt and where everything lies.

    Args:
        shown: The answered rows.
        output: Folder of the runs.

    Returns:
        Several lines.
    """
    lines = []
    for phase in PHASES:
        for seen in (True, False):
            group = [item for item in shown if item.phase == phase and item.seen == seen]
            exact = sum(item.exact for item in group)
            lines.append(f"{phase}, {'seen' if seen else 'unseen'}: {exact} of {len(group)} equal")
    for phase in PHASES:
        folder = output / phase
        lines += [
            f"{folder}/model: the {phase} model (transformers loads it)",
            f"{folder}/loss.png and metrics.csv: what happened",
            f"{folder}/config.yaml, run.json: what was run; {folder}/checkpoints: to go on from",
        ]
    if (output / "binary").is_dir():
        lines.append(f"{output}/binary: the library and its source, for cli.py decompile")
    return "\n".join(lines)
