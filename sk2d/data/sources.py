"""Where supervised rows come from: a file or hub name, its first rows, and mixed-in predictions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from sk2d.corpus.files import content_hash, count_rows, read_rows
from sk2d.corpus.rows import CODE, PREDICTED_IR, SftRow, row_id, sft_row
from sk2d.errors import DataError
from sk2d.prompts import unwrap


def chance(seed: int, key: str) -> float:
    """Draw a number for a key, the same on every run and machine.

    Args:
        seed: Seed of the draw.
        key: What the number belongs to.

    Returns:
        A number from 0 to below 1.
    """
    digest = hashlib.sha256(f"{seed}\n{key}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@dataclass(frozen=True)
class Predictions:
    """The Skeleton's own answers, which stand in for clean IR in a share of the Skin's rows.

    Args:
        source: File with rows `id, predicted_ir` or `id, code`.
        share: Share of the rows with an answer that get it.
        seed: Seed of the choice.
    """

    source: str
    share: float
    seed: int

    @cached_property
    def answers(self) -> dict[str, str]:
        """Read the answers.

        Returns:
            Answers by row id, of the chosen rows only; "" for the others and for answers that are
            empty or were cut off.

        Raises:
            DataError: A row holds no answer, or an id comes twice.
        """
        answers: dict[str, str] = {}
        for raw, where in read_rows(self.source):
            key = row_id(raw, where)
            # Files of predictions may carry the true source as `code` beside the predicted IR.
            column = PREDICTED_IR if PREDICTED_IR in raw else CODE
            if not isinstance(raw.get(column), str):
                raise DataError(
                    f"`{PREDICTED_IR}` or `{CODE}` is missing or no text",
                    where=where,
                    remedy=f"A row of predictions holds `id` and `{PREDICTED_IR}` (or `{CODE}`)",
                )
            if key in answers:
                raise DataError(f"the id '{key}' comes twice", where=where, remedy="Keep one")
            # An answer that was cut off would stand for the whole function.
            whole = raw.get("finished") is not False
            chosen = whole and chance(self.seed, key) < self.share
            answers[key] = unwrap(raw[column]).strip("\n") if chosen else ""
        return answers

    def mixed(self, row: SftRow) -> SftRow:
        """Put the prediction into a chosen row.

        Args:
            row: A row with clean IR.

        Returns:
            The row with the Skeleton's answer as its source, or the row as it was.
        """
        answer = self.answers.get(row.id, "")
        return replace(row, source=answer) if answer.strip() else row


@dataclass(frozen=True)
class RowSource:
    """The rows of one set, always in the same order.

    Args:
        path: File or hub name.
        limit: How many rows to take from its start; None takes all.
        predictions: Answers to mix in.
        need_target: Whether rows must have an answer.
    """

    path: str
    limit: int | None = None
    predictions: Predictions | None = None
    need_target: bool = True

    def rows(self) -> Iterator[SftRow]:
        """Read the rows.

        Yields:
            Each row, with a prediction where one was chosen.
        """
        for raw, where in islice(read_rows(self.path), self.limit):
            row = sft_row(raw, where, need_target=self.need_target)
            yield self.predictions.mixed(row) if self.predictions else row

    def count(self) -> int | None:
        """Give the number of rows where it is known without reading them."""
        total = count_rows(self.path)
        if total is None or self.limit is None:
            return total
        return min(total, self.limit)

    @cached_property
    def hash(self) -> str:
        """Hex digits that change whenever the rows do."""
        parts: list[object] = [content_hash(self.path), self.path, self.limit]
        if mix := self.predictions:
            parts += [content_hash(mix.source), mix.share, mix.seed]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
