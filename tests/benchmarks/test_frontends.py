"""The benchmark of front ends takes any rows of its shape, and counts what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.frontends import main
from sk2d.frontends.flatline import Flatline

RIGHT = {
    "code": "int triple(int a) {\n  return a * 3;\n}\n",
    "test": "#include <assert.h>\nint main(void) { assert(triple(5) == 15); return 0; }\n",
    "func_name": "triple",
}


def rows(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_shares_by_level(tmp_path: Path) -> None:
    missing = Flatline().missing()
    if missing:
        pytest.skip(missing)
    wrong = RIGHT | {"test": RIGHT["test"].replace("15", "16")}
    given = (
        RIGHT | {"id": "a", "opt": "O0"},
        RIGHT | {"id": "b", "opt": "O2"},
        wrong | {"id": "c", "opt": "O2"},
    )
    given += (
        {"id": "d", "opt": "O2", "ghidra_pseudo": "int triple(int a){ return a+a+a; }"} | RIGHT,
    )
    output = tmp_path / "found.json"
    assert main(["--rows", str(rows(tmp_path, *given)), "--json", str(output)]) == 0
    found = json.loads(output.read_text())
    flatline = found["flatline"]
    assert (flatline["compile"], flatline["pass"]) == (1.0, 0.75)
    assert flatline["by_level"]["O0"] == {"compile": 1.0, "pass": 1.0}
    assert flatline["by_level"]["O2"]["pass"] == pytest.approx(2 / 3)
    assert [row for row, _ in flatline["failures"]] == ["c"]
    assert found["stored ghidra"]["pass"] == 0.25


def test_a_row_that_does_not_compile_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = RIGHT | {"id": "x", "opt": "O0", "code": "int triple(int a) { return b; }"}
    assert main(["--rows", str(rows(tmp_path, broken))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: row x")
    assert said.count("\n") == 1
