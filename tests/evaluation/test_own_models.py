"""Both phases on a set, with models that are functions of these tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sk2d.evaluation.journal import Journal
from sk2d.evaluation.own_models import own_models, prompts_of
from sk2d.evaluation.systems import Answer, Kind, System

SOURCE = System(
    "ghidra (stored)",
    Kind.NO_MODEL,
    "",
    {"a": Answer("int f(int a){return a;}", pseudo=True, before="int g;\n"), "b": Answer("long")},
    {"c": "the decompiler gave nothing"},
)


class Models:
    """Stands for `Phases`: each phase puts its name in front; what is `long` has no room."""

    def __init__(self) -> None:
        prompt = SimpleNamespace(name="plain", hash="ab")
        self.models = {"skeleton": ("s", prompt), "skin": ("t", prompt)}
        self.asking = SimpleNamespace(max_new_tokens=9)
        self.asked: list[str] = []

    def get(self, phase: str) -> Any:
        def answers(codes: Sequence[str]) -> Iterator[Any]:
            self.asked += codes
            for code in codes:
                yield None if code == "long" else SimpleNamespace(text=f"/* {phase} */ {code}")

        return SimpleNamespace(answers=answers)


@pytest.fixture(autouse=True)
def _no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def about(phase: str, phases: Any) -> list[str]:
        return [phase]

    monkeypatch.setattr("sk2d.evaluation.own_models._about", about)


def test_texts_go_through_both_phases_and_are_kept(tmp_path: Path) -> None:
    models: Any = Models()
    told: list[tuple[str, int, int]] = []
    path = tmp_path / "answers.jsonl"
    found = own_models(SOURCE, models, Journal(path), lambda *say: told.append(say))
    laid_out = "int f(int a) { return a; }"
    ir = f"/* skeleton */ {laid_out}"
    assert found.answers == {"a": Answer(f"/* skin */ {ir}", ir=ir, before="int g;\n")}
    assert set(found.failures) == {"b", "c"}
    assert "no room" in found.failures["b"]
    assert told[-1] == ("skin", 1, 1)
    assert "they read ghidra (stored)" in found.about
    again: Any = Models()
    assert own_models(SOURCE, again, Journal(path)) == found
    assert again.asked == []


def test_prompts_are_named_for_reports() -> None:
    models: Any = Models()
    assert prompts_of(models)["skin"] == {"name": "plain", "hash": "ab"}
