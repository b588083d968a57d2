"""The page on phase 0 shows what the real steps make, and tells all filters and reasons."""

from __future__ import annotations

import json
import re

import pytest

from sk2d.corpus.preprocess.filters import FILTERS
from sk2d.corpus.preprocess.phase0 import phase0_tools
from sk2d.corpus.preprocess.records import Item
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.preprocess.steps import process
from sk2d.errors import EXPLANATIONS, Reason
from tests.imports import ROOT

PAGE = (ROOT / "docs" / "preprocess.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```c (\w+)\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def made():
    row = {"pseudo": BLOCKS["pseudo"], "code": BLOCKS["source"], "func_name": "sum_in_range"}
    [record] = process([Item(row, "docs:1")], Settings(), phase0_tools())
    assert record.reject is None
    return record.made


@pytest.mark.parametrize("column", ["pseudo_norm", "ir", "code_format", "header"])
def test_the_example_is_what_the_steps_make(made, column):
    assert BLOCKS[column] == made[column].strip()


def test_mapping_and_verdict_of_the_example(made):
    assert json.dumps(made["mapping"]).strip("{}") in PAGE
    assert made["compiles"]
    assert made["warnings"] == {}
    assert "it compiles, without a warning" in PAGE
    assert made["problems"] == []


def test_every_reason_stands_in_its_table():
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", PAGE, re.MULTILINE))
    assert {r: told.get(r) for r in Reason} == {r: EXPLANATIONS[r] for r in Reason}


def test_every_filter_stands_in_its_table():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert rows == [(name, str(f.reason), f.rule) for name, f in FILTERS.items()]
