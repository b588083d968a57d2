"""The shipped rows are what phase 0 makes of their pairs."""

import json

import pytest

from sk2d.c import format_functions, normalize, obfuscate
from tests.imports import ROOT

PAIRS = [json.loads(line) for line in (ROOT / "examples/pairs.jsonl").read_text().splitlines()]


def test_the_pseudo_code_is_normalised() -> None:
    shipped = [pair["pseudo"] for pair in PAIRS]
    assert len(shipped) > 100
    assert format_functions([normalize(pseudo) for pseudo in shipped]) == shipped


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_the_irs_are_those_of_the_sources(level: str) -> None:
    pairs = [pair for pair in PAIRS if pair["opt"] == level]
    made = [obfuscate(pair["code"], pair["pseudo"]).ir for pair in pairs]
    assert format_functions(made) == [pair["ir"] for pair in pairs]
