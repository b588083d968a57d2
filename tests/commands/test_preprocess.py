"""The command `preprocess`: options, tables, JSON, exit codes, hints for upstream's users."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.commands.main import main
from sk2d.commands.upstream_options import UPSTREAM
from sk2d.corpus import pipeline
from tests.corpus.preprocess.fake_tools import TOOLS, pair


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Raw pairs, and quick steps for them."""
    monkeypatch.setattr(pipeline, "phase0_tools", lambda: TOOLS)
    path = tmp_path / "raw.jsonl"
    rows = [pair(f"f{n}", seed=n) for n in range(4)] + [pair("g", "NOT_C", seed=9)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(*words: object) -> int:
    return main(["preprocess", "--workers", "1", *map(str, words)])


def test_rows_and_a_table(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert run("--input", raw, "--output", tmp_path / "out", "--val_share", 0.25) == 0
    streams = capsys.readouterr()
    assert streams.err == ""
    told = " ".join(streams.out.split())
    assert "5 rows in = 4 rows out + 1 rejects" in told
    assert "not_compiling 1" in told
    assert "Audit: nothing found" in told
    assert (tmp_path / "out" / "skeleton.val.jsonl").read_text().count("\n") == 1


def test_the_report_as_json_is_the_one_that_is_written(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--input", raw, raw, "--output", tmp_path / "out", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "out" / "report.json").read_text())
    assert printed["rows_in"] == 10
    assert printed["reasons"]["duplicate"]["rows"] == 4
    assert len(printed["inputs"]) == 2


def test_several_evaluation_files(raw: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{n}.jsonl" for n in range(2)]
    for n, path in enumerate(files):
        path.write_text(json.dumps(pair(f"f{n}", seed=n)))
    out = tmp_path / "out"
    assert run("--decontaminate", *files, "--input", raw, "--output", out) == 0
    report = json.loads((out / "report.json").read_text())
    assert report["reasons"]["contaminated"]["rows"] == 2


def test_one_step(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "norm.json"
    assert run("--steps", "normalize", "--input", raw, "--output", out) == 0
    assert capsys.readouterr().out.startswith("5 rows in = 5 rows in ")
    assert all("pseudo_norm" in row for row in json.loads(out.read_text()))


def test_a_run_that_failed_as_a_whole(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw.write_text(json.dumps(pair("g", "NOT_C")))
    assert run("--input", raw, "--output", tmp_path / "out") == 1
    streams = capsys.readouterr()
    assert "1 of the 1 rows" in streams.err
    assert "not_compiling" in streams.out
    assert (tmp_path / "out" / "rejects.jsonl").exists()


MISTAKES = [
    (["--output", "x"], "--input is missing"),
    (["--input", "x.jsonl"], "--output is missing"),
    (["--input", "none.jsonl", "--output", "x"], "none.jsonl: there is no such file"),
    (["--pseudo", "pseudo_norm"], "--pseudo: this is a file for --explain"),
    (["--filters", "maim", "--input", "a", "--output", "b"], "Did you mean main?"),
    (["--inptu", "x"], "Did you mean --input?"),
    (["--dialect", "hexrays"], "dialect"),
]


@pytest.mark.parametrize(("words", "line"), MISTAKES)
def test_one_line_and_exit_code_2(
    words: list[str], line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["preprocess", *words]) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert line in told


def test_workers_are_at_least_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preprocess", "--input", "a", "--output", "b", "--workers", "0"]) == 2
    assert "--workers: 0 is out of range" in capsys.readouterr().err


@pytest.mark.parametrize("option", sorted(UPSTREAM["preprocess"]))
def test_options_of_upstream_get_a_hint(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    dashes = "-" if len(option) == 1 else "--"
    assert main(["preprocess", f"{dashes}{option}", "1"]) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert told.endswith(UPSTREAM["preprocess"][option])
