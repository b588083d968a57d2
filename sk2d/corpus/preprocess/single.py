"""One step alone over a file, with the columns that upstream's scripts read and write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final, Literal

from sk2d.c.tokens import clean_source
from sk2d.corpus.atomic import atomic_file
from sk2d.corpus.preprocess.filters import FILTERS, Texts
from sk2d.corpus.preprocess.layout import bare
from sk2d.corpus.preprocess.records import Item, Record
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.preprocess.steps import (
    compile_check,
    each,
    format_columns,
    infer,
    normalize,
    read_record,
)
from sk2d.corpus.preprocess.tools import Tools
from sk2d.corpus.rows import CODE, CODE_FORMAT, CODE_NORM, HEADER, IR, PSEUDO, PSEUDO_NORM
from sk2d.errors import UserError

AddRow = Callable[[Mapping[str, Any]], None]
StepName = Literal["normalize", "obfuscate", "format", "infer"]


@dataclass(frozen=True)
class SingleStep:
    """A step with its columns, as the work of a pool of processes.

    Args:
        name: The step.
        settings: The choices of the run.
        tools: The functions of the steps.
    """

    name: StepName
    settings: Settings
    tools: Tools

    def __call__(self, items: Sequence[Item]) -> list[Record]:
        """Do the step for a chunk.

        Args:
            items: What stands in the input.

        Returns:
            One record per item, in order.
        """
        records = [self.unjudged(item) for item in items]
        going_on = [record for record in records if record.reject is None]
        if going_on:
            COLUMNS[self.name].work(going_on, self.settings, self.tools)
        for record in records:
            record.made = {key: record.made.get(key) for key in COLUMNS[self.name].writes}
        return records

    def unjudged(self, item: Item) -> Record:
        """Read an item without working on it.

        Args:
            item: What stands in the input.

        Returns:
            Its record.
        """
        return read_record(item, COLUMNS[self.name].reads)


@dataclass(frozen=True)
class Columns:
    """What a step reads and writes.

    Args:
        reads: Columns that have to be there.
        writes: The column that it adds.
        work: What it does.
    """

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    work: Callable[[Sequence[Record], Settings, Tools], None]


def _normalize(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    normalize(records, settings, tools)
    _format(records, PSEUDO_NORM, PSEUDO_NORM, settings, tools)


def _obfuscate(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    def work(record: Record) -> None:
        """Do one row."""
        code = bare(clean_source(record.row[CODE]))
        pseudo = record.row.get(PSEUDO_NORM) or record.row[PSEUDO]
        record.made[CODE_NORM] = tools.obfuscate(code, str(pseudo))[0]

    each("obfuscate", records, work)


def _format_code(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    for record in records:
        record.made[CODE_NORM] = record.row[CODE_NORM]
    _format(records, CODE_NORM, CODE_FORMAT, settings, tools)


def _format(
    records: Sequence[Record], column: str, target: str, settings: Settings, tools: Tools
) -> None:
    """Format a column, and let the filters of lines judge it, as upstream does."""
    alive = [record for record in records if record.reject is None]
    format_columns(alive, {column: target}, tools)
    for record in alive:
        for name in settings.filters:
            text = str(record.made.get(target) or "")
            texts = Texts(name="", pseudo=text, ir=text)
            if record.reject is None and FILTERS[name].refuses(texts, settings):
                record.refuse("filter", FILTERS[name].reason, f"filter {name}")


def _infer(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    for record in records:
        record.made[IR] = record.row[CODE_FORMAT]
    infer(records, settings, tools)
    compile_check([record for record in records if record.reject is None], settings, tools)


COLUMNS: Final[Mapping[StepName, Columns]] = {
    "normalize": Columns((PSEUDO,), (PSEUDO_NORM,), _normalize),
    "obfuscate": Columns((CODE, PSEUDO), (CODE_NORM,), _obfuscate),
    "format": Columns((CODE_NORM,), (CODE_FORMAT,), _format_code),
    "infer": Columns((CODE_FORMAT,), (HEADER,), _infer),
}
"""The steps by their names on the command line."""

# What stands before all rows, between two, behind each, and behind all.
_SHAPES: Final = {".json": (b"[\n", b",\n", b"", b"\n]\n"), ".jsonl": (b"", b"", b"\n", b"")}


@contextmanager
def open_rows(
    path: Path, *, ascii_only: bool = False
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Open a file of rows in the shape that its ending tells.

    Args:
        path: A `.json` file for a list as upstream writes it, or a `.jsonl` file.
        ascii_only: Whether what is not ASCII is escaped, so that any text can be written.

    Yields:
        A function that takes row after row.
    """
    before, between, line_end, after = _SHAPES[path.suffix.lower()]
    with atomic_file(path) as stream:
        stream.write(before)
        gaps = chain([b""], repeat(between))

        def add(row: Mapping[str, Any]) -> None:
            """Write a row."""
            text = json.dumps(row, ensure_ascii=ascii_only).encode("utf-8")
            stream.write(next(gaps) + text + line_end)

        yield add
        stream.write(after)


def check_shape(path: Path) -> None:
    """See that a file can be written in the shape that its ending tells.

    Args:
        path: The file.

    Raises:
        UserError: The ending is unknown.
    """
    if path.suffix.lower() not in _SHAPES:
        raise UserError(
            f"a single step cannot write '{path.suffix}'",
            where=str(path),
            remedy="Name a .json or .jsonl file",
        )
