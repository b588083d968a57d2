"""The demo trains both phases and labels what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.commands.demo import demo
from sk2d.commands.demo_binary import FUNCTIONS, missing_decompiler
from sk2d.models.card import read_facts


@pytest.mark.slow
def test_the_demo_shows_seen_and_unseen_rows_of_both_phases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo(tmp_path, steps=20)
    shown = capsys.readouterr().out
    assert shown.count("SEEN in training") == 6
    assert shown.count("UNSEEN, held back") == 6
    assert "skin, unseen: " in shown
    if missing_decompiler() is None:
        assert (tmp_path / "binary" / "library.so").read_bytes().startswith(b"\x7fELF")
        for name in FUNCTIONS:
            assert f"/* {name} at 0x" in shown
    else:
        assert "left out: " in shown
    for phase in ("skeleton", "skin"):
        facts = read_facts(tmp_path / phase / "model")
        assert facts is not None
        assert facts.prompt == phase
        assert (tmp_path / phase / "loss.png").exists()
