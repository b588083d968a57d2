"""Rows of Parquet files; the base package reads them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sk2d.corpus.files import count_rows, read_rows
from sk2d.errors import DataError

ROWS = [{"input": f"code {n}", "output": "x", "n": n} for n in range(5)]


def test_parquet_in_row_groups(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=2)
    assert list(read_rows(path)) == [(row, f"{path}:{row['n'] + 1}") for row in ROWS]
    assert count_rows(path) == 5


def test_damaged_parquet_is_named(tmp_path):
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(DataError, match=r"rows\.parquet: this is no readable Parquet file"):
        list(read_rows(path))
