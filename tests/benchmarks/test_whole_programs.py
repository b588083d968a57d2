"""A whole program is decompiled into one file, and its tests run in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.whole_programs import main
from sk2d.frontends.flatline import Flatline


@pytest.mark.slow
def test_trees_come_back_whole_and_work(tmp_path: Path) -> None:
    missing = Flatline().missing()
    if missing:
        pytest.skip(missing)
    output = tmp_path / "whole.json"
    assert main(["--only", "trees", "--json", str(output)]) == 0
    found = json.loads(output.read_text())["flatline"]
    assert found["functions"] == 40
    assert found["inside"] == found["pass"] == 1.0, found["failures"]
