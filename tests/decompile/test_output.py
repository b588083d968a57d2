import json
from pathlib import Path

import pytest

from sk2d.decompile.output import JOURNAL, Journal, fingerprint, write_files
from sk2d.decompile.records import Decompiled, Name, Verdict
from sk2d.errors import UserError

RUN = {"binary": "a", "sha256": "0", "skin": "model"}
ONE = Decompiled(
    "f", 1, 2, "p", "n", "i", "int f(void) { return 1; }", "", Verdict(True),
    (Name(1, "f", "func1", "f"),), ("constant lost: 0x123",),
)  # fmt: skip
TWO = Decompiled("F", 9, 2, "", verdict=Verdict(None, "decompiler", "it hung"))


def test_what_was_written_down_is_read_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path, RUN, overwrite=False)
    journal.add([ONE])
    journal.add([TWO])
    assert Journal(tmp_path, RUN, overwrite=False).done() == [ONE, TWO]


def test_a_line_that_a_kill_cut_off_is_dropped(tmp_path: Path) -> None:
    journal = Journal(tmp_path, RUN, overwrite=False)
    journal.add([ONE, TWO])
    whole = (tmp_path / JOURNAL).read_bytes()
    (tmp_path / JOURNAL).write_bytes(whole[:-7])
    again = Journal(tmp_path, RUN, overwrite=False)
    assert again.done() == [ONE]
    again.add([TWO])
    assert (tmp_path / JOURNAL).read_bytes() == whole


def test_another_runs_folder_is_left_alone_unless_told(tmp_path: Path) -> None:
    Journal(tmp_path, RUN, overwrite=False).add([ONE])
    with pytest.raises(UserError, match="differing: skin"):
        Journal(tmp_path, RUN | {"skin": "other"}, overwrite=False)
    assert Journal(tmp_path, RUN | {"skin": "other"}, overwrite=True).done() == []


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UserError, match="not empty"):
        Journal(tmp_path, RUN, overwrite=False)


def test_a_run_is_told_by_the_bytes_of_the_binary(tmp_path: Path) -> None:
    binary = tmp_path / "a"
    binary.write_bytes(b"1")
    before = fingerprint(binary, {"skin": None})
    binary.write_bytes(b"2")
    assert fingerprint(binary, {"skin": None}) != before


def test_there_is_one_file_for_the_binary_and_one_per_function(tmp_path: Path) -> None:
    whole = write_files(tmp_path, [TWO, ONE])
    assert whole.compiles
    assert sorted(path.name for path in (tmp_path / "functions").iterdir()) == ["F_9.c", "f.c"]
    assert "int f(void)" in (tmp_path / "whole.c").read_text()
    assert "it hung" in (tmp_path / "functions" / "F_9.c").read_text()


def test_a_record_is_plain_json() -> None:
    found = json.loads(json.dumps(ONE.as_json()))
    keys = ["name", "address", "size", "pseudo", "pseudo_norm", "ir", "code", "verdict", "names"]
    assert set(keys) | {"warnings"} <= set(found)
    assert found["names"] == [{"address": 1, "pseudo": "f", "ir": "func1", "recovered": "f"}]
