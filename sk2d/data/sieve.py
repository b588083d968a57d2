"""Which rows of a file reinforcement learning can use, and what became of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import track

from sk2d.corpus.files import read_rows
from sk2d.corpus.rl_rows import RlRow, rl_row
from sk2d.data.tokens import encode_prompts
from sk2d.errors import DataError
from sk2d.prompts import Prompt

Unfit = Callable[[Sequence[RlRow]], list[str | None]]
"""Tells why the reward cannot use each row; None for a row that it can."""

CHUNK: Final = 64  # rows judged together: enough for all cores, few enough for a bar that moves
_BAR_FROM: Final = 500  # fewer are judged before a bar could be read


class PromptRows(NamedTuple):
    """Rows of one set.

    Attributes:
        rows: The rows, in order.
        lengths: Tokens of the rendered prompt of each.
    """

    rows: list[RlRow]
    lengths: list[int]

    def take(self, numbers: Iterable[int]) -> PromptRows:
        """Give some of the rows.

        Args:
            numbers: Their numbers.

        Returns:
            Those rows, in that order.
        """
        chosen = list(numbers)
        return PromptRows([self.rows[n] for n in chosen], [self.lengths[n] for n in chosen])


@dataclass
class Sifted:
    """The usable rows of a file, and what became of the others.

    `rows_in` is the sum of the kept, of `dropped_too_long`, and of those in `left_out`.

    Attributes:
        kept: Rows that can be used.
        rows_in: Rows read.
        dropped_too_long: Rows whose prompt is longer than the cutoff.
        left_out: Rows that the reward cannot use: id, where, reason.
    """

    kept: PromptRows = field(default_factory=lambda: PromptRows([], []))
    rows_in: int = 0
    dropped_too_long: int = 0
    left_out: list[dict[str, str]] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Give the counts of the file."""
        return {
            "rows_in": self.rows_in,
            "dropped_too_long": self.dropped_too_long,
            "left_out": len(self.left_out),
        }


@dataclass(frozen=True)
class Sieve:
    """What a row must be to be used: of the phase, short enough, fit for the reward.

    Args:
        tokenizer: A fast Hugging Face tokenizer.
        prompt: The prompt around the source.
        phase: `skeleton` or `skin`.
        cutoff: The most tokens of a rendered prompt.
        unfit: Tells which rows the reward cannot use.
    """

    tokenizer: Any
    prompt: Prompt
    phase: str
    cutoff: int
    unfit: Unfit

    def read(self, path: str, limit: int | None, most: int | None = None) -> Sifted:
        """Read the usable rows of a file; all that is read has been looked at before any is judged.

        Args:
            path: File or hub name.
            limit: How many rows to take from its start; None takes all.
            most: How many usable rows are enough; None means all.

        Returns:
            The rows.
        """
        found = Sifted()
        rows = (self._of_phase(rl_row(*one)) for one in islice(read_rows(path), limit))
        while chunk := list(islice(rows, None if most is None else most - len(found.kept.rows))):
            for part in _with_progress(chunk, path):
                self._sift(part, found)
        return found

    def _of_phase(self, row: RlRow) -> RlRow:
        if row.phase != self.phase:
            raise DataError(
                f"this is a row of the {row.phase}, and the model is a {self.phase}",
                where=row.where,
                remedy=f"Name rows of the {self.phase}, such as rl_{self.phase}.train.jsonl of "
                f"`python cli.py preprocess`, or train the {row.phase}",
            )
        return row

    def _sift(self, rows: Sequence[RlRow], found: Sifted) -> None:
        ids = encode_prompts([self.prompt.render(row.source) for row in rows], self.tokenizer)
        short = [
            (row, len(its_ids))
            for row, its_ids in zip(rows, ids, strict=True)
            if len(its_ids) <= self.cutoff
        ]
        found.rows_in += len(rows)
        found.dropped_too_long += len(rows) - len(short)
        reasons = self.unfit([row for row, _ in short]) if short else []
        for (row, length), reason in zip(short, reasons, strict=True):
            if reason is not None:
                found.left_out.append({"id": row.id, "where": row.where, "reason": reason})
                continue
            found.kept.rows.append(row)
            found.kept.lengths.append(length)


def _with_progress(rows: Sequence[RlRow], path: str) -> Iterable[Sequence[RlRow]]:
    """Cut rows into chunks and, where there are many, show how many have passed."""
    chunks = [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
    if len(rows) < _BAR_FROM:
        return chunks
    told = f"judging the references of {path}"
    return track(chunks, told, console=Console(stderr=True), transient=True)
