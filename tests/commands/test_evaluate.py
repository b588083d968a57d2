"""`evaluate` and `report` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.commands.main import main
from tests.evaluation.conftest import ANSWERS, BLIND, ROWS, Folder
from tests.evaluation.test_judge import Server, server

__all__ = ["server"]


def call(folder: Folder, *options: object, rows: list = ROWS) -> int:
    given = ("--set", folder.rows("set.jsonl", rows), "--output", folder.path / "out")
    return main(["evaluate", *map(str, (*given, *options))])


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_systems_are_compared_and_shown(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    mine = folder.rows("mine.jsonl", ANSWERS)
    better = folder.rows(
        "better.jsonl", [ANSWERS[0], {"id": "twice/O2", "code": ANSWERS[0]["code"]}]
    )
    assert call(folder, "--predictions", f"mine={mine}", f"better={better}") == 0
    said = capsys.readouterr()
    assert "50.0" in next(line for line in said.out.splitlines() if "better" in line)
    assert "25.0" in next(line for line in said.out.splitlines() if "mine" in line)
    assert "answers: " in said.err
    assert {path.name for path in (folder.path / "out").iterdir()} == {
        "journal",
        "report.html",
        "results.json",
        "results.md",
        "run.json",
    }
    assert call(folder, "--predictions", f"mine={mine}", f"better={better}", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((folder.path / "out" / "results.json").read_text())


def test_f7_a_blind_set_ends_with_2(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(folder, rows=[*ROWS, BLIND]) == 2
    assert "blind (accepts_stub)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--predictions", "mine.jsonl"], "is not NAME=FILE"),
        (["--predictions", "a=b", "a=c"], "the name a stands twice"),
        (["--predictions", "a=nowhere.jsonl"], "nowhere.jsonl"),
        (["--workers", "0"], "--workers: it must be at least 1"),
        (["--pseudo", "ghidra_pseudo"], "--pseudo: it is what models read"),
        (["--prompt", "skin"], "--prompt"),
        (["--judge_model", "m"], "--judge_model: there is no judge"),
        (["--judge", "ftp://a"], "no address of a web service"),
        (["--judge", "http://127.0.0.1"], "say which model judges"),
        (["--predictons", "a=b"], "--predictions"),
    ],
)
def test_mistakes_are_one_line_and_2(
    options: list[str], says: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(folder, *options) == 2
    said = capsys.readouterr().err
    assert says in said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1
    assert not (folder.path / "out").exists()


def test_other_flags_stand_in_the_results(folder: Folder) -> None:
    mine = folder.rows("mine.jsonl", ANSWERS)
    assert call(folder, "--predictions", f"mine={mine}", "--flags=-O1 -std=gnu11 -w") == 0
    found = json.loads((folder.path / "out" / "results.json").read_text())
    assert found["settings"]["cflags"] == ["-O1", "-std=gnu11", "-w"]
    assert [each["same"] for each in found["settings"]["canaries"]] == [None] * 3


def test_a_judge_tells_its_cost_and_marks(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.say = lambda text: "No mark." if "value + 2" in text else "Rating: 4"
    mine = folder.rows("mine.jsonl", ANSWERS)
    options = ("--predictions", f"mine={mine}", "--judge", server.url, "--judge_model", "m")
    assert call(folder, *options, "--judge_price", "[1, 2]") == 0
    said = capsys.readouterr().err
    assert "requests, about" in said
    assert "by the price" in said
    found = json.loads((folder.path / "out" / "results.json").read_text())
    judged = found["systems"]["mine"]["judge"]
    assert (judged["mean"]["total"], judged["asked"], judged["without_mark"]) == (4.0, 3, 1)
    assert found["settings"]["judge"]["model"] == "m"
    assert found["systems"]["stub"]["judge"] is None
    assert "## Judge: m" in (folder.path / "out" / "results.md").read_text()


def test_report_makes_the_page_anew(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    mine = folder.rows("mine.jsonl", ANSWERS)
    assert call(folder, "--predictions", f"mine={mine}") == 0
    page = (folder.path / "out" / "report.html").read_bytes()
    elsewhere = folder.path / "elsewhere" / "page.html"
    assert main(["report", str(folder.path / "out"), "--output", str(elsewhere)]) == 0
    assert elsewhere.read_bytes() == page
    assert str(elsewhere) in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_damaged_file_of_results_is_named(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.json").write_text(text)
    assert main(["report", str(tmp_path)]) == 2
    assert "this is no file of results" in capsys.readouterr().err


def test_a_folder_of_neither_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert "neither" in capsys.readouterr().err
