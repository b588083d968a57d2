"""The rows of the comparison, as text for sk2d and as the very same ids for the others."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from sk2d.corpus.files import write_jsonl_atomic, write_text_atomic
from sk2d.corpus.rows import INPUT, INSTRUCTION, OUTPUT, SftRow
from sk2d.data.modules import SupervisedData
from sk2d.data.sources import RowSource
from sk2d.data.tokens import build
from sk2d.models.load import load_tokenizer
from sk2d.prompts import get_prompt

PROMPT = "skeleton"


@dataclass(frozen=True)
class Rows:
    """The rows that every contender trains on.

    Args:
        texts: JSONL file for sk2d.
        tokens: JSON file with ids and prompt lengths, in the order in which sk2d trains.
        count: Different rows.
        total: Tokens of the run.
        supervised: Those that reach the loss.
        left_out: Rows whose answer alone is longer than the cutoff.
    """

    texts: Path
    tokens: Path
    count: int
    total: int
    supervised: int
    left_out: int


def prepare_rows(
    files: list[str],
    base: str,
    folder: Path,
    *,
    steps: int,
    rows_per_step: int,
    cutoff: int,
    seed: int,
) -> Rows:
    """Choose rows, write them as text, and write the ids that sk2d makes of them.

    As many rows are drawn as the steps need; where there are fewer, all that fill whole steps are
    gone through again, each time in another order.

    Args:
        files: Files with supervised rows.
        base: The model whose tokenizer is used.
        folder: Where to write.
        steps: Optimiser steps.
        rows_per_step: Rows of each.
        cutoff: The most tokens of a row; prompts are cut on the left, answers never.
        seed: Seed of choice and order.

    Returns:
        The rows.

    Raises:
        SystemExit: There are not enough rows for one step.
    """
    tokenizer, prompt = load_tokenizer(base), get_prompt(PROMPT)
    found = [row for file in files for row in RowSource(file).rows()]

    def fits(row: SftRow) -> bool:
        texts = prompt.render(row.source), prompt.target(row.target)
        return build(*texts, tokenizer, cutoff, "cut_prompt") is not None

    kept = [row for row in found if fits(row)]
    wanted = min(steps * rows_per_step, len(kept) // rows_per_step * rows_per_step)
    if not wanted:
        raise SystemExit(f"{len(kept)} rows fit into {cutoff} tokens, a step has {rows_per_step}")
    chosen = random.Random(seed).sample(kept, wanted)
    texts = folder / "rows.jsonl"
    write_jsonl_atomic(
        texts, [{INSTRUCTION: "", INPUT: row.source, OUTPUT: row.target} for row in chosen]
    )
    data = SupervisedData(
        train=str(texts),
        val_share=0.0,
        cutoff=cutoff,
        too_long="cut_prompt",
        effective_batch=rows_per_step,
        batch_size=rows_per_step,
        seed=seed,
        cache_dir=str(folder / "cache"),
    )
    data.connect(tokenizer, prompt)
    data.setup("fit")
    tokenised, plan = data.sets.get("train"), data.plan()
    assert tokenised is not None, "rows were chosen"
    epochs = -(-steps // plan.steps_per_epoch)
    order = list(chain.from_iterable(chain.from_iterable(plan.steps(e)) for e in range(epochs)))
    examples = [tokenised.example(int(row)) for row in order[: steps * rows_per_step]]
    ids = [[[int(i) for i in example.input_ids], example.prompt_len] for example in examples]
    tokens = folder / "tokens.json"
    write_text_atomic(tokens, json.dumps(ids))
    return Rows(
        texts=texts,
        tokens=tokens,
        count=wanted,
        total=sum(len(row) for row, _ in ids),
        supervised=sum(len(row) - prompt for row, prompt in ids),
        left_out=len(found) - len(kept),
    )
