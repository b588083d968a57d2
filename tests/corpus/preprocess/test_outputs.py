"""The rows that come out: alpaca's and verl's columns, JSONL and Parquet alike."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from sk2d.c.layout import without_empty_lines
from sk2d.corpus.files import read_rows
from sk2d.corpus.pipeline import preprocess_rows
from sk2d.corpus.preprocess.layout import bare, meaning
from sk2d.corpus.rows import sft_row
from sk2d.prompts import PROMPTS
from tests.corpus.preprocess.fake_tools import TOOLS, pair, tokens


def test_raw_columns_stay_and_results_are_added(run, rows):
    row = pair("f", seed=1, test="int main(void) {}", mine=[1, {"a": None}])
    run([row, pair("g", seed=2)])
    [kept, _] = rows("rows.jsonl")
    assert {key: kept[key] for key in row} == row
    assert set(kept) - set(row) == {
        *("pseudo_norm", "ir", "header", "mapping", "compiles", "compile_reason", "warnings"),
        *("code_format", "split"),
    }
    assert kept["mapping"] == {"func1": "f"}
    assert kept["header"] == "int shared;\n"


def test_supervised_rows_are_read_as_they_are(run, rows, tmp_path):
    run([pair("f", seed=1), pair("g", seed=2)], val_share=0)
    kept = {row["id"]: row for row in rows("rows.jsonl")}
    for phase, source, target in (
        ("skeleton", "pseudo_norm", "ir"), ("skin", "ir", "code_format"),
    ):  # fmt: skip
        for row, where in read_rows(tmp_path / "out" / f"{phase}.train.jsonl"):
            read = sft_row(row, where)
            assert (read.source, read.target) == (kept[read.id][source], kept[read.id][target])
            assert read.group == f"p:{row['func_name']}"
            assert row["instruction"] == row["system"] == ""
            assert "# This is" not in row["input"]


def test_rl_rows_carry_the_rendered_prompt_and_the_header(run, rows):
    run([pair("f", seed=1), pair("g", seed=2)], val_share=0)
    kept = rows("rows.jsonl")
    for number, row in enumerate(rows("rl_skeleton.train.jsonl")):
        assert row == {
            "id": kept[number]["id"],
            "data_source": "sk2d_skeleton",
            "prompt": [
                {"role": "user", "content": PROMPTS["skeleton"].render(kept[number]["pseudo_norm"])}
            ],
            "ability": "decompile",
            "reward_model": {"style": "rule", "ground_truth": kept[number]["ir"]},
            "extra_info": {
                "index": number,
                "split": "train",
                "header": "int shared;\n",
                "func_name": kept[number]["func_name"],
            },
        }
    skin = rows("rl_skin.train.jsonl")[0]
    assert skin["prompt"][0]["content"] == PROMPTS["skin"].render(kept[0]["ir"])
    assert skin["reward_model"]["ground_truth"] == kept[0]["code_format"]
    assert skin["extra_info"]["header"] == ""


@pytest.mark.parametrize("count", [1, 501])
def test_parquet_holds_the_same_rows(run, rows, tmp_path, count):
    run([pair(f"f{n}", seed=n) for n in range(count)])
    for kind in ("skeleton", "skin", "rl_skeleton", "rl_skin"):
        for side in ("train", "val"):
            table = pq.read_table(tmp_path / "out" / f"{kind}.{side}.parquet")
            assert table.to_pylist() == rows(f"{kind}.{side}.jsonl")


def test_rows_without_an_id_are_named_by_their_place(run, rows):
    bare = {key: pair("f", seed=1)[key] for key in ("pseudo", "code")}
    run([bare, pair("g", seed=2)], val_share=0)
    assert rows("rows.jsonl")[0]["id"] == rows("skin.train.jsonl")[0]["id"] == "raw:1"
    assert rows("skin.train.jsonl")[0]["program"] == ""


CODE = 'int f(void) { // one\n  puts("/* kept */ // kept"); /* two\n */ return \'"\' /**/ + 1; }\n'


def test_comments_go_and_literals_stay():
    text = bare(CODE)
    assert tokens(text) == tokens(CODE)
    assert '"/* kept */ // kept"' in text
    assert "one" not in text
    assert "two" not in text


def test_a_comment_in_a_directive_goes():
    text = bare("#define A 1 /* secret */ + 2 // more\nint x;")
    assert text.replace(" ", "") == "#defineA1+2\nint x;".replace(" ", "")


@pytest.mark.parametrize("line", ["#include <a.h>", '# include "b.h"', '# 12 "a.c" 2', "#line 3"])
def test_what_belongs_to_a_file_goes(line):
    assert bare(f"{line}\nint f(void);").strip() == "int f(void);"
    assert meaning(f"{line} // x\nint  f(void);") == meaning("int f(void /* */);")


def test_other_directives_stay():
    assert "#ifdef A" in bare("#ifdef A\nint b;\n#endif")
    assert meaning("#endif /* A */\nint b;") == meaning("#endif\nint b;") != meaning("int b;")


def test_empty_lines_go_and_literals_stay():
    assert without_empty_lines('\n\nint a;\n  \n\n  char *s = "\\n\\n";\n\n') == (
        'int a;\n  char *s = "\\n\\n";'
    )


def test_json_and_parquet_inputs_and_several_of_them(run, rows, tmp_path):

    (tmp_path / "a.json").write_text(
        json.dumps([pair("f", seed=1), 5, pair("g", seed=2)], indent=1)
    )
    run([pair("h", seed=3)], val_share=0)
    report = preprocess_rows(
        [tmp_path / "a.json", tmp_path / "out" / "skin.train.parquet"],
        tmp_path / "both", workers=0, tools=TOOLS,
    )  # fmt: skip
    assert (report["rows_in"], report["rows_out"]) == (4, 2)
    assert [row["reason"] for row in rows("rejects.jsonl", "both")] == [
        "malformed",
        "missing_field",
    ]
