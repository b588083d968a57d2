import json
from typing import Any

import pytest

from sk2d.commands.main import main
from sk2d.commands.plan.command import read_request
from sk2d.errors import UserErrors

V100 = ["--config", "v100_lora.yaml", "--gpu", "v100-32gb"]
TINY = ["--config", "skeleton.yaml", "--config", "cpu_tiny.yaml"]


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["plan", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_v100_lora_fits_on_a_v100_with_32_gb(capsys: pytest.CaptureFixture[str]) -> None:
    code, plan = planned(capsys, *V100)
    assert code == 0
    assert plan["fits"] is True
    assert plan["errors"] == []
    assert sum(plan["parts"].values()) == plan["peak_bytes"] < plan["limit_bytes"]
    assert plan["choices"]["precision"] == "16-mixed"
    assert plan["choices"]["attention"] == "memory-efficient"
    assert plan["steps"] == 12  # 404 rows, a twentieth held out, 64 a step, two epochs
    assert plan["seconds"] is None
    assert any("trained in bf16" in note for note in plan["notes"])


def test_full_fine_tuning_does_not_and_the_plan_says_what_would(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, plan = planned(capsys, *V100, "--model.lora", "null")
    assert code == 1
    assert plan["fits"] is False
    assert plan["peak_bytes"] > 3 * plan["limit_bytes"]
    assert plan["advice"][0].startswith("--model.lora.rank 16: ")
    assert any("forgets" in note for note in plan["notes"])


def test_where_it_does_not_fit_the_text_says_by_how_much(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plan", *V100, "--model.lora", "null"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "It does not fit:" in said
    assert "GiB too much" in said


@pytest.mark.parametrize(
    ("gpu", "choices"),
    [
        ("v100-32gb", {"precision": "16-mixed", "attention": "memory-efficient"}),
        ("a100-80gb", {"precision": "bf16-mixed", "attention": "flash"}),
    ],
)
def test_auto_goes_by_the_capability_of_the_gpu(
    gpu: str, choices: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--config", "v100_lora.yaml", "--gpu", gpu, "--trainer.precision", "auto"]
    _, plan = planned(capsys, *words)
    assert plan["choices"].items() >= choices.items()


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        (["--trainer.precision", "bf16-mixed"], "only emulates bf16"),
        (["--model.attention", "flash2"], "needs a GPU of capability 8.0"),
        (["--model.quantization", "int8"], "no tensor cores for int8"),
        (["--trainer.precision", "16-true"], "float16 weights gives NaN"),
    ],
)
def test_what_a_v100_cannot_do_is_an_error(
    setting: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, plan = planned(capsys, *V100, *setting)
    assert code == 1
    assert any(says in error for error in plan["errors"])


def test_the_recipe_of_falcon3_plans_on_four_gpus(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--config", "falcon3_7b_recipe.yaml", "--gpu", "4xa100-80gb"]
    code, plan = planned(capsys, *words)
    assert (code, plan["fits"], plan["errors"]) == (0, True, [])
    code, plan = planned(capsys, *words[:2], "--gpu", "2xa100-80gb")
    assert code == 1
    assert any("4 devices are asked for" in error for error in plan["errors"])


def test_this_machine_is_planned_for_with_rows_counted_exactly(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    words = [*TINY, "--trainer.default_root_dir", str(tmp_path), "--rate", "1000"]
    code, plan = planned(capsys, *words)
    assert code == 0
    assert plan["data"]["exact"] is True
    assert plan["seconds"] == pytest.approx(plan["schedule"]["tokens"] / 1000)
    assert plan["schedule"]["lr"]["last"] < plan["schedule"]["lr"]["middle"]
    assert list(tmp_path.iterdir()) == []


def test_all_mistakes_are_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    code, plan = planned(capsys, *TINY, "--model.lrr", "1", "--data.cutoff", "-4")
    assert code == 1
    assert len(plan["errors"]) == 2


def test_a_row_is_shown_as_it_reaches_the_loss(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", *TINY]) == 0
    said = capsys.readouterr().out
    assert "# What is the source code?" in said
    assert "⟦" in said
    assert "It fits" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--gpu", "v100-33gb", *TINY], "there is no such GPU in the table"),
        ([], "there is nothing to plan"),
        (["--rate", "-1", *TINY], "'-1' cannot be used"),
        (["--devices", "4", *TINY], "it goes with --deepspeed"),
        (["--gpu"], "the value is missing"),
    ],
)
def test_a_wrong_command_line_is_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *words]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert says in line


def test_own_options_are_told_from_those_of_fit() -> None:
    request = read_request(["--json", "--gpu", "t4", "--rate=5", "--data.train", "x.jsonl"])
    assert (request.gpu, request.rate, request.json) == ("t4", 5.0, True)
    assert request.rest == ["--data.train", "x.jsonl"] or request.rest == ["--data.train=x.jsonl"]
    with pytest.raises(UserErrors):
        read_request(["--rate", "0", "--devices", "half"])


def test_help_names_the_gpus(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--help"]) == 0
    assert "v100-32gb" in capsys.readouterr().out
