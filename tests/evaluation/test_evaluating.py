"""From files to a folder of results: every number by hand on four functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.errors import ConfigError, DataError, UserError, UserErrors
from sk2d.evaluation.evaluating import MARKDOWN, PAGE, RESULTS, Evaluation
from tests.evaluation.conftest import ANSWERS, BLIND, ROWS, TWENTY, Folder

NONE = {"O1": None}


def test_shares_by_level_are_those_of_the_answers(results: dict[str, Any]) -> None:
    mine = results["systems"]["mine"]
    assert mine["executable"] == {"total": 0.25, "O0": 0.5, "O2": 0.0, "O3": 0.0} | NONE
    assert mine["compilable"] == {"total": 0.5, "O0": 0.5, "O2": 1.0, "O3": 0.0} | NONE
    assert mine["builds_but_wrong"] == {"total": 0.25, "O0": 0.0, "O2": 1.0, "O3": 0.0} | NONE
    assert mine["exact"]["total"] == 0.25
    assert mine["missing"] == ["reset/O3"]
    reasons = {each["id"]: each["reason"] for each in mine["failures"]}
    assert reasons == {
        "twice/O2": "assertion",
        "largest/O0": "compile_error",
        "reset/O3": "missing",
    }
    assert (
        "invalid operands"
        in next(f for f in mine["failures"] if f["id"] == "largest/O0")["message"]
    )


def test_f8_references_pass_and_what_does_nothing_does_not(results: dict[str, Any]) -> None:
    systems = results["systems"]
    assert systems["reference"]["executable"]["total"] == 1.0
    assert systems["reference"]["edit"]["total"] == 1.0
    assert (
        systems["stub"]["executable"]["total"] == systems["exit(0)"]["executable"]["total"] == 0.0
    )
    assert (
        systems["stub"]["compilable"]["total"] == systems["exit(0)"]["compilable"]["total"] == 1.0
    )
    assert results["set"]["excluded"] == []


def test_decompilers_without_a_model_stand_in_every_table(
    results: dict[str, Any], has_flatline: bool
) -> None:
    stored = results["systems"]["ghidra (stored)"]
    assert stored["kind"] == "no model"
    assert stored["executable"]["total"] == 0.5  # both of twice; largest is wrong, reset has none
    assert stored["missing"] == ["reset/O3"]
    if has_flatline:
        assert results["systems"]["flatline"]["executable"]["total"] == 1.0
        assert "prototypes" in results["systems"]["flatline"]["about"]
    else:
        assert any("flatline" in remark for remark in results["set"]["remarks"])


def test_f6_compiler_flags_and_canaries_stand_in_the_results(results: dict[str, Any]) -> None:
    settings = results["settings"]
    assert settings["cc_version"].startswith("gcc")
    assert settings["cflags"][:2] == ["-O0", "-std=gnu17"]
    assert [canary["same"] for canary in settings["canaries"]] == [True, True, True]
    assert settings["seed"] == 42


def test_r2i_is_named_by_its_candidates(results: dict[str, Any]) -> None:
    names = results["candidate_set"].split(" + ")
    assert names[0] == "reference"
    assert names[-1] == "mine"
    assert not {"stub", "exit(0)"} & set(names)
    for name, system in results["systems"].items():
        assert (system["r2i"]["total"] is None) == (name not in names)
    reset = next(each for each in results["functions"] if each["id"] == "reset/O3")
    assert reset["answers"]["mine"]["r2i"] == 0.0
    assert reset["answers"]["mine"]["code"] is None


def test_pairs_of_systems_are_compared_on_the_same_functions(results: dict[str, Any]) -> None:
    one = next(
        each
        for each in results["comparisons"]
        if (each["first"], each["second"], each["measure"])
        == ("mine", "ghidra (stored)", "executable")
    )
    assert (one["difference"], one["wins"], one["losses"], one["p_value"]) == (-0.25, 0, 1, 1.0)
    assert one["low"] <= one["difference"] <= one["high"]


def test_f11_two_runs_with_one_or_several_processes_leave_the_same_bytes(folder: Folder) -> None:
    outputs = ("one", "two", "three")
    for output, workers in zip(outputs, (1, 1, 3), strict=True):
        folder.evaluate(folder.plan(output, workers=workers))
    for name in (RESULTS, MARKDOWN, PAGE):
        first, *others = [(folder.path / output / name).read_bytes() for output in outputs]
        assert all(other == first for other in others)


def test_a_repeated_run_measures_nothing_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = folder.evaluate()

    def again(*given: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr("sk2d.evaluation.judging.measure", again)
    monkeypatch.setattr("sk2d.evaluation.own_frontend.build_program", again)
    assert folder.evaluate() == first


def test_another_evaluation_does_not_take_the_folder(folder: Folder) -> None:
    folder.evaluate()
    other = folder.plan(predictions={"mine": folder.rows("other.jsonl", ANSWERS[:1])})
    with pytest.raises(UserError, match="differing: predictions"):
        folder.evaluate(other)


def test_f7_a_blind_test_is_left_out_by_name(folder: Folder) -> None:
    found = folder.evaluate(
        folder.plan(set=folder.rows("s.jsonl", [*TWENTY, BLIND]), predictions={})
    )
    assert [(each["id"], each["reason"]) for each in found["set"]["excluded"]] == [
        ("blind", "accepts_stub")
    ]
    assert found["set"]["counted"] == 20
    assert found["systems"]["stub"]["executable"]["total"] == 0.0
    assert next(each for each in found["functions"] if each["id"] == "blind")["excluded"]


def test_f7_above_five_per_cent_nothing_is_evaluated(folder: Folder) -> None:
    plan = folder.plan(set=folder.rows("s.jsonl", [*ROWS, BLIND]), predictions={})
    with pytest.raises(DataError, match="1 of 5 rows cannot tell right from wrong"):
        folder.evaluate(plan)
    assert not (plan.output / RESULTS).exists()


def test_a_row_that_cannot_be_worked_on_is_left_out_by_name(folder: Folder) -> None:
    rows = [{k: v for k, v in row.items() if k != "test"} for row in TWENTY]
    damaged = {"id": "damaged", "func_name": "f", "code": "int f(void) { return 1) ; }"}
    answers = [{"id": row["id"], "code": row["code"]} for row in [*rows, damaged]]
    plan = folder.plan(
        set=folder.rows("s.jsonl", [*rows, damaged]),
        predictions={"all": folder.rows("all.jsonl", answers)},
    )
    found = folder.evaluate(plan)
    assert [each["id"] for each in found["set"]["excluded"]] == ["damaged"]
    assert found["systems"]["all"]["exact"]["total"] == 1.0


def test_without_tests_what_is_right_is_not_counted_and_that_is_said(folder: Folder) -> None:
    rows = [{k: v for k, v in row.items() if k != "test"} for row in ROWS]
    found = folder.evaluate(folder.plan(set=folder.rows("s.jsonl", rows)))
    levels = dict.fromkeys(["total", "O0", "O1", "O2", "O3"])
    assert found["systems"]["mine"]["executable"] == levels
    assert found["systems"]["mine"]["compilable"]["total"] == 0.5
    assert "stub" not in found["systems"]
    assert any("no tests" in remark for remark in found["set"]["remarks"])


def test_answers_with_an_ir_are_compared_with_the_ir_of_the_source(folder: Folder) -> None:
    answer = ANSWERS[0] | {"ir": "int func1(int var1) { return var1 * 2; }"}
    plan = folder.plan(predictions={"mine": folder.rows("ir.jsonl", [answer])})
    found = folder.evaluate(plan)
    ir = {"compiles": True, "placeholders": 1 / 2}  # func1 is no placeholder: pseudo-code names it
    first = found["functions"][0]["answers"]["mine"]
    assert first["ir_verdict"] == ir
    assert found["systems"]["mine"]["ir"] == {"rows": 1, "compilable": 1.0, "placeholders": 0.5}


def test_all_mistakes_in_predictions_are_told_at_once(folder: Folder) -> None:
    plan = folder.plan(
        predictions={
            "a": folder.rows("a.jsonl", [{"id": "nobody", "code": ""}]),
            "reference": folder.rows("b.jsonl", ANSWERS),
            "c": folder.path / "nowhere.jsonl",
        }
    )
    with pytest.raises(UserErrors) as raised:
        Evaluation(plan, {})
    said = str(raised.value)
    assert all(word in said for word in ("'nobody'", "called reference already", "nowhere.jsonl"))
    assert not plan.output.exists()


def test_nothing_to_evaluate_is_an_error(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SK2D_DECOMPILER", str(folder.path / "nowhere"))
    rows = [{k: v for k, v in row.items() if k != "ghidra_pseudo"} for row in ROWS]
    with pytest.raises(ConfigError, match="no system to evaluate"):
        Evaluation(folder.plan(set=folder.rows("s.jsonl", rows), predictions={}), {})


@pytest.mark.parametrize(
    ("pseudo", "says"), [("gidra_pseudo", "Did you mean ghidra_pseudo"), ("x", "There are: ghidra")]
)
def test_what_models_read_must_be_there(pseudo: str, says: str, folder: Folder) -> None:
    with pytest.raises(ConfigError, match=says):
        Evaluation(folder.plan(pseudo=pseudo), {"skeleton": "nowhere"})


def test_a_compiler_that_judges_in_another_way_is_said(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "sk2d.evaluation.runner.ask_canaries",
        lambda flags: [{"name": "a thing", "recorded": {}, "found": {}, "same": False}],
    )
    said: list[str] = []
    Evaluation(folder.plan(), {}, say=said.append).run(lambda: None, lambda *told: None)
    assert any("judges a thing in another way" in line for line in said)


def test_results_are_what_is_written(folder: Folder) -> None:
    found = folder.evaluate()
    assert json.loads((folder.path / "out" / RESULTS).read_text()) == json.loads(json.dumps(found))


def test_the_released_answers_give_full_tables(released: Any, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in released("bringup_sk2_predictions.jsonl").open()]
    folder = Folder(tmp_path)
    some = folder.rows("some.jsonl", rows[::60])
    found = folder.evaluate(folder.plan(set=some, predictions={"sk2": some}))
    sk2 = found["systems"]["sk2"]
    assert sk2["rows"] == len(rows[::60])
    assert 0.5 < sk2["compilable"]["total"] <= 1.0
    assert sk2["ir"]["rows"] == sk2["rows"]
    assert "predicted (stored)" not in found["systems"]
