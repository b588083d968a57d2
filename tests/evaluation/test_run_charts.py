"""Which curves stand together, and which answers of a journal are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sk2d.evaluation.run_charts import SHOWN_STEPS, charts, shown_rollouts
from sk2d.evaluation.run_data import run_data


def titles(columns: list[str], validations: list[str]) -> dict[str, list[str]]:
    made = charts(columns, validations)
    return {chart["title"]: [line["name"] for line in chart["lines"]] for chart in made}


def test_supervised_curves() -> None:
    found = titles(
        ["step", "epoch", "loss", "lr"], ["step", "epoch", "val_loss", "val_exact_match"]
    )
    assert found == {
        "loss (nats per token)": ["training", "validation"],
        "lr": ["lr"],
        "val_exact_match": ["val_exact_match"],
    }


def test_rewards_stand_with_their_validation_and_parts_together() -> None:
    columns = ["step", "epoch", "loss", "reward", "compiles", "used", "rollout_s", "update_s", "kl"]
    found = titles(columns, ["step", "epoch", "val_reward", "val_compiles", "val_tokens"])
    assert found == {
        "reward": ["training", "validation"],
        "parts of the reward": ["compiles", "used"],
        "parts of the reward, validation": ["compiles"],
        "seconds": ["rollout_s", "update_s"],
        "loss": ["loss"],
        "kl": ["kl"],
        "val_tokens": ["val_tokens"],
    }


def line(step: int, *scores: float | None) -> dict[str, Any]:
    answers = [
        {"answer": f"int a{place};", "score": score, "verdict": "ok"}
        for place, score in enumerate(scores)
    ]
    return {"step": step, "id": f"row{step}", "source": "s", "reference": "r", "answers": answers}


def test_best_and_worst_answer_of_a_steps_first_prompt(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    lines = [line(1, 0.5, 2.0, None), line(1, 0.1), line(2, 1.0, 1.0)]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines) + '{"step": 3')
    found = shown_rollouts(path, [1, 2, 3])
    assert [(each["step"], each["id"], each["answer"]) for each in found] == [
        (1, "row1 · 2.000 · ok", "int a1;"),
        (1, "row1 · not judged · ok", "int a2;"),
        (2, "row2 · 1.000 · ok", "int a0;"),
    ]


def test_a_long_run_shows_some_steps_and_its_last(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(line(step, 1.0)) + "\n" for step in range(1, 301)))
    steps = [each["step"] for each in shown_rollouts(path, list(range(1, 301)))]
    assert len(steps) <= SHOWN_STEPS + 2
    assert (steps[0], steps[-1]) == (1, 300)


def test_a_run_folder_of_reinforcement_learning(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"phase": "skeleton"}))
    (tmp_path / "metrics.csv").write_text("step,epoch,loss,reward\n1,0,0.0,0.5\n2,0,0.0,0.75\n")
    (tmp_path / "rollouts.jsonl").write_text(json.dumps(line(2, 0.75)) + "\n")
    found = run_data(tmp_path)
    assert found["summary"] == "skeleton: step 2, reward 0.7500"
    assert [each["answer"] for each in found["samples"]] == ["int a0;"]
