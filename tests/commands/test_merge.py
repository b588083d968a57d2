"""`merge` through the command line."""

from __future__ import annotations

import pytest

from sk2d.commands.main import main
from sk2d.models.tiny import make_tiny
from tests.models.making import TEXTS, save_adapter


@pytest.fixture
def base(tmp_path):
    return make_tiny(TEXTS, tmp_path / "base", vocabulary=300, hidden=32, layers=1, heads=2)


def test_merge_writes_a_folder_and_says_what_it_proved(base, tmp_path, capsys):
    adapter = save_adapter(base, tmp_path / "adapter")
    assert (
        main(["merge", f"--adapter={adapter}", f"--output={tmp_path / 'out'}", "--dtype=bfloat16"])
        == 0
    )
    said = " ".join(capsys.readouterr().out.split())
    assert "Merged 7 layers" in said
    assert "bfloat16" in said
    assert (tmp_path / "out" / "model.safetensors").is_file()


def test_b6_another_base_ends_with_exit_code_2(base, tmp_path, capsys):
    adapter = save_adapter(base, tmp_path / "adapter")
    sizes = {"vocabulary": 300, "hidden": 32, "layers": 1, "heads": 2}
    other = make_tiny(TEXTS, tmp_path / "other", seed=1, **sizes)
    command = ["merge", f"--adapter={adapter}", f"--output={tmp_path / 'out'}", f"--base={other}"]
    assert main(command) == 2
    assert "not the base that the adapter was trained on" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main([*command, "--force"]) == 0
    assert "Warning: merged by force" in " ".join(capsys.readouterr().out.split())
