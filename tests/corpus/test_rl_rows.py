"""RL rows of every published shape, and malformed ones named by place and key."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sk2d.corpus.files import read_rows
from sk2d.corpus.rl_rows import DATA_SOURCES, RlRow, phase_of, rl_row
from sk2d.corpus.rows import make_rl_row
from sk2d.errors import DataError
from sk2d.prompts import PROMPTS
from sk2d.rewards.candidates import candidate_from

IR, CODE = "int func1(int var1) {\n  return var1;\n}", "int same(int x) {\n  return x;\n}"
PSEUDO = "__int64 same(int a1) {\n  return a1;\n}"
USER = {"role": "user", "content": PROMPTS["skeleton"].render(PSEUDO)}


def verl(**changes: object) -> dict[str, object]:
    row = {
        "data_source": "sk2d_skeleton",
        "prompt": [USER],
        "ability": "decompile",
        "reward_model": {"style": "rule", "ground_truth": IR},
        "extra_info": {"index": 4, "split": "train", "header": "", "func_name": "same"},
    }
    return {key: value for key, value in (row | changes).items() if value != "LEFT OUT"}


def test_all_fields():
    extra = {"header": "typedef int a;", "func_name": "same", "program": "p"}
    extra |= {"ir": "int func9();", "test": "int main() {}", "deps": "#include <a.h>"}
    row = rl_row(verl(id=7, extra_info=extra), "some/rows.jsonl:7")
    assert row == RlRow(
        id="7",
        source=PSEUDO,
        reference=IR,
        header="typedef int a;",
        func_name="same",
        ir="int func9();",
        test="int main() {}",
        deps="#include <a.h>",
        phase="skeleton",
        group="p:same",
        where="some/rows.jsonl:7",
    )


@pytest.mark.parametrize(
    "prompt",
    [
        [USER],
        USER["content"],
        PSEUDO,
        [{"content": PSEUDO, "role": "user", "name": None}],
        PROMPTS["assembly"].render(PSEUDO),
        PROMPTS["skeleton"].render(PROMPTS["assembly"].render(PSEUDO)),
    ],
)
def test_all_shapes_of_a_prompt_give_the_same_source(prompt):
    assert rl_row(verl(prompt=prompt), "rows.jsonl:1").source == PSEUDO


@pytest.mark.parametrize("phase", ["skeleton", "skin"])
def test_a_row_that_preprocessing_makes_is_read_back(phase):
    source, answer = {"skeleton": (PSEUDO, IR), "skin": (IR, CODE)}[phase]
    text = PROMPTS[phase].render(source)
    facts = {"index": 0, "split": "train", "header": "", "name": "same"}
    raw = make_rl_row(text, answer, id="pair7", phase=phase, **facts)
    row = rl_row(raw, "rl.jsonl:1")
    assert (row.source, row.reference, row.phase, row.id) == (source, answer, phase, "pair7")
    assert (row.header, row.func_name, row.test, row.deps) == ("", "same", None, "")
    # The naming reward compares an answer's structure with the IR that the model read.
    assert row.ir == {"skeleton": None, "skin": IR}[phase]


@pytest.mark.parametrize(
    ("extra", "header"),
    [("LEFT OUT", None), (None, None), ({}, None), ({"header": None}, None), ({"header": ""}, "")],
)
def test_a_header_that_is_not_there_is_inferred_and_an_empty_one_is_not(extra, header):
    row = rl_row(verl(extra_info=extra), "rows.jsonl:1")
    assert row.header == header
    assert row.func_name is None
    assert candidate_from("", vars(row)).header == header


def test_equal_answers_up_to_white_space_are_one_function():
    """A bare name is found in many programs, so it tells no function."""
    spaced = {"ground_truth": IR.replace("\n", " \n")}
    other = {"ground_truth": IR.replace("var1", "var2")}
    rows = [verl(), verl(reward_model=spaced), verl(reward_model=other)]
    groups = [rl_row(row, "rows.jsonl:1").group for row in rows]
    assert groups[0] == groups[1] != groups[2]


def test_rows_of_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist([verl(), verl(extra_info=None)]), path)
    first, second = (rl_row(raw, where) for raw, where in read_rows(path))
    assert (first.source, first.reference, first.header) == (PSEUDO, IR, "")
    assert (second.header, second.id) == (None, "rows:2")


def test_released_rows_load_unchanged(released):
    rows = [rl_row(raw, where) for raw, where in read_rows(released("sk2_rl_examples.jsonl"))]
    assert len(rows) == len({row.group for row in rows}) == len({row.id for row in rows}) == 60
    assert {row.phase for row in rows} == {"skeleton"}
    assert not any("# This is" in row.source or "# What is" in row.source for row in rows)
    assert sum(row.header is None for row in rows) == 1  # psychec gave none
    assert all(row.header is None or row.header.strip() for row in rows)


def test_e9_an_unknown_data_source_is_an_error():
    assert [phase_of(name) for name in DATA_SOURCES] == ["skeleton", "skin", "skeleton"]
    with pytest.raises(
        DataError, match=r"rows.jsonl:3: there is no reward for data_source 'other'. Known: sk2d_"
    ):
        phase_of("other", "rows.jsonl:3")
    with pytest.raises(DataError, match=r"rows.jsonl:3: .* 'skin'. Did you mean sk2d_skin\?"):
        rl_row(verl(data_source="skin"), "rows.jsonl:3")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"input": CODE, "output": IR}, "this is a supervised row.*rl_skeleton"),
        ({"instruction": CODE, "output": IR}, "this is a supervised row"),
        ({"pseudo": PSEUDO, "code": CODE}, "this is a raw pair.*python cli.py preprocess"),
        ({}, "`prompt` is missing. An RL row holds .* columns found: none"),
        (verl(prompt="LEFT OUT", prompts=[USER]), r"`prompt` is missing.* Did you mean prompts\?"),
        (verl(prompt=None), "`prompt` is missing"),
        (verl(data_source="LEFT OUT"), "`data_source` is missing"),
        (verl(data_source=[]), "`data_source` is not text but list"),
        (verl(reward_model=None), "`reward_model` is missing"),
        (verl(reward_model=IR), "`reward_model` is no object but str"),
        (verl(reward_model={}), "`reward_model.ground_truth` is missing"),
        (verl(reward_model={"ground_truth": 1}), "`reward_model.ground_truth` is not text but int"),
        (verl(reward_model={"ground_truth": "\n"}), "`reward_model.ground_truth` is empty"),
        (verl(reward_model={"ground_truth": "\udfff"}), "ground_truth` holds half of a surrogate"),
        (verl(extra_info=[]), "`extra_info` is no object but list"),
        (verl(extra_info={"header": 3}), "`extra_info.header` is not text but int"),
        (verl(extra_info={"test": ["x"]}), "`extra_info.test` is not text but list"),
        (verl(extra_info={"ir": "\ud800"}), "`extra_info.ir` holds half of a surrogate pair"),
        (verl(id=[1]), "`id` is neither text nor a number but list"),
        (verl(prompt=""), "`prompt` holds no code"),
        (verl(prompt=3), "`prompt` is neither text nor a chat but int"),
        (verl(prompt=[PSEUDO]), "`prompt` is neither text nor a chat but list of str"),
        (verl(prompt=[]), "`prompt` is a chat of no message. Keep one message, of the user"),
        (verl(prompt=[{"role": "system", "content": "Be terse."}, USER]), "a chat of system, user"),
        (verl(prompt=[USER, USER]), "`prompt` is a chat of user, user"),
        (verl(prompt=[{"content": PSEUDO}]), "`prompt` is a chat of a message without role"),
        (verl(prompt=[{"role": "user"}]), "`prompt.content` is missing"),
        (verl(prompt=[USER | {"content": [{"text": "x"}]}]), "`prompt.content` is not text but li"),
        (verl(prompt=[USER | {"content": " "}]), "`prompt.content` is empty"),
        (verl(prompt=PROMPTS["skin"].render(" ")), "`prompt` holds no code"),
        (verl(prompt="a\ud800"), "`prompt` holds half of a surrogate pair at character 2"),
    ],
)
def test_malformed_rows_name_place_and_key(raw, message):
    with pytest.raises(DataError, match=message) as caught:
        rl_row(raw, "rows.jsonl:3")
    assert str(caught.value).startswith("rows.jsonl:3: ")
    assert caught.value.remedy


def test_a_message_is_one_line():
    with pytest.raises(DataError) as caught:
        rl_row(verl(prompt=[{"role": "a\nb", "content": json.dumps(PSEUDO)}]), "rows.jsonl:3")
    assert "\n" not in str(caught.value)
