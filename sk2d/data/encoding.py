"""Tokenising the rows of a source into an Arrow file, a thousand at a time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sk2d.corpus.rows import SftRow
from sk2d.data.sources import RowSource
from sk2d.data.token_rows import SCHEMA
from sk2d.data.tokens import (
    Joined,
    TooLong,
    encode_prompts,
    encode_targets,
    join,
    prefix_ids,
    tokenizer_hash,
)
from sk2d.errors import DataError
from sk2d.prompts import Prompt

_CHUNK = 1000
_BAR_FROM = 10_000  # smaller sets are done before a bar could be read


@dataclass(frozen=True)
class Encoding:
    """How rows become tokens.

    Args:
        tokenizer: A fast Hugging Face tokenizer.
        prompt: The prompt around the source.
        cutoff: The most tokens of a row.
        too_long: What happens to longer rows.
    """

    tokenizer: Any
    prompt: Prompt
    cutoff: int
    too_long: TooLong

    @cached_property
    def hash(self) -> str:
        """Hex digits that change whenever the ids of a row may change."""
        parts = [tokenizer_hash(self.tokenizer), self.prompt.hash, self.cutoff, self.too_long]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def join_all(self, rows: list[SftRow]) -> list[Joined | None]:
        """Tokenise rows.

        Args:
            rows: The rows.

        Returns:
            The ids of each, or None where it is too long.
        """
        prompts = encode_prompts([self.prompt.render(row.source) for row in rows], self.tokenizer)
        targets = encode_targets([self.prompt.target(row.target) for row in rows], self.tokenizer)
        keep = len(prefix_ids(self.tokenizer))
        return [
            join(prompt, target, self.cutoff, self.too_long, keep)
            for prompt, target in zip(prompts, targets, strict=True)
        ]


@dataclass
class Counts:
    """What became of the rows: `rows_in = rows + dropped_too_long`.

    Args:
        rows_in: Rows read.
        rows: Rows kept.
        dropped_too_long: Rows left out, because they are longer than the cutoff.
        prompt_cut: Rows kept whose prompt lost its left end.
        target_truncated: Always 0: a target is never cut.
        predictions_found: Rows whose id stands in the predictions.
        predictions_used: Rows kept whose source is a prediction.
        tokens: Tokens of the rows kept.
        supervised_tokens: Those of them that reach the loss.
        longest: Tokens of the longest row kept.
    """

    rows_in: int = 0
    rows: int = 0
    dropped_too_long: int = 0
    prompt_cut: int = 0
    target_truncated: int = 0
    predictions_found: int = 0
    predictions_used: int = 0
    tokens: int = 0
    supervised_tokens: int = 0
    longest: int = 0

    def add(self, joined: Joined | None) -> None:
        """Count a row.

        Args:
            joined: Its ids, or None when it was left out.
        """
        self.rows_in += 1
        if joined is None:
            self.dropped_too_long += 1
            return
        length = len(joined.input_ids)
        self.rows += 1
        self.prompt_cut += joined.cut
        self.tokens += length
        self.supervised_tokens += length - max(joined.prompt_len, 1)
        self.longest = max(self.longest, length)


def encode_rows(source: RowSource, encoding: Encoding, path: Path) -> dict[str, Any]:
    """Tokenise a source into an Arrow file.

    Args:
        source: The rows.
        encoding: How they become tokens.
        path: The file to write.

    Returns:
        The fields of `Counts`, and `rows_hash`, which changes with the text or order of the rows.

    Raises:
        DataError: There are predictions, and none of them belongs to a row.
    """
    counts, digest = Counts(), hashlib.sha256()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, SCHEMA) as writer:
        for rows in _chunks(_with_progress(source)):
            joined = encoding.join_all(rows)
            kept = [(row, one) for row, one in zip(rows, joined, strict=True) if one is not None]
            for one in joined:
                counts.add(one)
            _count_predictions(counts, source, rows, [row for row, _ in kept])
            for row, _ in kept:
                digest.update(json.dumps([row.id, row.source, row.target]).encode())
            writer.write_batch(_record_batch(kept))
    if source.predictions and counts.rows_in and not counts.predictions_found:
        raise DataError(
            f"none of its ids belongs to a row of {source.path}",
            where=source.predictions.source,
            remedy="Predict the very rows that are trained on, so that their ids agree",
        )
    return {**asdict(counts), "rows_hash": digest.hexdigest()}


def _count_predictions(
    counts: Counts, source: RowSource, rows: list[SftRow], kept: list[SftRow]
) -> None:
    if mix := source.predictions:
        counts.predictions_found += sum(row.id in mix.answers for row in rows)
        counts.predictions_used += sum(bool(mix.answers.get(row.id, "").strip()) for row in kept)


def _record_batch(kept: list[tuple[SftRow, Joined]]) -> pa.RecordBatch:
    columns = [
        [joined.input_ids for _, joined in kept],
        [joined.prompt_len for _, joined in kept],
        [row.id for row, _ in kept],
        [row.group for row, _ in kept],
        [row.where for row, _ in kept],
    ]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.record_batch(arrays, schema=SCHEMA)


def _chunks(rows: Iterable[SftRow]) -> Iterator[list[SftRow]]:
    iterator = iter(rows)
    while chunk := list(islice(iterator, _CHUNK)):
        yield chunk


def _with_progress(source: RowSource) -> Iterator[SftRow]:
    """Pass rows on and, for large sets, show how many have passed."""
    rows = source.rows()
    first = list(islice(rows, _BAR_FROM + 1))
    if len(first) <= _BAR_FROM:
        yield from first
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"tokenising {source.path}", total=source.count())
        for chunk in (first, *_chunks(rows)):
            yield from chunk
            progress.advance(task, len(chunk))
