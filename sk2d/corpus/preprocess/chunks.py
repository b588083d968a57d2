"""The input cut into chunks, always at the same places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from sk2d.corpus.files import count_rows, raw_rows
from sk2d.corpus.preprocess.records import Item

CHUNK_ROWS: Final = 64
"""Most rows that share one clang-format and one jail."""

CHUNK_BYTES: Final = 1 << 22
"""Bytes from which on a chunk is full, so that long lines do not fill the memory."""


def chunks(paths: Sequence[str]) -> Iterator[list[Item]]:
    """Read the input, chunk by chunk; where it is cut depends on the input alone.

    Args:
        paths: Files or hub names, read one after the other.

    Yields:
        Lists of rows, none of them empty.
    """
    chunk: list[Item] = []
    size = 0
    for content, where in chain.from_iterable(map(raw_rows, paths)):
        chunk.append(Item(content, where))
        size += len(content) if isinstance(content, bytes) else 0
        if len(chunk) == CHUNK_ROWS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def total_rows(paths: Sequence[str]) -> int | None:
    """Count the rows of the input where that takes no parsing, for the progress bar.

    Args:
        paths: Files or hub names.

    Returns:
        The number of rows (of lines, for JSONL), or None.
    """
    counts = [count_rows(path) for path in paths]
    return None if None in counts else sum(filter(None, counts))
