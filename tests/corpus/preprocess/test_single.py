"""One step alone, on the columns and in the shapes that upstream's scripts use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.corpus.pipeline import run_step
from sk2d.corpus.preprocess.settings import Settings
from sk2d.errors import DataError, UserError
from tests.corpus.preprocess.fake_tools import TOOLS, function, pair


@pytest.fixture
def step(tmp_path):
    def step(name: str, source: Path, output: str, **options) -> dict:
        settings = Settings(**options)
        return run_step(name, [source], tmp_path / output, settings, workers=0, tools=TOOLS)

    return step


def write(path: Path, rows: list) -> Path:
    path.write_text(json.dumps(rows, indent=2))
    return path


def read(path: Path) -> list:
    return json.loads(path.read_text())


def test_the_four_steps_one_after_the_other(step, tmp_path):
    pairs = [pair("f", seed=1, mine=1), pair("g", "CLASH", seed=2)]
    rows = write(tmp_path / "raw.json", pairs)
    for name, key in (
        ("normalize", "pseudo_norm"), ("obfuscate", "code_norm"), ("format", "code_format"),
    ):  # fmt: skip
        report = step(name, rows, f"{name}.json")
        assert report == {"rows_in": 2, "rows_out": 2, "rejects": {}}
        before, rows = read(rows), tmp_path / f"{name}.json"
        assert [set(row) - set(old) for row, old in zip(read(rows), before, strict=True)] == [
            {key}
        ] * 2
    [first, _] = read(rows)
    assert first["code_norm"].startswith("int func1(")
    assert "\n" in first["pseudo_norm"]
    assert "\n" in first["code_format"]
    report = step("infer", rows, "infer.jsonl")
    assert report == {"rows_in": 2, "rows_out": 1, "rejects": {"type_conflict": 1}}
    [row] = [json.loads(line) for line in (tmp_path / "infer.jsonl").read_text().splitlines()]
    assert row == first | {"header": "int shared;\n"}
    [reject] = [json.loads(s) for s in (tmp_path / "infer.rejects.jsonl").read_text().splitlines()]
    assert reject["row"]["id"] == "g:O0"


def test_a_header_that_does_not_compile_is_no_header(step, tmp_path):
    rows = write(tmp_path / "rows.json", [{"code_format": function("f", "NOT_C")}])
    assert step("infer", rows, "strict.json")["rejects"] == {"not_compiling": 1}
    assert step("infer", rows, "all.json", require_compiling=False)["rows_out"] == 1
    assert read(tmp_path / "all.json")[0]["header"] == ""


def test_the_pseudo_code_may_be_raw_or_normalised(step, tmp_path):
    rows = [pair("f", seed=1) | {"pseudo_norm": "int f(void);"}, pair("g", seed=2)]
    step("obfuscate", write(tmp_path / "rows.json", rows), "out.json")
    assert all("func1" in row["code_norm"] for row in read(tmp_path / "out.json"))


def test_lines_are_filtered_where_upstream_does_it(step, tmp_path):
    rows = write(tmp_path / "rows.json", [{"code_norm": "int f(void) { return 1; }"}])
    assert step("format", rows, "out.json")["rejects"] == {"too_few_lines": 1}
    assert read(tmp_path / "out.json") == []
    assert step("format", rows, "all.json", filters=())["rows_out"] == 1


def test_a_missing_column_is_named(step, tmp_path):
    rows = write(tmp_path / "rows.json", [{"code": "x"}])
    assert step("format", rows, "out.json")["rejects"] == {"missing_field": 1}
    assert "`code_norm` is missing" in (tmp_path / "out.rejects.jsonl").read_text()


def test_other_endings_and_empty_inputs_are_refused(step, tmp_path):
    rows = write(tmp_path / "rows.json", [])
    with pytest.raises(UserError, match=r"out\.parquet: a single step cannot write"):
        step("format", rows, "out.parquet")
    with pytest.raises(DataError, match="there are no rows"):
        step("format", rows, "out.json")
