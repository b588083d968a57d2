"""What is no attack gets all that the paper promises; what no reward can admit is counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sk2d.c.inference import infer
from sk2d.errors import SourceError
from sk2d.rewards.candidates import Candidate
from sk2d.rewards.guards import without_line_markers
from sk2d.rewards.structure import StructureReward
from tests.imports import ROOT


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def gold(row: dict[str, Any]) -> tuple[str, str | None]:
    """Give a row's true text and the header that comes with it."""
    if "reward_model" in row:
        return row["reward_model"]["ground_truth"], row["extra_info"]["header"]
    return row.get("code") or row["output"], None


def judged(path: Path, every: int = 1) -> dict[str, int]:
    """Count what becomes of unique true texts, or of some, each judged against itself."""
    found: Counter[str] = Counter()
    candidates = []
    for text, header in list(dict.fromkeys(map(gold, rows(path))))[::every]:
        text = without_line_markers(text)
        try:
            candidates.append(Candidate(text, text, infer(text) if header is None else header))
        except SourceError as error:
            found[f"no header: {error.reason}"] += 1
    for score in StructureReward("paper")(candidates):
        found[f"{score.verdict} {score.score:g}"] += 1
    return dict(sorted(found.items()))


EXPECTED = {
    "sk2_rl_examples.jsonl": {"directive 0": 1, "ok 2": 59},
    "sk2_pseudo2norm_examples.jsonl": {"ok 2": 19},
    "sk2_norm2code_examples.jsonl": {"directive 0": 2, "no header: syntax_error": 1, "ok 2": 17},
    "humaneval_decompile.jsonl": {"ok 2": 86},
    "bringup_pairs.jsonl": {
        "directive 0": 29,
        "no header: syntax_error": 2,
        "ok 2": 288,
        "standard_name 0": 1,
    },
}


@pytest.mark.parametrize(
    ("every", "count"), [(4, 57), pytest.param(1, 226, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_own_examples(every: int, count: int) -> None:
    assert judged(ROOT / "examples" / "pairs.jsonl", every) == {"ok 2": count}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_released_rows(name: str, released: Callable[[str], Path]) -> None:
    assert judged(released(name)) == EXPECTED[name]
