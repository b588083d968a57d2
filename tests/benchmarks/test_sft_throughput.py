"""The throughput comparison runs, all contenders see the same loss, and nothing is left out."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import sft_throughput
from benchmarks.throughput.job import IGNORED, Clock, Figures, Job
from benchmarks.throughput.report import loss_spread, medians, verdicts
from benchmarks.throughput.rows import prepare_rows
from sk2d.models.tiny import make_tiny

ROWS = 8


def make_row(number: int) -> dict[str, str]:
    """Make a row whose length grows with its number."""
    body = "".join(f"  a{number} += {step};\n" for step in range(1 + 2 * number))
    return {"instruction": "", "input": f"int f() {{\n{body}}}", "output": body or "return;"}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write eight rows of different lengths."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(make_row(n)) + "\n" for n in range(ROWS)), "utf-8")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Path:
    """Make a tiny model."""
    folder = tmp_path_factory.mktemp("base") / "tiny"
    make_tiny([rows.read_text("utf-8")], folder)
    return folder


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory, rows: Path, base: Path) -> dict[str, Any]:
    """Run sk2d (four rows one by one), the padded trainer and a contender that is not there."""
    folder = tmp_path_factory.mktemp("result")
    missing = replace(
        sft_throughput.CONTENDERS["trl-packed"],
        python=sft_throughput.ROOT / ".venv-none" / "python",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sft_throughput.CONTENDERS, "trl-packed", missing)
        code = sft_throughput.main(
            [
                f"--rows={rows}",
                f"--base={base}",
                "--steps=2",
                "--repeats=1",
                "--threads=1",
                "--contenders=sk2d,padded,trl-packed",
                f"--json={folder / 'result.json'}",
                f"--picture={folder / 'result.png'}",
            ]
        )
    assert code == 0
    assert (folder / "result.png").stat().st_size > 1000
    return json.loads((folder / "result.json").read_text("utf-8"))


def test_the_contenders_run_and_see_the_same_first_loss(result: dict[str, Any]) -> None:
    losses = [result["runs"][name][0]["first_loss"] for name in ("sk2d", "padded")]
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)
    assert result["loss_spread"] <= 1e-4


def test_the_contenders_train_on_the_same_tokens(result: dict[str, Any]) -> None:
    ours, padded = (result["runs"][name][0] for name in ("sk2d", "padded"))
    assert ours["warm_steps"] == padded["warm_steps"] == 1
    assert ours["supervised_tokens"] == padded["supervised_tokens"] > 0
    assert ours["padding"] == 0.0 < padded["padding"] < 1.0


def test_the_json_holds_every_figure_and_the_targets(result: dict[str, Any]) -> None:
    names = {field.name for field in fields(Figures)}
    assert set(result["medians"]) == {"sk2d", "padded"}
    assert all(set(row) == names for row in result["medians"].values())
    assert all(run["peak_gib"] > 0.1 for found in result["runs"].values() for run in found)
    assert [set(verdict) for verdict in result["targets"]] == [{"target", "ratio", "holds"}] * 2


def test_a_contender_without_its_environment_is_named(result: dict[str, Any]) -> None:
    assert result["not_run"] == {"trl-packed": ".venv-none is missing, `make trl-env` makes it"}


def test_rows_come_in_the_order_of_training_and_masked(
    tmp_path: Path, rows: Path, base: Path
) -> None:
    made = prepare_rows(
        [str(rows)], str(base), tmp_path, steps=3, rows_per_step=4, cutoff=1024, seed=0
    )
    job = Job(str(base), str(made.tokens), str(made.texts), "", 3, 4, 1, 1024, 0)
    examples = job.examples()
    assert made.count == ROWS
    assert len(examples) == 12  # the third step begins a second epoch
    first_epoch = {tuple(example["input_ids"]) for example in examples[:ROWS]}
    assert len(first_epoch) == ROWS
    assert {tuple(example["input_ids"]) for example in examples[ROWS:]} < first_epoch
    labels = [label for example in examples for label in example["labels"]]
    assert sum(label != IGNORED for label in labels) == made.supervised < made.total


def test_the_clock_leaves_the_first_step_out(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock(ends=[10.0, 12.0, 14.0], cpu=[5.0, 8.0, 11.0])
    for supervised, real, computed in [(1000, 1000, 1000), (10, 60, 80), (30, 60, 80), (9, 9, 9)]:
        clock.batch(supervised, real, computed)  # the last one was fetched ahead
    clock.answer(first_loss=1.5)
    figures = Figures(**json.loads(capsys.readouterr().out))
    assert figures.seconds_per_step == 2.0
    assert figures.cpu_seconds_per_step == 3.0
    assert figures.supervised_tokens == 40
    assert figures.supervised_tokens_per_s == 10.0
    assert figures.supervised_tokens_per_cpu_s == pytest.approx(40 / 6)
    assert figures.tokens_per_s == 30.0
    assert figures.padding == 0.25


def test_medians_and_verdicts() -> None:
    def run(speed: float, peak: float, loss: float = 1.0) -> dict[str, float]:
        figures = Figures(4, 1.0, 1.0, 100, speed, speed, 2 * speed, 0.0, peak, loss)
        return {field.name: getattr(figures, field.name) for field in fields(Figures)}

    runs = {
        "sk2d": [run(10, 2), run(60, 3), run(20, 9)],
        "padded": [run(12, 4, 1.25)],
        "grouped": [],
    }
    assert loss_spread(runs) == 0.25
    found = medians(runs)
    assert set(found) == {"sk2d", "padded"}
    speed, peak = verdicts(found)
    assert speed["ratio"] == pytest.approx(20 / 12)
    assert speed["holds"]
    assert peak["ratio"] == 0.75
    assert not peak["holds"]


@pytest.mark.parametrize("options", [["--contenders=sk2d,nobody"], ["--steps=1"]])
def test_wrong_options_end_with_code_2(options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        sft_throughput.parse(options)
    assert ended.value.code == 2
