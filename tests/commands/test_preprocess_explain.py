"""`preprocess --explain`: every step of one function, or the step that refuses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.commands import preprocess_explain
from sk2d.commands.main import main
from tests.corpus.preprocess.fake_tools import TOOLS, function


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A source and its pseudo-code."""
    monkeypatch.setattr(preprocess_explain, "phase0_tools", lambda: TOOLS)
    monkeypatch.setenv("COLUMNS", "100")
    source, pseudo = tmp_path / "f.c", tmp_path / "f.pseudo.c"
    source.write_text("/* mine */ " + function("f", seed=1))
    pseudo.write_text(function("sub_1", "__int64", seed=1))
    return source, pseudo


def explain(*words: object) -> int:
    return main(["preprocess", "--explain", *map(str, words)])


def test_all_steps(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    source, pseudo = files
    assert explain(source, "--pseudo", pseudo) == 0
    told = capsys.readouterr().out
    titles = [
        *("pseudo-code", "source", "normalize: pseudo-code", "obfuscate: IR", "obfuscate: mapping"),
        *("format: pseudo-code", "format: IR", "format: source", "infer: header"),
        *("compile: header + IR compile without a warning", "Rows that would be written"),
    ]
    places = [told.find(title) for title in titles]
    assert -1 not in places
    assert places == sorted(places)
    assert "int shared;" in told
    assert "func1" in told
    for name in ("skeleton", "rl_skeleton", "skin", "rl_skin"):
        assert name in told[places[-1] :]


def test_a_source_alone(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(files[0]) == 0
    told = capsys.readouterr().out
    assert "normalize" not in told
    assert "skeleton" not in told
    assert "rl_skin" in told


@pytest.mark.parametrize(
    ("word", "step"), [("CLASH", "infer"), ("NOT_C", "compile"), ("SLOW", "format")]
)
def test_the_step_that_refuses(
    files: tuple[Path, Path], word: str, step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files[0].write_text(function("f", word, seed=1))
    assert explain(files[0]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert f"{step}: " in told
    assert "The row is rejected as " in told
    assert "Rows that would be written" not in told


def test_a_row_that_is_kept_without_compiling(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    files[0].write_text(function("f", "NOT_C", seed=1))
    assert explain(files[0], "--require_compiling", "false") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "compile: no, not_compiling" in told
    assert "rl_skin" not in told


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(tmp_path / "none.c") == 2
    (tmp_path / "latin.c").write_bytes(b"int f(void) { return '\xe9'; }")
    assert explain(tmp_path / "latin.c") == 2
    told = capsys.readouterr().err.splitlines()
    assert "none.c: No such file" in told[0]
    assert "latin.c: byte 23 is no UTF-8" in told[1]
