"""Our front end on references compiled at their level."""

from __future__ import annotations

from pathlib import Path

import pytest

from sk2d.errors import DataError
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.own_frontend import build_program, own_frontend
from sk2d.evaluation.sets import load_set
from tests.evaluation.conftest import ROWS, Folder


def test_a_program_is_built_at_its_level() -> None:
    assert build_program(ROWS[0]["code"], "O2")[:4] == b"\x7fELF"
    assert build_program(ROWS[0]["code"], "O0") != build_program(ROWS[0]["code"], "O2")
    with pytest.raises(DataError, match=r"does not compile: program\.c:1:22: error: 'nothing'"):
        build_program("int f(void) { return nothing; }", "O0")


def test_functions_come_as_pseudo_code_or_with_a_reason(
    folder: Folder, tmp_path: Path, has_flatline: bool
) -> None:
    if not has_flatline:
        pytest.skip("flatline is not here: make decompiler")
    string = ROWS[0] | {
        "id": "s",
        "func_name": "name",
        "code": 'const char *name(void) { static const char *a[] = {"one", "two"}; return a[1]; }',
    }
    missing = ROWS[0] | {"id": "m", "code": "int other(void); int twice(int a) { return other(); }"}
    inlined = ROWS[0] | {"id": "i", "func_name": "gone", "opt": "O2"}
    functions = load_set(folder.rows("s.jsonl", [*ROWS, string, missing, inlined])).functions
    told: list[tuple[int, int]] = []
    journal = Journal(tmp_path / "p.jsonl")
    found = own_frontend(functions, "gcc", journal, 2, lambda *numbers: told.append(numbers))
    assert set(found.failures) == {"m", "i"}
    assert "undefined reference" in found.failures["m"]
    assert "no function gone" in found.failures["i"]
    assert "* 2" in found.answers["twice/O0"].code
    assert told[-1] == (7, 7)
    again = own_frontend(functions, "gcc", Journal(tmp_path / "p.jsonl"), 1)
    assert again == found
