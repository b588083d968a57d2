"""The evaluation's measures as torchmetrics, by hand."""

import math

import pytest
import torch
from torchmetrics import MetricCollection

from sk2d.errors import JailError
from sk2d.phases import answer_metrics as module
from sk2d.phases.answer_metrics import AnswerMetric, answer_metrics

IR = "type1 func1(type1 var1) { return var1; }"


def of(metrics: MetricCollection) -> dict[str, float]:
    return {name: round(float(value), 6) for name, value in metrics.compute().items()}


def test_a_skeleton_is_measured_by_its_ir() -> None:
    metrics = answer_metrics("skeleton")
    metrics.update([IR, "type1 func1(type1 var2) { return var1; }"], [f"{IR}\n", IR])
    # 3 of 4 placeholders; one letter of 40 differs; var1 is undeclared.
    near = round((1 + 1 - 1 / len("type1 func1(type1 var1) {\n  return var1;\n}")) / 2, 2)
    found = of(metrics)
    assert round(found.pop("edit_similarity"), 2) == near
    assert found == {"exact_match": 0.5, "compile_rate": 0.5, "placeholders": 0.875}


def test_a_skin_is_measured_by_its_names() -> None:
    metrics = answer_metrics("skin")
    source = "int add(int first, int second) { return first + second; }"
    metrics.update([source, "int add(int a, int *b) { return b + b; }"], [source, source])
    found = of(metrics)
    assert (found["compile_rate"], found["exact_match"]) == (0.5, 0.5)
    assert 0.5 < found["names"] < 1.0


def test_two_halves_give_what_the_whole_gives() -> None:
    metric = AnswerMetric(lambda answer, reference: float(answer == reference))
    metric.update(["a", "b"], ["a", "a"])
    metric.update(["a"], ["a"])
    assert float(metric.compute()) == pytest.approx(2 / 3)
    metric.reset()
    assert math.isnan(float(metric.compute()))
    metric.update([], [])
    assert torch.isnan(metric.compute())


def test_a_jail_that_fails_leaves_the_answer_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        raise JailError("no room")

    monkeypatch.setattr(module, "compile_c", broken)
    with pytest.warns(UserWarning, match="no room"):
        assert module.ir_compiles(IR, IR) is None


def test_without_a_compiler_the_rate_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_compiler", lambda name: None)
    with pytest.warns(UserWarning, match="no gcc"):
        assert "compile_rate" not in answer_metrics("skin")
