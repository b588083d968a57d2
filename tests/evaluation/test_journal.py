"""A kill costs the entry that was being written, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.errors import UserError
from sk2d.evaluation.journal import Journal


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_cut_off_line_is_left_out_and_spoils_nothing(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "j.jsonl"
    journal = Journal(path)
    journal.add("a", {"x": 1})
    journal.add("b", [2])
    path.write_bytes(path.read_bytes()[:-cut])
    again = Journal(path)
    assert again.found["a"] == {"x": 1}
    again.add("c", None)
    found = Journal(path).found
    assert found == again.found
    assert found.keys() >= {"a", "c"}


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        Journal(tmp_path / "file" / "j.jsonl").add("a", 1)
