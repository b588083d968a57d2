"""The rows of a plan: how many there are, how long they are, and how one reaches the loss."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from sk2d.commands.config.check import Values
from sk2d.commands.config.policy import is_policy
from sk2d.corpus.files import is_hub_name, read_rows
from sk2d.corpus.rl_rows import rl_row
from sk2d.data import RolloutData, SupervisedData
from sk2d.data.preview import preview_question, preview_text
from sk2d.data.sources import RowSource
from sk2d.data.splits import split_by_group
from sk2d.data.tokens import encode_prompt
from sk2d.models.bases import local_folder
from sk2d.models.load import load_tokenizer
from sk2d.prompts import Prompt, get_prompt

CHARACTERS_PER_TOKEN = 3.0
"""Of C and pseudo-code, where the model's tokenizer is not on this machine."""


@dataclass(frozen=True)
class RowFigures:
    """What is known of the training rows without training on them.

    Args:
        rows: Rows of an epoch, those held back and left out not counted.
        dropped: Rows left out as longer than the cutoff.
        tokens: Tokens of an epoch.
        supervised: Those of them that reach the loss.
        longest: Tokens of the longest row.
        exact: Whether the model's own tokenizer counted; else tokens are estimated from characters.
        example: One row, coloured by what reaches the loss.
        legend: What the example shows.
    """

    rows: int
    dropped: int
    tokens: int
    supervised: int
    longest: int
    exact: bool
    example: RenderableType
    legend: str = "One row: dim is masked, what stands between ⟦ and ⟧ reaches the loss"


def count(values: Values) -> RowFigures | None:
    """Read the training rows of a config.

    Args:
        values: The values of a config without mistakes in its data.

    Returns:
        The figures, or None for rows that lie on the hub: a plan fetches nothing.
    """
    if is_hub_name(values.get("data.train")):
        return None
    phase: Any = values.sections["model"].owner
    prompt = get_prompt(values.get("model.prompt") or phase.default_prompt)
    if is_policy(values):
        return _asked(values, prompt)
    data = SupervisedData(**values.arguments("data") | {"preview": 0})
    folder = local_folder(values.get("model.base"))
    if folder is None:
        return _estimated(data, prompt)
    return _exact(data, prompt, folder)


def _exact(data: SupervisedData, prompt: Prompt, folder: Path) -> RowFigures:
    data.connect(load_tokenizer(str(folder)), prompt)
    data.setup("fit")
    found = data.summary
    return RowFigures(
        rows=found["rows"],
        dropped=found["dropped_too_long"],
        tokens=found["tokens"],
        supervised=found["supervised_tokens"],
        longest=found["longest"],
        exact=True,
        example=data.preview_rows(1),
    )


def _estimated(data: SupervisedData, prompt: Prompt) -> RowFigures:
    rows = list(RowSource(data.train, data.limit).rows())
    if data.val is None:
        kept, _ = split_by_group([row.group for row in rows], data.val_share)
        rows = [rows[number] for number in kept]
    answers = [_tokens(prompt.target(row.target)) + 1 for row in rows]  # 1: the end token
    totals = [_tokens(prompt.render(row.source)) for row in rows]
    pairs = [(total + answer, answer) for total, answer in zip(totals, answers, strict=True)]
    fitting = [pair for pair in pairs if pair[0] <= data.cutoff]
    return RowFigures(
        rows=len(fitting),
        dropped=len(pairs) - len(fitting),
        tokens=sum(total for total, _ in fitting),
        supervised=sum(answer for _, answer in fitting),
        longest=max((total for total, _ in fitting), default=0),
        exact=False,
        example=preview_text(prompt.render(rows[0].source), prompt.target(rows[0].target)),
    )


def _asked(values: Values, prompt: Prompt) -> RowFigures:
    """Count prompts, with answers as long as they may be; no reference is judged for a plan."""
    data = RolloutData(**values.arguments("data") | {"preview": 0})
    folder = local_folder(values.get("model.base"))
    tokenizer = load_tokenizer(str(folder)) if folder else None
    raw = islice(read_rows(data.train), data.limit)
    rows = [rl_row(row, where) for row, where in raw]
    if data.val is None:
        kept, _ = split_by_group([row.group for row in rows], data.val_share, data.val_rows)
        rows = [rows[number] for number in kept]
    texts = [prompt.render(row.source) for row in rows]
    lengths = [len(encode_prompt(text, tokenizer)) if folder else _tokens(text) for text in texts]
    fitting = [length for length in lengths if length <= data.cutoff]
    answers = int(values.get("model.rollouts.answers")) * int(values.get("model.max_new_tokens"))
    return RowFigures(
        rows=len(fitting),
        dropped=len(lengths) - len(fitting),
        tokens=sum(fitting) + answers * len(fitting),
        supervised=answers * len(fitting),
        longest=max(fitting, default=0),
        exact=folder is not None,
        example=preview_question(rows[0].id, texts[0], rows[0].reference),
        legend="One prompt with its reference; tokens count answers as long as they may be",
    )


def _tokens(text: str) -> int:
    return round(len(text) / CHARACTERS_PER_TOKEN)
