import json
from pathlib import Path

import pytest

from sk2d.errors import FrontendError
from sk2d.frontends.pseudo_rows import PseudoRows


def test_rows_become_functions(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [
        {"name": "f", "pseudo": "int f() {}", "address": "0x401136"},
        {"input": "int g() {}"},
        {"func_name": "h", "pseudo": "int h() {}", "address": 16},
    ]
    path.write_text("\n\n".join(map(json.dumps, rows)) + "\n")
    frontend = PseudoRows()
    targets = frontend.functions(path)
    assert [(t.name, t.address, t.is_named) for t in targets] == [
        ("f", 0x401136, True),
        ("row3", 3, False),
        ("h", 16, True),
    ]
    assert [r.pseudo for r in PseudoRows().decompile(path, targets[:2])] == [
        "int f() {}",
        "int g() {}",
    ]


def test_a_c_file_is_one_function(tmp_path: Path) -> None:
    path = tmp_path / "parse.c"
    path.write_text("int parse(void) { return 1; }")
    frontend = PseudoRows("ghidra")
    [record] = frontend.decompile(path, frontend.functions(path))
    assert (record.name, record.dialect) == ("parse", "ghidra")


@pytest.mark.parametrize(
    ("content", "says"),
    [("nonsense\n", "line 1: it is no JSON"), ('{"a": 1}\n', "line 1: there is no pseudo-code")],
)
def test_a_wrong_row_is_named(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(content)
    with pytest.raises(FrontendError, match=says):
        PseudoRows().functions(path)
    with pytest.raises(FrontendError):
        PseudoRows().functions(tmp_path / "none")
