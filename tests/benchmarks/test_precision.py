"""The comparison of precisions runs, says what could not run, and compares with fp32."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import precision
from benchmarks.precisions.modes import KINDS, MODES, Case, cases
from benchmarks.precisions.report import HEADINGS, Result, draw, markdown, remark, rows
from benchmarks.precisions.worker import Job, Outcome, train
from sk2d.models.tiny import make_tiny
from tests.phases.conftest import make_rows


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A tiny base and a few rows."""
    folder = tmp_path_factory.mktemp("precision")
    made = make_rows(8)
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    texts = [row["input"] + row["output"] for row in made]
    base = make_tiny(texts, folder / "tiny", vocabulary=400, hidden=64, layers=2, heads=2)
    return str(base), str(path)


def job(files: tuple[str, str], output: Path, **more: object) -> Job:
    base, path = files
    plain = Job(
        base=base, train=path, held_out=path, output=str(output), precision="32-true",
        quantization=None, lora=True, refused=False, gpu=False, steps=2, rows_per_step=4,
        micro_batch=2, cutoff=512, lr=1e-3, sample_tokens=4, checkpointing=False,
    )  # fmt: skip
    return replace(plain, **more)  # type: ignore[arg-type]


def test_fp32_is_measured_and_leaves_nothing(files: tuple[str, str], tmp_path: Path) -> None:
    found = train(job(files, tmp_path))
    assert found.refused is found.ended is None
    assert found.steps == len(found.losses) == 2
    assert found.tokens_per_s is not None
    assert found.tokens_per_s > 0
    assert found.held_out_loss is not None
    assert 3 < found.held_out_loss < 8  # 400 tokens, hardly trained
    assert found.sample is not None
    assert not list(tmp_path.rglob("*.ckpt"))
    assert not (tmp_path / "run" / "model").exists()


def test_fp16_on_a_cpu_is_refused_with_its_reason(files: tuple[str, str], tmp_path: Path) -> None:
    found = train(job(files, tmp_path, precision="16-mixed"))
    assert found.losses == []
    assert found.refused is not None
    assert "16-mixed needs a GPU" in found.refused
    line = remark(Result(Case(MODES[2], "lora"), found))
    assert line.startswith("not run here: trainer.precision: 16-mixed needs a GPU")


@pytest.mark.filterwarnings("ignore:trainer.precision 16-true")
def test_fp16_weights_are_shown_failing(files: tuple[str, str], tmp_path: Path) -> None:
    found = train(job(files, tmp_path, precision="16-true", lora=False, refused=True))
    assert found.precision == "16-true"
    assert found.ended is not None
    assert "nan" in found.ended
    line = remark(Result(Case(MODES[4], "full"), found))
    assert line.startswith("past fit's check, ended after 1 steps: step 1: the loss became nan")


def test_all_precisions_are_run_adapters_first() -> None:
    found = cases([mode.name for mode in MODES], list(KINDS))
    assert len(found) == 14
    assert [case.name for case in found[:2]] == ["fp32, lora", "bf16-mixed, lora"]
    assert {case.mode.name for case in found} >= {"fp16-mixed", "fp16-true", "int8", "nf4"}
    assert [case.name for case in cases(["nf4"], ["full"])] == ["nf4, full"]


def outcome(**more: object) -> Outcome:
    plain = Outcome(
        precision="32-true", steps=2, losses=[2.0, 1.0], held_out_loss=1.5, tokens_per_s=100.0,
        peak_gib=2.0, sample="int f() {",
    )  # fmt: skip
    return replace(plain, **more)  # type: ignore[arg-type]


def test_each_is_compared_with_fp32_of_its_kind(tmp_path: Path) -> None:
    results = [
        Result(Case(MODES[0], "lora"), outcome()),
        Result(
            Case(MODES[2], "lora"),
            outcome(
                precision="16-mixed", tokens_per_s=250.0, peak_gib=1.0, held_out_loss=1.51,
                skipped=1, sample="int g() {",
            ),
        ),
        Result(Case(MODES[0], "full"), None, "it took longer than 3 s (--limit)"),
        Result(Case(MODES[6], "full"), outcome()),
        Result(Case(MODES[5], "lora"), Outcome(refused="model.quantization: needs a GPU")),
    ]  # fmt: skip
    base, half, failed, alone, refused = rows(results)
    assert base[2:9] == ["100.0", "1.00", "2.00", "1.5000", "+0.0000", "0", "-"]
    assert half[2:9] == [
        "250.0",
        "2.50",
        "1.00",
        "1.5100",
        "+0.0100",
        "1",
        "other from character 5",
    ]
    assert failed[2:] == ["-"] * 7 + ["failed: it took longer than 3 s (--limit)"]
    assert alone[3] == alone[6] == "-"  # fp32 of this kind has no figures
    assert alone[-1] == "computed in 32-true"
    assert refused[-1] == "not run here: model.quantization: needs a GPU"
    assert all(len(row) == len(HEADINGS) for row in (base, half, failed, alone, refused))
    assert markdown(results).count("\n") == 7
    draw(results, tmp_path / "precision.png")
    assert (tmp_path / "precision.png").stat().st_size > 1000


def test_a_process_over_its_limit_is_named(files: tuple[str, str]) -> None:
    base, path = files
    options = [f"--base={base}", f"--train={path}", f"--held-out={path}", "--device=cpu"]
    chosen = precision.parse([*options, "--limit=0.05"])
    found = precision.run(Case(MODES[0], "lora"), chosen)
    assert found.outcome is None
    assert remark(found) == "failed: it took longer than 0 s (--limit)"


@pytest.mark.parametrize("options", [["--modes=fp8"], ["--kinds=half"], ["--steps=1"]])
def test_wrong_options_end_with_code_2(options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        precision.parse(options)
    assert ended.value.code == 2


@pytest.mark.slow
def test_the_command_writes_its_files(files: tuple[str, str], tmp_path: Path) -> None:
    base, path = files
    options = [f"--base={base}", f"--train={path}", f"--held-out={path}", "--device=cpu"]
    options += ["--modes=fp32,fp16-mixed", "--kinds=lora", "--steps=2", "--threads=1"]
    made = {name: tmp_path / name for name in ("json", "markdown", "picture")}
    code = precision.main([*options, *(f"--{name}={path}" for name, path in made.items())])
    assert code == 0
    first, second = json.loads(made["json"].read_text(encoding="utf-8"))["runs"]
    assert first["held_out_loss"] > 0
    assert second["remark"].startswith("not run here")
    assert made["markdown"].read_text(encoding="utf-8").startswith("| precision |")
