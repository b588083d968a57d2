"""Tokenised rows in an Arrow file, memory-mapped: a row is read when it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sk2d.data.batches import Example

SCHEMA = pa.schema(
    [
        ("input_ids", pa.list_(pa.int32())),
        ("prompt_len", pa.int32()),
        ("id", pa.string()),
        ("group", pa.string()),
        ("where", pa.string()),
    ]
)


class TokenRows:
    """Read access to an Arrow file of tokenised rows.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open()

    def _open(self) -> None:
        table = pa.ipc.open_file(pa.memory_map(str(self.path))).read_all()
        self._table = table
        chunks = table["input_ids"].chunks
        # Views into the mapping, not copies.
        self._offsets = [chunk.offsets.to_numpy() for chunk in chunks]
        self._values = [chunk.values.to_numpy() for chunk in chunks]
        self._first = np.cumsum([0, *(len(chunk) for chunk in chunks)])
        sizes = [np.diff(offsets) for offsets in self._offsets]
        self.lengths = np.concatenate([np.zeros(0, np.int64), *sizes]).astype(np.int64)
        self.prompt_lens = table["prompt_len"].to_numpy().astype(np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def supervised(self) -> NDArray[np.int64]:
        """Supervised tokens of each row; the first token of a row is never one."""
        return self.lengths - np.maximum(self.prompt_lens, 1)

    def column(self, name: str) -> list[str]:
        """Give a text column as a whole.

        Args:
            name: "id", "group" or "where".

        Returns:
            Its values in the order of the rows.
        """
        return list(self._table[name].to_pylist())

    def where(self, row: int) -> str:
        """Give the place that a row was read from.

        Args:
            row: Its number.

        Returns:
            `file:line`.
        """
        return str(self._table["where"][row].as_py())

    def example(self, row: int) -> Example:
        """Give one row.

        Args:
            row: Its number.

        Returns:
            Its ids, as a view into the file, and the length of its prompt.
        """
        chunk = int(np.searchsorted(self._first, row, side="right")) - 1
        start, end = self._offsets[chunk][row - self._first[chunk] :][:2]
        return Example(row, self._values[chunk][start:end], int(self.prompt_lens[row]))

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.path = state["path"]
        self._open()
