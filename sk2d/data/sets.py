"""The rows of training, validation and test: which file each comes from, and which part of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sk2d.corpus.rows import SftRow
from sk2d.data.batches import Example
from sk2d.data.cache import Cached, tokenised
from sk2d.data.encoding import Encoding
from sk2d.data.sources import Predictions, RowSource
from sk2d.data.splits import split_by_group
from sk2d.data.token_rows import TokenRows
from sk2d.errors import DataError

# As `data.val`: validate on the rows that are trained on.
SAME = "train"

_FILE_COUNTS = (
    "rows_in",
    "dropped_too_long",
    "prompt_cut",
    "target_truncated",
    "predictions_found",
    "predictions_used",
)


@dataclass(frozen=True)
class RowSet:
    """Tokenised rows of one set, numbered from 0 within it.

    Args:
        tokens: Rows of the whole file.
        chosen: Which of them belong to the set.
    """

    tokens: TokenRows
    chosen: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.chosen)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each row."""
        return self.tokens.lengths[self.chosen]

    @property
    def supervised(self) -> NDArray[np.int64]:
        """Supervised tokens of each row."""
        return self.tokens.supervised[self.chosen]

    def example(self, row: int) -> Example:
        """Give one row.

        Args:
            row: Its number within the set.

        Returns:
            The row.
        """
        return self.tokens.example(int(self.chosen[row]))._replace(row=row)


@dataclass
class RowSets:
    """The sets "train", "val" and "test", tokenised when first asked for.

    Without a file of its own, "val" is a share of the functions of the training file, and "test" is
    "val".

    Args:
        paths: File or hub name by set; None where it has none. "train" has one. "val" may be the
            word `train`: then its rows are those of "train".
        encoding: How rows become tokens.
        folder: Folder of the cache.
        val_share: Share of the functions to hold back.
        limit: How many rows to take from the start of each file.
        predictions: Answers to mix into the training file.
    """

    paths: dict[str, str | None]
    encoding: Encoding
    folder: Path
    val_share: float
    limit: int | None = None
    predictions: Predictions | None = None
    _files: dict[str, Cached] = field(default_factory=dict, repr=False)
    _sets: dict[str, RowSet | None] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> RowSet | None:
        """Give a set.

        Args:
            name: "train", "val" or "test".

        Returns:
            The set, or None where no row belongs to it.
        """
        name = "val" if name == "test" and self.paths["test"] is None else name
        if name not in self._sets:
            self._sets[name] = self._make(name)
        return self._sets[name]

    def texts(self, name: str, count: int | None = None) -> list[SftRow]:
        """Read the text of a set's first rows again: the cache holds only their ids.

        Args:
            name: "train", "val" or "test".
            count: The most rows; None means all.

        Returns:
            The rows, in order.
        """
        rows = self.get(name)
        if rows is None:
            return []
        wanted = {rows.tokens.where(int(row)) for row in rows.chosen[:count]}
        found: list[SftRow] = []
        for text in self._source(self._file_name(name)).rows():
            if text.where in wanted:
                found.append(text)
            if len(found) == len(wanted):
                break
        return found

    def counts(self, names: Iterable[str]) -> dict[str, Any]:
        """Count rows and tokens.

        Args:
            names: Which sets; the first one's keys have no prefix.

        Returns:
            Per set: rows read from its file, left out and kept, and tokens; and `data_hash`, which
            changes with the text, the order or the split of the rows.
        """
        counts: dict[str, Any] = {}
        digest = hashlib.sha256()
        for number, name in enumerate(names):
            rows = self.get(name)
            file = self._file(self._file_name(name)).summary
            digest.update(f"{name}:{file['rows_hash']}:".encode())
            found = {"rows": 0 if rows is None else len(rows)}
            if rows is not None:
                digest.update(rows.chosen.tobytes())
                found["tokens"] = int(rows.lengths.sum())
                found["supervised_tokens"] = int(rows.supervised.sum())
                found["longest"] = int(rows.lengths.max())
            if number == 0 or self.paths[name]:
                found |= {key: file[key] for key in _FILE_COUNTS}
            prefix = f"{name}_" if number else ""
            counts |= {prefix + key: value for key, value in found.items()}
        return counts | {"data_hash": digest.hexdigest()}

    def _file_name(self, name: str) -> str:
        if name == "test" and self.paths["test"] is None:
            name = "val"
        return "train" if name == "val" and self.paths["val"] in (None, SAME) else name

    def _source(self, file: str) -> RowSource:
        path = self.paths[file]
        assert path is not None, f"{file} has no file"
        return RowSource(path, self.limit, self.predictions if file == "train" else None)

    def _file(self, file: str) -> Cached:
        if file not in self._files:
            cached = tokenised(self._source(file), self.encoding, self.folder)
            if not cached.summary["rows"]:
                raise self._nothing_left(file, cached.summary)
            self._files[file] = cached
        return self._files[file]

    def _nothing_left(self, file: str, counts: dict[str, Any]) -> DataError:
        remedy = "Raise data.cutoff, or set data.too_long to cut_prompt"
        return DataError(
            f"no row is left: {counts['rows_in']} read, {counts['dropped_too_long']} of them "
            f"left out as longer than {self.encoding.cutoff} tokens (data.cutoff)",
            where=f"data.{file}: {self.paths[file]}",
            remedy=remedy if counts["rows_in"] else "Name a file that holds rows",
        )

    def _make(self, name: str) -> RowSet | None:
        tokens = self._file(self._file_name(name)).rows
        chosen = np.arange(len(tokens))
        if self.paths["val"] is None and name in ("train", "val"):
            sides = split_by_group(tokens.column("group"), self.val_share)
            chosen = sides[name == "val"]
        return RowSet(tokens, chosen) if len(chosen) else None
