"""The tables say what the JSON says."""

from __future__ import annotations

import copy
from typing import Any

from sk2d.evaluation.markdown import markdown, number, percent, table


def test_every_system_and_level_stands_in_the_tables(results: dict[str, Any]) -> None:
    text = markdown(results)
    for system, found in results["systems"].items():
        cells = " | ".join(percent(share) for share in found["executable"].values())
        assert f"| {system} | {cells} |" in text
    assert f"candidate set **{results['candidate_set']}**" in text
    assert "mine: 1 missing: reset/O3" in text
    assert "two units" in text
    assert results["settings"]["cc_version"] in text


def test_what_is_left_out_judged_and_asked_is_said(results: dict[str, Any]) -> None:
    other = copy.deepcopy(results)
    other["set"]["excluded"] = [{"id": "x/O0", "reason": "accepts_stub", "message": ""}]
    other["settings"]["judge"] = {"model": "m", "url": "u", "template": "t"}
    other["settings"]["prompts"] = {"skin": {"name": "skin", "hash": "abc"}}
    other["systems"]["mine"]["judge"] = {"mean": {"total": 3.5}, "asked": 3, "without_mark": 1}
    other["systems"]["mine"]["ir"] = {"rows": 2, "compilable": 0.5, "placeholders": 0.75}
    text = markdown(other)
    for line in (
        "| x/O0 | accepts_stub |",
        "| mine | 3.50 | 3 | 1 |",
        "| mine | 2 | 50.0 | 0.750 |",
    ):
        assert line in text
    assert "prompt of skin: skin (abc)" in text


def test_cells_keep_to_their_table() -> None:
    assert table(["a", "b"], [["x|y\nz", "1"]]).splitlines()[-1] == r"| x\|y z | 1 |"
    assert (percent(None), number(None), percent(0.955), number(0.5)) == (
        "n/a",
        "n/a",
        "95.5",
        "0.500",
    )
