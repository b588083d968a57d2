"""Duplicates, nearly duplicates, evaluation functions, and the split by source function."""

from __future__ import annotations

import json

import pytest

from sk2d.corpus.preprocess.decisions import held_back
from sk2d.errors import DataError
from tests.corpus.preprocess.fake_tools import function, pair

LEVELS = ("O0", "O1", "O2", "O3")


def test_the_same_pair_is_kept_once_and_names_its_twin(run, rows):
    twin = pair("f", seed=1) | {"id": "twin", "program": "other"}
    twin["code"] = "/* a comment */ " + str(twin["code"]).replace("; ", ";\n\n ")
    report = run([pair("f", seed=1), twin])
    assert report["rows_out"] == 1
    [reject] = rows("rejects.jsonl")
    assert (reject["id"], reject["reason"]) == ("twin", "duplicate")
    assert "raw.jsonl:1" in reject["message"]


def test_four_levels_of_a_function_are_no_duplicates(run):
    report = run([pair("f", seed=1, opt=level) for level in LEVELS])
    assert report["rows_out"] == 4


def changed(row: dict, text: str = "return 5;") -> dict:
    code = str(row["code"])
    return row | {
        "id": "near",
        "code": code.replace("return v", f"{text} return v"),
        "func_name": "n",
    }


def test_nearly_the_same_source_is_rejected_at_every_level(run, rows):
    near = [changed(pair("f", seed=1, opt=level)) for level in LEVELS]
    report = run([pair("f", seed=1), *near, pair("g", seed=2)])
    assert report["rows_out"] == 2
    assert {row["reason"] for row in rows("rejects.jsonl")} == {"near_duplicate"}
    assert run([pair("f", seed=1), *near], "all", near_threshold=1)["rows_out"] == 5


def test_another_name_alone_makes_no_other_function(run, rows):
    other = pair("g", seed=1, opt="O1")
    report = run([pair("f", seed=1), other])
    assert report["rows_out"] == 1
    assert rows("rejects.jsonl")[0]["reason"] == "near_duplicate"


def test_f13_a_function_stands_on_one_side_at_all_levels(run, rows):
    pairs = [pair(f"f{n}", seed=n, opt=level) for n in range(40) for level in LEVELS]
    report = run(pairs, val_share=0.25)
    assert report["split"] == {
        "train": {"rows": 120, "functions": 30}, "val": {"rows": 40, "functions": 10},
    }  # fmt: skip
    sides = {
        side: {row["output"] for row in rows(f"skin.{side}.jsonl")} for side in ("train", "val")
    }
    assert not sides["train"] & sides["val"]
    assert {row["func_name"] for row in rows("rows.jsonl") if row["split"] == "val"} == {
        row["func_name"] for row in rows("skeleton.val.jsonl")
    }


def test_rows_tied_through_others_stay_together(run, rows):
    """Same program and name, but two sources; one of these under another name elsewhere."""
    first, second = pair("f", seed=1), pair("f", seed=2)
    third = pair("h", seed=2, opt="O1") | {"code": second["code"], "program": "q"}
    others = [pair(f"g{n}", seed=n) for n in range(10, 20)]
    for seed in range(6):
        run([first, second, third, *others], f"out{seed}", val_share=0.5, seed=seed)
        kept = rows("rows.jsonl", f"out{seed}")
        assert (
            len({row["split"] for row in kept if row["program"] == "q" or row["func_name"] == "f"})
            == 1
        )


def test_the_side_of_a_function_depends_on_the_seed_and_not_on_the_order(run, rows):
    pairs = [pair(f"f{n}", seed=n) for n in range(40)]

    def val(output: str, given: list, seed: int) -> set[str]:
        run(given, output, val_share=0.25, seed=seed)
        return {row["func_name"] for row in rows("skeleton.val.jsonl", output)}

    assert val("a", pairs, 1) == val("b", pairs[::-1], 1) != val("c", pairs, 2)


@pytest.mark.parametrize(
    ("functions", "share", "held"),
    [(0, 0.5, 0), (1, 0.5, 0), (2, 0.01, 1), (100, 0.05, 5), (100, 0, 0), (3, 0.99, 2)],
)
def test_how_many_functions_are_held_back(functions, share, held):
    assert held_back(functions, share) == held


EVALUATION = [
    ("the same source", {"code": "#include <stdio.h>\n// other\n" + function("func0", seed=1)}),
    ("the same source", {"instruction": "", "input": "x", "output": function("f", seed=1)}),
    ("the same source", {"reward_model": {"ground_truth": function("f", seed=1)}}),
    ("nearly the same source", {"code": function("f", seed=1).replace("return", "return 1 +")}),
    ("the same function", {"code": "int f(void) { }", "program": "p", "func_name": "f"}),
]


@pytest.mark.parametrize(("told", "evaluation"), EVALUATION)
def test_a_function_of_an_evaluation_file_is_kept_out(run, rows, tmp_path, told, evaluation):
    path = tmp_path / "evaluation.jsonl"
    path.write_text(json.dumps({"code": function("z", seed=77)}) + "\n" + json.dumps(evaluation))
    pairs = [pair("f", seed=1, opt=level) for level in LEVELS] + [pair("g", seed=2)]
    report = run(pairs, decontaminate=(str(path),))
    assert report["reasons"]["contaminated"]["rows"] == 4
    assert report["audit"]["findings"] == 0
    for reject in rows("rejects.jsonl"):
        assert told in reject["message"]
        assert f"{path}:2" in reject["message"]
    assert [row["func_name"] for row in rows("rows.jsonl")] == ["g"]


def test_an_evaluation_file_without_code_is_an_error(run, tmp_path):
    path = tmp_path / "evaluation.jsonl"
    path.write_text('{"question": "x"}\n')
    with pytest.raises(DataError, match=r"evaluation\.jsonl:1: .*no text in `code`"):
        run([pair("f", seed=1)], decontaminate=(str(path),))
