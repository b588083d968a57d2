"""sk2d.json and the model card."""

from __future__ import annotations

import json

import pytest

from sk2d.errors import ModelError
from sk2d.models.card import model_card, read_facts
from tests.models.making import facts_for


@pytest.fixture
def facts(tiny):
    return facts_for(tiny, training={"steps": 9, "loss": 0.123456789, "rows": {"train": 40}})


def test_facts_survive_the_file(facts, tmp_path):
    (tmp_path / "sk2d.json").write_text(facts.to_json())
    assert read_facts(tmp_path) == facts


def test_no_file_no_facts(tmp_path):
    assert read_facts(tmp_path) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": 1}', '{"schema": 1, "colour": 2, "base_fingerprint": {}}']
)
def test_a_damaged_file_is_named(tmp_path, text):
    (tmp_path / "sk2d.json").write_text(text)
    with pytest.raises(ModelError, match="sk2d.json: the file is damaged"):
        read_facts(tmp_path)


def test_a_newer_schema_is_refused(facts, tmp_path):
    values = json.loads(facts.to_json()) | {"schema": 2}
    (tmp_path / "sk2d.json").write_text(json.dumps(values))
    with pytest.raises(ModelError, match="schema 2 is unknown.*Update sk2d"):
        read_facts(tmp_path)


@pytest.mark.parametrize("adapter", [True, False])
def test_the_card_says_what_one_must_know(facts, adapter):
    card = model_card(facts, adapter=adapter)
    assert card.startswith("---\nlibrary_name: " + ("peft" if adapter else "transformers"))
    for part in (facts.prompt_hash, facts.base, facts.base_fingerprint.weights[:16], "0.123457"):
        assert part in card
    assert "train 40" in card


def test_a_bar_in_a_value_does_not_break_the_table(facts):
    facts.training["note"] = "a|b"
    assert "| Training: note | a\\|b |" in model_card(facts, adapter=True)
