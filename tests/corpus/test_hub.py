"""Rows of hub data sets."""

import sys

import datasets
import pytest

from sk2d.corpus.files import content_hash, count_rows, read_rows
from sk2d.errors import DataError, UserError

ROWS = [{"input": f"code {n}", "output": "x", "n": n} for n in range(5)]


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """Stand in for the hub, which tests cannot reach."""
    monkeypatch.chdir(tmp_path)
    known = {"owner/rows": ROWS, "owner/other": ROWS[::-1]}

    def load_dataset(name: str, *, split: str) -> datasets.Dataset:
        assert split == "train"
        if name not in known:
            raise ConnectionError("the hub cannot be reached")
        return datasets.Dataset.from_list(known[name])

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)


@pytest.mark.usefixtures("hub")
def test_hub_rows():
    expected = [(row, f"owner/rows:{row['n'] + 1}") for row in ROWS]
    assert list(read_rows("owner/rows")) == expected
    assert count_rows("owner/rows") == 5
    assert content_hash("owner/rows") == content_hash("owner/rows") != content_hash("owner/other")


@pytest.mark.usefixtures("hub")
def test_a_name_that_is_neither_file_nor_data_set():
    with pytest.raises(DataError, match=r"owner/none: there is no such file, and .*be reached"):
        list(read_rows("owner/none"))


def test_a_missing_package_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(UserError, match=r"owner/rows: .*pip install 'sk2d\[train\]'"):
        list(read_rows("owner/rows"))
