"""`export` through the command line."""

from __future__ import annotations

from sk2d.commands.main import main
from sk2d.models.tiny import make_tiny
from tests.models.making import TEXTS, save_adapter


def test_export_of_an_adapter(tmp_path, capsys):
    base = make_tiny(TEXTS, tmp_path / "base", vocabulary=300, hidden=32, layers=1, heads=2)
    save_adapter(base, tmp_path / "run" / "model")
    assert main(["export", f"--model={tmp_path / 'run'}", f"--output={tmp_path / 'out'}"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "loads and answers" in said
    assert "prompt 'skeleton'" in said
    assert (tmp_path / "out" / "sk2d.json").is_file()


def test_export_of_nothing_ends_with_exit_code_2(tmp_path, capsys):
    assert main(["export", f"--model={tmp_path / 'nothing'}", f"--output={tmp_path / 'out'}"]) == 2
    assert "no such model folder" in capsys.readouterr().err
