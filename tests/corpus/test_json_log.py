"""A kill costs the line that was being written, and no other."""

from pathlib import Path

import pytest

from sk2d.corpus.json_log import JsonLog
from sk2d.errors import UserError


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_line_that_was_cut_off_goes_and_spoils_nothing(cut: int, tmp_path: Path) -> None:
    log = JsonLog(tmp_path / "folder" / "log.jsonl")
    log.add([{"text": "one\ntwo \udce9"}, [2]])
    log.add(["last one"])
    log.path.write_bytes(log.path.read_bytes()[:-cut])
    log.values()
    log.add([3])
    assert log.values() == [{"text": "one\ntwo \udce9"}, [2], 3]


def test_there_is_nothing_where_nothing_was_written(tmp_path: Path) -> None:
    log = JsonLog(tmp_path / "log.jsonl")
    assert log.values() == []
    log.path.write_bytes(b'{"half')
    assert log.values() == []


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    log = JsonLog(tmp_path / "log.jsonl")
    log.path.write_bytes(b"1\noops\n2\n")
    with pytest.raises(UserError, match="damaged") as raised:
        log.values()
    assert str(raised.value).startswith(f"{log.path}:2")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        JsonLog(tmp_path / "file" / "log.jsonl").add([1])
