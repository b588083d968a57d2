"""Every row that goes in comes out or is rejected with a reason; the counts add up."""

from __future__ import annotations

import json

import pytest

from sk2d.corpus.pipeline import failure
from sk2d.corpus.preprocess.outputs import output_names
from sk2d.corpus.preprocess.report import ORDER
from sk2d.errors import DataError, JailError, UserErrors
from tests.corpus.preprocess.fake_tools import TOOLS, function, pair

BAD_LINES = [
    (b'{"pseudo": "x", \n', "malformed", ":4:17: this line is no JSON"),
    (b"[1, 2]\n", "malformed", ":4: this row is no object but list"),
    (b'{"pseudo": "x", "code": "\xe9"}\n', "malformed", ":4:26: byte 0xe9 is no UTF-8"),
    (b"\x00\x00\n", "malformed", ":4:1: this line is no JSON"),
    (b"[" * 100_000 + b"\n", "malformed", ":4:1: this line is no JSON"),
    (b'{"id": [], "pseudo": "a", "code": "b"}\n', "malformed", "`id` is neither text nor a number"),
    (b'{"pseudo": "x"}\n', "missing_field", "`code` is missing"),
    (b'{"pseudo": null, "code": "int f(void) {}"}\n', "missing_field", "`pseudo` is missing"),
    (b'{"pseudo": 3, "code": "x"}\n', "missing_field", "`pseudo` is not text but int"),
    (b'{"pseudo": " \\n", "code": "x"}\n', "empty", "`pseudo`: there is no code"),
    (b'{"pseudo": "a", "code": "b\\u0000"}\n', "nul_byte", "`code`: the text holds a NUL byte"),
    (b'{"pseudo": "a", "code": "\\ud800"}\n', "not_text", "`code`: character 0 is half"),
    (b'{"pseudo": "a", "code": "\\udc80"}\n', "not_text", "`code` holds half of a surrogate pair"),
    (b'{"pseudo": "a", "code": "b", "x": "\\ud800"}\n', "not_text", "`x` holds half"),
]


@pytest.mark.parametrize(("line", "reason", "message"), BAD_LINES)
def test_a_line_that_is_no_row_costs_itself(run, rows, line, reason, message):
    report = run([pair(f"f{n}", seed=n) for n in range(3)], raw=line + json_line("g", 9))
    assert (report["rows_in"], report["rows_out"]) == (5, 4)
    [reject] = rows("rejects.jsonl")
    assert (reject["reason"], reject["step"], reject["line"]) == (reason, "read", 4)
    assert reject["file"] == "raw.jsonl"
    assert message in reject["message"]
    assert "raw.jsonl:4" in reject["message"]
    assert ("row" in reject) is (reason != "malformed" or "id" in line.decode("latin-1")[:5])


def json_line(name: str, seed: int) -> bytes:
    return json.dumps(pair(name, seed=seed)).encode() + b"\n"


def test_a_line_without_end_is_not_read_into_memory(run, rows, monkeypatch):
    monkeypatch.setattr("sk2d.corpus.files.MAX_LINE_BYTES", 20_000)
    report = run([pair("f", seed=1)], raw=b'{"x": "' + b"y" * 50_000 + b'"}\n' + json_line("g", 2))
    assert (report["rows_in"], report["rows_out"]) == (3, 2)
    assert "more than 20000 bytes" in rows("rejects.jsonl")[0]["message"]


WORDS = [
    ("SLOW", "format", "fmt_timeout"),
    ("CLASH", "infer", "type_conflict"),
    ("NOT_C", "compile", "not_compiling"),
    ("CRASH", "obfuscate", "step_crashed"),
]


@pytest.mark.parametrize(("word", "step", "reason"), WORDS)
def test_a_step_that_fails_costs_its_row(run, rows, word, step, reason):
    report = run([pair("f", seed=1), pair("g", word, seed=2), pair("h", seed=3)])
    assert report["rows_out"] == 2
    [reject] = rows("rejects.jsonl")
    assert (reject["step"], reject["reason"]) == (step, reason)
    assert reject["row"] == pair("g", word, seed=2)
    assert {"step": step, "in": 3, "out": 2, "rejects": {reason: 1}} in report["steps"]
    assert report["reasons"][reason]["rows"] == 1


@pytest.mark.parametrize("profile", ["sound", "upstream"])
def test_pseudo_code_that_cannot_be_normalised(run, rows, profile):
    bad = pair("g", seed=2) | {"pseudo": "BAD_PSEUDO"}
    report = run([pair("f", seed=1), bad, pair("h", seed=3)], profile=profile)
    assert report["rows_out"] == 2
    [reject] = rows("rejects.jsonl")
    assert (reject["step"], reject["reason"]) == ("normalize", "syntax_error")


def test_a_mistake_of_ours_names_its_place(run, rows):
    run([pair("f", "CRASH", seed=1), pair("g", seed=2)])
    assert "ZeroDivisionError: a mistake of ours (" in rows("rejects.jsonl")[0]["message"]


def test_steps_follow_one_another(run):
    pairs = [pair(f"f{n}", word, seed=n) for n, (word, _, _) in enumerate(WORDS)]
    report = run([*pairs, pair("g", seed=90), pair("g", seed=90)], raw=b"{\n")
    names = [step["step"] for step in report["steps"]]
    assert names == [name for name in ORDER if name in names]
    assert [step["in"] for step in report["steps"][1:]] == [s["out"] for s in report["steps"][:-1]]
    assert report["rows_in"] == 7 == report["rows_out"] + report["rejects"]
    assert report["audit"] == {
        "rows_with_problems": 0, "problems": [], "findings": 0, "found": [],
    }  # fmt: skip


def test_a_row_that_does_not_compile_is_kept_when_asked(run, rows):
    pairs = [pair("f", seed=1), pair("g", "NOT_C", seed=2), pair("h", "CLASH", seed=3)]
    report = run(pairs, require_compiling=False, val_share=0)
    assert report["rows_out"] == 3
    kept = {row["func_name"]: row for row in rows("rows.jsonl")}
    assert [kept[name]["compiles"] for name in "fgh"] == [True, False, False]
    assert [kept[name]["compile_reason"] for name in "fgh"] == [
        None, "not_compiling", "type_conflict",
    ]  # fmt: skip
    assert len(rows("skeleton.train.jsonl")) == len(rows("skin.train.jsonl")) == 3
    assert len(rows("rl_skeleton.train.jsonl")) == len(rows("rl_skin.train.jsonl")) == 1
    assert report["compile"]["not_compiling"] == {"not_compiling": 1, "type_conflict": 1}


def test_warnings_are_counted_by_kind(run, rows):
    report = run([pair("f", "WARNS", seed=1), pair("g", seed=2)])
    assert report["compile"]["rows_with_warning"] == {"int-conversion": 1}
    assert rows("rows.jsonl")[0]["warnings"] == {"int-conversion": 2}


def test_ir_that_does_not_give_the_source_back_is_found(run):
    report = run([pair("f", "LOSSY", seed=1), pair("g", seed=2)])
    assert report["audit"]["rows_with_problems"] == 1
    assert "do not give the source back" in report["audit"]["problems"][0]


def test_f13_a_stripped_name_in_the_ir_is_found(run):
    row = pair("secret", seed=1)
    row["code"] = function("secret", seed=1).replace("int secret", "int wrapper(); int secret")
    report = run([row, pair("g", seed=2)])
    assert any("the stripped name secret stands in" in p for p in report["audit"]["problems"])


def test_filters_have_their_own_counters(run, rows):
    short = {"pseudo": "int sub_1(int a) { return a; }", "code": "int f(int a) { return a; }"}
    pairs = [short, pair("main", seed=1), pair("g", seed=2)]
    report = run(pairs, filters=("few_lines", "main"))
    assert report["steps"][6]["rejects"] == {"too_few_lines": 1, "is_main": 1}
    assert [row["step"] for row in rows("rejects.jsonl")] == ["filter", "filter"]
    assert run(pairs, "all", filters=())["rows_out"] == 3
    assert run(pairs, "long", filters=("many_lines",), max_lines=10)["rows_out"] == 1


def test_an_input_without_rows_is_an_error(run, tmp_path):
    with pytest.raises(DataError, match=r"raw\.jsonl: there are no rows"):
        run([], raw=b"\n  \n")
    assert not (tmp_path / "out" / "report.json").exists()


def test_a18_a_run_whose_rows_all_fail_inference_is_no_success(run):
    bad = [pair(f"f{n}", "CLASH" if n % 2 else "NOT_C", seed=n) for n in range(19)]
    report = run([*bad, pair("g", seed=50)])
    assert "19 of the 20 rows" in str(failure(report))
    assert failure(run(bad[:8] + [pair("g", seed=50), pair("h", seed=51)], "some")) is None


def test_a_run_that_kept_nothing_is_no_success(run):
    assert "none of 1 rows was kept" in str(failure(run([pair("f", "CRASH", seed=1)])))


def test_a_jail_that_fails_ends_the_run(run):
    with pytest.raises(JailError):
        run([pair("f", "JAIL", seed=1)])
    with pytest.raises(JailError):
        run([pair("f", "JAIL", seed=1)], "parallel", workers=1)


def test_all_mistakes_of_the_settings_at_once(run):
    with pytest.raises(UserErrors) as caught:
        run([], filters=("few_line",), val_share=1.0, near_threshold=0.1, max_lines=2, min_lines=4)
    told = str(caught.value)
    assert "Did you mean few_lines?" in told
    for option in ("--val_share", "--near_threshold", "--max_lines"):
        assert option in told


def test_the_files_are_the_ones_that_are_told(run, tmp_path):
    run([pair("f", seed=1)])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(output_names())
    assert TOOLS.function_name("int f(") == "f"
