"""`models` through the command line."""

from __future__ import annotations

import json

import pytest

from sk2d.commands.main import main
from sk2d.models.load import load_model


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"input": "int f(int a);", "output": "return a;"}) + "\n")
    return path


def test_tiny_from_rows(rows, tmp_path, capsys):
    command = ["models", "tiny", "--rows", str(rows), "--vocabulary", "300", "--hidden", "32"]
    assert main([*command, "--layers", "1", "--heads", "2"]) == 0
    assert "models/tiny is ready" in " ".join(capsys.readouterr().out.split())
    assert load_model("tiny").config.vocab_size == 300
    assert main(command) == 2
    assert "not empty" in capsys.readouterr().err


def test_tiny_from_several_files(rows, tmp_path):
    assert main(["models", "tiny", "--rows", json.dumps([str(rows)] * 2)]) == 0


def test_tiny_without_any_rows(rows, monkeypatch, capsys):
    monkeypatch.setattr("sk2d.commands.models.shipped", lambda name: None)
    assert main(["models", "tiny"]) == 2
    assert "--rows FILE.jsonl" in capsys.readouterr().err


def test_fetch_of_an_unknown_model(capsys):
    assert main(["models", "fetch", "smollm"]) == 2
    assert "smollm2-135m" in capsys.readouterr().err
