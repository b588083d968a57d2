"""Supervised rows of every published shape, and malformed ones named by place and key."""

import pytest

from sk2d.corpus.files import read_rows
from sk2d.corpus.rows import SftRow, row_id, sft_row
from sk2d.errors import DataError
from sk2d.prompts import PROMPTS

CODE, ANSWER = "int func1(int var1);", "int ack(int x);"
WRAPPED = PROMPTS["ghidra-decompile"].render(CODE)


def alpaca(**changes: object) -> dict[str, object]:
    return {"instruction": "", "input": CODE, "output": ANSWER, "system": ""} | changes


@pytest.mark.parametrize(
    "raw",
    [
        alpaca(),
        alpaca(input=WRAPPED),
        alpaca(instruction=None, system=None),
        alpaca(instruction="Decompile this."),
        {"instruction": WRAPPED, "output": ANSWER},
        {"instruction": CODE, "input": "", "output": ANSWER},
        {"instruction": CODE, "input": None, "output": ANSWER, "opt": "O0"},
    ],
)
def test_all_shapes_give_the_same_row(raw):
    row = sft_row(raw, "some/rows.jsonl:7")
    assert (row.source, row.target) == (CODE, ANSWER)
    assert row.id == "rows:7"
    assert row.where == "some/rows.jsonl:7"


@pytest.mark.parametrize("file", ["sk2_pseudo2norm_examples.jsonl", "sk2_norm2code_examples.jsonl"])
def test_released_rows_load_unchanged(released, file):
    rows = [sft_row(raw, where) for raw, where in read_rows(released(file))]
    assert len(rows) == 20
    assert not any("# This is" in row.source for row in rows)
    # Two of the skeleton's rows have the same answer up to white space.
    assert len({row.group for row in rows}) in (19, 20)


def test_released_rl_rows_are_refused_by_name(released):
    raw, where = next(read_rows(released("sk2_rl_examples.jsonl")))
    with pytest.raises(DataError, match=r"jsonl:1: this is an RL row .*reinforcement learning"):
        sft_row(raw, where)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"input": CODE}, "`output` is missing"),
        ({"output": ANSWER}, "`input` is missing"),
        ({}, "`input` is missing.*columns found: none"),
        ({"input": CODE, "outputs": ANSWER}, r"`outputs`.*Did you mean outputs\?"),
        (alpaca(output=""), "`output` is empty"),
        (alpaca(output="\n \n"), "`output` is empty"),
        (alpaca(output=None), "`output` is empty"),
        (alpaca(output=["int"]), "`output` is not text but list"),
        (alpaca(input=3), "`input` is not text but int"),
        (alpaca(input=" "), "`input` holds no code"),
        (alpaca(input=PROMPTS["skin"].render("")), "`input` holds no code"),
        ({"instruction": "", "output": ANSWER}, "holds no code"),
        (alpaca(system="You are a decompiler."), "`system` holds text"),
        (alpaca(input="\ud800"), "`input` holds half of a surrogate pair at character 1"),
        (alpaca(func_name=3), "`func_name` is not text"),
        (alpaca(id=[1]), "`id` is neither text nor a number but list"),
        ({"prompt": [], "data_source": "x"}, "RL row"),
        ({"pseudo": CODE, "code": ANSWER}, "raw pair.*python cli.py preprocess"),
    ],
)
def test_malformed_rows_name_place_and_key(raw, message):
    with pytest.raises(DataError, match=message) as caught:
        sft_row(raw, "rows.jsonl:3")
    assert str(caught.value).startswith("rows.jsonl:3: ")


def test_an_answer_may_be_missing_where_none_is_needed():
    row = sft_row({"input": CODE}, "rows.jsonl:3", need_target=False)
    assert row.target == ""
    assert sft_row(alpaca(), "rows.jsonl:3", need_target=False).target == ANSWER


def group(**changes: object) -> str:
    row = sft_row(alpaca(**changes), "r.jsonl:1")
    assert isinstance(row, SftRow)
    return row.group


def test_f13_rows_of_one_function_share_their_group():
    first = group(program="ack", func_name="ack", output="int a;")
    assert first == group(program="ack", func_name="ack", output="long b;", opt="O3")
    assert first != group(program="other", func_name="ack", output="int a;")
    assert group(output="int f(int a)\n{ }") == group(output="int  f(int a) { }\n")
    assert group(output="int f();") != group(output="int g();")
    # A bare function name is found in many programs.
    assert group(func_name="main", output="int a;") != group(func_name="main", output="int b;")


@pytest.mark.parametrize(
    ("raw", "expected"), [({"id": "a:O0"}, "a:O0"), ({"id": 12}, "12"), ({"id": ""}, "x:4")]
)
def test_ids(raw, expected):
    assert row_id(raw, "folder/x.jsonl:4") == expected
