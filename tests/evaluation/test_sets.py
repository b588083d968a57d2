"""Every released format gives functions; what is wrong with a file is said, all at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sk2d.errors import DataError, UserErrors
from sk2d.evaluation.sets import load_set

CODE = "int func0(int a) { return a; }"
EVAL = {"index": 3, "func_name": "func0(int)", "func_dep": "#include <math.h>", "func": CODE}
EVAL |= {"test": "int main(void) {}", "opt": "O2", "language": "c", "asm": "", "ida_asm": ""}
EVAL |= {"ida_pseudo": "int func0(int a1) {}", "ghidra_pseudo": "int func0(int p) {}"}
FIRST = {
    "task_id": 7,
    "type": "O1",
    "c_func": CODE,
    "c_test": "int main(void) {}",
    "input_asm_prompt": "",
}
EXE = {"path": "a/b.c", "fname": "func0", "func_def": CODE, "real_deps": "typedef int T;"}
PAIR = {"id": "p", "opt": "O0", "func_name": "func0", "code": CODE, "pseudo": "int func0() {}"}


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("row", "format", "id", "level", "tested"),
    [
        (EVAL, "decompile-eval", "3/O2", "O2", True),
        (FIRST, "decompile-eval-1", "7/O1", "O1", True),
        (EXE, "exebench", "a/b.c", "", False),
        (PAIR, "pairs", "p", "O0", False),
        (PAIR | {"test": "int main(void) {}", "deps": "int x;"}, "pairs", "p", "O0", True),
        ({k: v for k, v in PAIR.items() if k != "id"}, "pairs", "set:1", "O0", False),
    ],
)
def test_formats(
    row: dict[str, Any], format: str, id: str, level: str, tested: bool, tmp_path: Path
) -> None:
    found = load_set(written(tmp_path / "set.jsonl", [row]))
    (function,) = found.functions
    assert (found.name, found.format, found.has_tests) == ("set", format, tested)
    assert (function.id, function.level, function.func_name) == (id, level, "func0")
    assert function.code == CODE
    assert function.reference.endswith(CODE)


def test_what_stands_before_the_function_is_in_the_reference(tmp_path: Path) -> None:
    (function,) = load_set(written(tmp_path / "set.jsonl", [EVAL])).functions
    assert function.reference.startswith("#include <math.h>\n")
    assert set(function.pseudo) == {"ida_pseudo", "ghidra_pseudo"}


def test_a_list_in_json_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([FIRST, FIRST | {"type": "O3"}]))
    assert [each.id for each in load_set(path).functions] == ["7/O1", "7/O3"]


def test_rows_in_other_languages_are_counted(tmp_path: Path) -> None:
    found = load_set(written(tmp_path / "set.jsonl", [EVAL, EVAL | {"language": "cpp"}]))
    assert len(found.functions) == 1
    assert found.remarks == ("1 rows in another language than C are left out",)


def test_exebench_says_that_its_tests_are_not_run(tmp_path: Path) -> None:
    (remark,) = load_set(written(tmp_path / "set.jsonl", [EXE])).remarks
    assert "C++" in remark


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    rows = [PAIR, PAIR, PAIR | {"id": "q", "code": ""}, {"id": "r", "code": CODE}]
    with pytest.raises(UserErrors) as caught:
        load_set(written(tmp_path / "set.jsonl", rows))
    said = str(caught.value).splitlines()
    assert [line.partition(": ")[0].rpartition(":")[2] for line in said] == ["2", "3", "4"]


@pytest.mark.parametrize("rows", [[], [{"a": 1}], [EVAL | {"language": "cpp"}]])
def test_a_set_without_functions_is_an_error(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    with pytest.raises(DataError):
        load_set(written(tmp_path / "set.jsonl", rows))


def test_the_released_sets_are_read(released: Callable[[str], Path]) -> None:
    assert len(load_set(released("humaneval_decompile.jsonl")).functions) == 344
    assert not load_set(released("bringup_sk2_predictions.jsonl")).has_tests
