"""Generated answers beside their references, at every validation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sk2d.corpus.atomic import write_jsonl_atomic
from sk2d.phases.answer_metrics import answer_metrics, exact_match
from sk2d.phases.attached import is_trial, supervised_data_of
from sk2d.prompts import clean

if TYPE_CHECKING:
    from sk2d.phases.supervised import SupervisedModule

SHOWN_LINES = 30


class SampleWriter(Callback):
    """Answers a few rows that are held back, shows them, and logs how good the answers are.

    Args:
        console: Where the answers are shown; null means standard output.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()

    def on_validation_epoch_end(self, trainer: Trainer, module: SupervisedModule) -> None:
        """Generate, show, keep and count.

        Args:
            trainer: The trainer.
            module: The module.
        """
        if trainer.sanity_checking or not module.samples:
            return
        records = self._answered(trainer, module, "val")
        if trainer.is_global_zero:
            self.console.print(side_by_side(records))
            if trainer.state.fn == "fit" and not is_trial(trainer):
                replace_records(samples_file(trainer), trainer.global_step, records)

    def on_test_epoch_end(self, trainer: Trainer, module: SupervisedModule) -> None:
        """Do for test rows what is done at a validation.

        Args:
            trainer: The trainer.
            module: The module.
        """
        if not module.samples:
            return
        records = self._answered(trainer, module, "test")
        if trainer.is_global_zero:
            self.console.print(side_by_side(records))

    def _answered(
        self, trainer: Trainer, module: SupervisedModule, stage: str
    ) -> list[dict[str, Any]]:
        """Answer rows, and log the measures of the answers."""
        rows = supervised_data_of(trainer).sample_rows(module.samples, stage)
        answers = module.answer([module.prompt.render(row.source) for row in rows])
        texts = [answer.text for answer in answers]
        metrics = answer_metrics(module.phase)
        metrics.update(texts, [clean(row.target) for row in rows])
        module.log_dict({f"{stage}/{name}": value for name, value in metrics.compute().items()})
        return [
            {"step": trainer.global_step, "id": row.id, "answer": answer.text}
            | {"reference": row.target, "exact": bool(exact_match(answer.text, clean(row.target)))}
            | {"finished": answer.finished}
            for row, answer in zip(rows, answers, strict=True)
        ]


def samples_file(trainer: Trainer) -> Path:
    """Give the file of a run's samples.

    Args:
        trainer: The trainer.

    Returns:
        `samples.jsonl` in the run folder.
    """
    return Path(trainer.default_root_dir) / "samples.jsonl"


def replace_records(path: Path, step: int, records: list[dict[str, Any]]) -> None:
    """Put the records of a step behind those of earlier steps; later ones are of a run given up.

    Args:
        path: JSONL file.
        step: Step of the records.
        records: Plain values.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    earlier = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    write_jsonl_atomic(path, [*(row for row in earlier if row["step"] < step), *records])


def side_by_side(records: list[dict[str, Any]]) -> Group:
    """Lay answers out beside their references.

    Args:
        records: Answers with `step`, `id`, `answer`, `reference`, `exact` and `finished`.

    Returns:
        Something that rich prints.
    """
    blocks = []
    for record in records:
        verdict = "equals its reference" if record["exact"] else "differs from its reference"
        verdict += "" if record["finished"] else ", cut off"
        title = f"{record['id']}: {verdict}"
        blocks.append(beside(record["answer"], record["reference"], title))
    return Group(*blocks)


def beside(answer: str, reference: str, title: str) -> Group:
    """Lay one answer out beside its reference, in two columns of equal width under a title.

    Args:
        answer: What a model answered.
        reference: What would have been right.
        title: One line; it stands above both, where it is never cut.

    Returns:
        Something that rich prints.
    """
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    left = Panel(Text(_shortened(answer)), title="answer")
    grid.add_row(left, Panel(Text(_shortened(reference)), title="reference"))
    return Group(Text(title, style="bold"), grid)


def _shortened(text: str) -> str:
    lines = text.rstrip().splitlines()
    more = [f"... {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return "\n".join(lines[:SHOWN_LINES] + more)
