"""`reward`: the lines that others rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.commands.reward import BATCH, reward
from sk2d.errors import ConfigError, DataError

GOLD = "int func1(int var1) { return var1 + 1; }"
ROWS = [
    {"id": "a", "candidate": GOLD, "reference": GOLD, "header": "", "func_name": "func1"},
    {"id": 7, "candidate": "", "reference": GOLD, "header": None, "func_name": None},
    {"id": "c", "candidate": "int func1(int var1) { return var2; }", "reference": GOLD},
]


def printed(
    rows: list[dict[str, Any]], folder: Path, capsys: pytest.CaptureFixture[str], **options: Any
) -> list[dict[str, Any]]:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reward(path, **options)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_one_line_a_row_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(ROWS, tmp_path, capsys)
    assert [row["id"] for row in found] == ["a", 7, "c"]
    assert [row["score"] for row in found] == [2.0, 0.0, 0.0]
    assert [row["verdict"] for row in found] == ["ok", "empty", "not_compiling"]
    assert set(found[0]) == {"id", "score", "verdict", "parts", "seconds", "message"}
    assert found[0]["parts"]["used"] == 1.0


@pytest.mark.parametrize(("mode", "scores"), [("paper", [2, 0, 0]), ("upstream", [2, 1, 0])])
def test_modes(
    mode: str, scores: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [row["score"] for row in printed(ROWS, tmp_path, capsys, mode=mode)] == scores


def test_lexical_rewards_the_skin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": 1, "candidate": "int add_one(int count) { return count + 1; }"}
    row["reference"] = "int add_two(int count) { return count + 2; }"
    (found,) = printed([row], tmp_path, capsys, mode="lexical")
    assert found["score"] == pytest.approx(2 / 3)
    with pytest.raises(ConfigError, match="the Skeleton gives none"):
        printed([row], tmp_path, capsys, mode="lexical", phase="skeleton")


def test_more_rows_than_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [ROWS[0] | {"id": number} for number in range(BATCH + 3)]
    assert [row["id"] for row in printed(rows, tmp_path, capsys)] == list(range(BATCH + 3))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"reference": GOLD, "code": GOLD}, "`candidate` is missing or no text; there is `code`"),
        ({"candidate": GOLD}, "`reference` is missing or no text"),
        ({"candidate": GOLD, "reference": GOLD, "header": 3}, "`header` is no text"),
        ({"candidate": GOLD, "reference": "int f(", "header": None}, "no header can be inferred"),
    ],
)
def test_damaged_rows(
    row: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError, match=r"rows\.jsonl:2") as raised:
        printed([ROWS[0], row], tmp_path, capsys)
    assert message in str(raised.value)
