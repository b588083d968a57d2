"""Other ways of answering are compared with one prompt at a time, and differences are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from benchmarks.batching import Asked, Way, compare, main, ways
from sk2d.models.answers import Answer
from sk2d.models.tiny import make_tiny
from tests.imports import ROOT

ROWS = ROOT / "examples" / "skeleton_unseen.jsonl"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [row.read_text() for row in sorted((ROOT / "examples" / "sources").glob("*.c"))[:4]]
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return make_tiny(texts, folder, vocabulary=400, hidden=32, layers=2, heads=2)


@pytest.fixture(scope="module")
def asked(tiny: Path) -> Asked:
    found = Asked(str(tiny), ROWS, "skeleton", 3, 12)
    with torch.no_grad():
        for parameter in found.model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6.0)
    return found


def test_every_way_gives_the_tokens_of_the_reference(tiny: Path, tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    words = ["--model", str(tiny), "--prompt", "skeleton", "--rows", str(ROWS), "--limit", "3"]
    assert main([*words, "--max-new-tokens", "8", "--json", str(output)]) == 0
    found = json.loads(output.read_text())
    assert found["prompts"] == 3
    assert [way["name"] for way in found["ways"]] == [way.name for way in ways([2, 4, 8], [5, 10])]
    assert all(way["same"] + way["ties"] == 3 for way in found["ways"])


def test_an_answer_that_parts_without_a_tie_is_told(asked: Asked) -> None:
    reference = asked.answers(Way("batch 1"))
    first = reference[0]
    other = Answer(
        first.text + "x", (first.tokens[0], first.tokens[1] + 1, *first.tokens[2:]), True
    )
    way = Way("wrong")
    compare(asked, way, [other, *reference[1:]], reference)
    assert way.same == 2
    assert [place for place, _ in way.wrong] == [0]
    assert way.wrong[0][1] > 1e-4


def test_an_answer_that_parts_at_a_tie_is_counted(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = asked.answers(Way("batch 1"))
    shorter = Answer("", reference[0].tokens[:3], True)
    monkeypatch.setattr(Asked, "margin", lambda self, prompt, tokens: 5e-5)
    way = Way("tie")
    compare(asked, way, [shorter, *reference[1:]], reference)
    assert (way.same, way.ties, way.wrong) == (2, 1, [])
