"""What the models are asked is what they were trained on."""

from __future__ import annotations

import json

from sk2d.decompile.preparing import prepared
from sk2d.frontends.records import PseudoFunction
from tests.imports import ROOT


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (ROOT / "examples" / name).read_text().splitlines()]


def record(pseudo: str) -> PseudoFunction:
    return PseudoFunction("f", 0x1000, 4, pseudo, dialect="flatline")


def test_the_text_for_the_skeleton_is_that_of_its_training_rows() -> None:
    trained = {row["id"]: row["input"] for row in rows("skeleton.jsonl")}
    pairs = [row for row in rows("pairs.jsonl") if row["id"] in trained][::5]
    functions = prepared([record(pair["pseudo"]) for pair in pairs])
    assert [function.code for function in functions] == [trained[pair["id"]] for pair in pairs]


def test_a_text_that_cannot_be_formatted_stays_and_is_told() -> None:
    deep = "(" * 700 + "1" + ")" * 700
    texts = ["int f(void)\n\n{\n  return 1;\n}\n", f"int g(void) {{ return {deep}; }}"]
    plain, hard = prepared([record(text) for text in texts])
    assert plain.code == "int f(void) { return 1; }"
    assert plain.warnings == ()
    assert hard.code == texts[1]
    assert "too_deep" in hard.warnings[0] or "not formatted" in hard.warnings[0]
