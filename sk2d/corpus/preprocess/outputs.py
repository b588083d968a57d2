"""The files of a finished run, written side by side while the records go by once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from sk2d.corpus.atomic import atomic_file
from sk2d.corpus.preprocess.decisions import TRAIN, VAL
from sk2d.corpus.preprocess.records import Record, reject_row
from sk2d.corpus.rows import (
    CODE_FORMAT,
    COMPILE_REASON,
    COMPILES,
    HEADER,
    ID,
    IR,
    MAPPING,
    PSEUDO_NORM,
    SPLIT,
    WARNINGS,
    make_rl_row,
    make_sft_row,
)
from sk2d.prompts import PROMPTS

ROWS, REJECTS, REPORT = "rows.jsonl", "rejects.jsonl", "report.json"
SFT: Final = {"skeleton": (PSEUDO_NORM, IR), "skin": (IR, CODE_FORMAT)}
"""Columns that a phase reads and answers with."""

_ADDED: Final = (PSEUDO_NORM, IR, HEADER, MAPPING, COMPILES, COMPILE_REASON, WARNINGS, CODE_FORMAT)
_GROUP: Final = 500  # rows in memory per Parquet file


def output_names() -> list[str]:
    """Give the names of all files that a run writes.

    Returns:
        The names, without folder.
    """
    kinds = [f"{kind}{phase}.{side}" for kind in ("", "rl_") for phase in SFT for side in SIDES]
    return [ROWS, REJECTS, REPORT, *(f"{k}.{end}" for k in kinds for end in ("jsonl", "parquet"))]


SIDES: Final = (TRAIN, VAL)


class Sink(Protocol):
    """Somewhere that rows go."""

    def add(self, row: Mapping[str, Any]) -> None:
        """Take the next row.

        Args:
            row: The row.
        """


class _Jsonl:
    def __init__(self, stream: BinaryIO, *, ascii_only: bool = False) -> None:
        self.stream = stream
        self.ascii_only = ascii_only

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row."""
        text = json.dumps(row, ensure_ascii=self.ascii_only)
        self.stream.write(text.encode("utf-8") + b"\n")


class _Parquet:
    """Rows gathered into groups, so that a file is never in memory as a whole."""

    def __init__(self, stream: BinaryIO, schema: Any) -> None:
        import pyarrow.parquet as pq  # here, because it takes long to import

        self.schema = schema
        self.writer = pq.ParquetWriter(stream, schema, compression="zstd")
        self.rows: list[Mapping[str, Any]] = []

    def add(self, row: Mapping[str, Any]) -> None:
        """Gather a row."""
        self.rows.append(row)
        if len(self.rows) >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the gathered rows as one group."""
        import pyarrow as pa

        if self.rows:
            self.writer.write_table(pa.Table.from_pylist(self.rows, schema=self.schema))
            self.rows = []

    def __enter__(self) -> _Parquet:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.flush()
        self.writer.close()  # in any case, or it would be closed when its stream is gone


def _sft_schema() -> Any:
    import pyarrow as pa

    example = make_sft_row({}, "file:1", "", "")
    return pa.schema([(name, pa.string()) for name in example])


def _rl_schema() -> Any:
    import pyarrow as pa

    text = pa.string()
    return pa.schema(
        {
            "id": text,
            "data_source": text,
            "prompt": pa.list_(pa.struct({"role": text, "content": text})),
            "ability": text,
            "reward_model": pa.struct({"style": text, "ground_truth": text}),
            "extra_info": pa.struct(
                {"index": pa.int64(), "split": text, "header": text, "func_name": text}
            ),
        }
    )


class Outputs:
    """All output files of a run, open at the same time.

    Args:
        sinks: The places that rows go, by name of the file without its ending.
    """

    def __init__(self, sinks: Mapping[str, Sequence[Sink]]) -> None:
        self.sinks = sinks
        self.counts = dict.fromkeys(sinks, 0)

    def reject(self, record: Record) -> None:
        """Write a record that was refused.

        Args:
            record: The record.
        """
        self._add("rejects", reject_row(record))

    def keep(self, record: Record, side: str) -> None:
        """Write a record that stays: raw columns and results, and the rows made of it.

        Args:
            record: The record.
            side: `train` or `val`.
        """
        made = record.made
        added = {column: made[column] for column in _ADDED}
        self._add("rows", {ID: record.id} | record.row | added | {SPLIT: side})
        for phase, (source, target) in SFT.items():
            row = make_sft_row(record.row, record.where, made[source], made[target])
            self._add(f"{phase}.{side}", row)
            if made[COMPILES]:
                self._add_rl(record, phase, side)

    def _add_rl(self, record: Record, phase: str, side: str) -> None:
        source, target = SFT[phase]
        name = f"rl_{phase}.{side}"
        row = make_rl_row(
            PROMPTS[phase].render(record.made[source]),
            record.made[target],
            id=record.id,
            phase=phase,
            index=self.counts[name],
            split=side,
            header=record.made[HEADER] if target == IR else "",
            name=record.made["function"],
        )
        self._add(name, row)

    def _add(self, name: str, row: Mapping[str, Any]) -> None:
        self.counts[name] += 1
        for sink in self.sinks[name]:
            sink.add(row)


@contextmanager
def open_outputs(folder: Path) -> Iterator[Outputs]:
    """Open the output files; each takes its place only when the block ends well.

    Args:
        folder: The output folder.

    Yields:
        The files.
    """
    with ExitStack() as stack:

        def stream(name: str) -> BinaryIO:
            """Open a file that is there only when all went well."""
            return stack.enter_context(atomic_file(folder / name))

        sinks: dict[str, list[Sink]] = {
            "rows": [_Jsonl(stream(ROWS))],
            "rejects": [_Jsonl(stream(REJECTS), ascii_only=True)],
        }
        for kind, schema in (("", _sft_schema()), ("rl_", _rl_schema())):
            for name in (f"{kind}{phase}.{side}" for phase in SFT for side in SIDES):
                table = stack.enter_context(_Parquet(stream(f"{name}.parquet"), schema))
                sinks[name] = [_Jsonl(stream(f"{name}.jsonl")), table]
        yield Outputs(sinks)
