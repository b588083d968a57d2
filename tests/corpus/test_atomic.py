"""Files are written whole or not at all."""

import errno
import os
import socket
import stat
import subprocess

import pytest

from sk2d.corpus.files import atomic_file, read_rows, write_jsonl_atomic, write_text_atomic
from sk2d.errors import UserError


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_rows_come_back(tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    rows = [{"a": "é\u2028\n"}, {"a": None}]
    assert write_jsonl_atomic(path, iter(rows)) == 2
    assert [row for row, _ in read_rows(path)] == rows
    assert path.read_bytes().count(b"\n") == 2
    assert names(path.parent) == ["rows.jsonl"]


def test_text_replaces_a_file_and_has_the_usual_rights(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_text_atomic(path, "néw\n")
    assert path.read_bytes() == "néw\n".encode()
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_failure_half_way_leaves_the_old_file(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("old")

    def rows():
        yield {"a": 1}
        raise KeyError("stop")

    with pytest.raises(KeyError):
        write_jsonl_atomic(path, rows())
    assert path.read_text() == "old"
    assert names(tmp_path) == ["rows.jsonl"]


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"a\.txt: cannot be written \(No space left on device\)"):
        write_text_atomic(tmp_path / "a.txt", "x")
    assert names(tmp_path) == []


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "f").touch()
    with pytest.raises(UserError, match="cannot be written"), atomic_file(tmp_path / "f" / "a"):
        pass


def test_leftovers_of_killed_writers_go_and_those_of_living_ones_stay(tmp_path):
    ended = subprocess.Popen(["true"])
    ended.wait()
    host = socket.gethostname().partition(".")[0]
    mine, dead = f".a[1].txt.{host}-{os.getpid()}-0a.tmp", f".a[1].txt.{host}-{ended.pid}-0a.tmp"
    others = [f".a1.txt.{host}-{ended.pid}-0a.tmp", f".a[1].txt.else-{ended.pid}-0a.tmp"]
    for name in [mine, dead, *others]:
        (tmp_path / name).touch()
    write_text_atomic(tmp_path / "a[1].txt", "x")
    assert names(tmp_path) == sorted([mine, *others, "a[1].txt"])
