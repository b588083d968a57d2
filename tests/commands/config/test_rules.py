"""Ranges, and values as the rules see them: what was set last, else the default."""

from __future__ import annotations

from typing import Any

import pytest

from sk2d.commands.config.check import Values, check_settings
from sk2d.commands.config.devices import device_count
from sk2d.commands.config.options import read_settings
from sk2d.commands.config.ranges import REFUSED, RULES, Rule

PHASE = "--model=sk2d.phases.SkeletonModule"


def values(*options: str) -> Values:
    found, problems = check_settings(
        read_settings([PHASE, "--model.base=tiny", "--data.train=x.jsonl", *options]), "fit"
    )
    assert not problems
    return found


@pytest.mark.parametrize(
    ("rule", "inside", "outside"),
    [
        (Rule("k", 1), [1, 5, None, "x", True], [0, -1, float("nan")]),
        (Rule("k", 0, 1, low_open=True), [0.1, 1], [0, 1.1, float("inf")]),
        (Rule("k", 0, 1, high_open=True), [0, 0.99], [1, -0.1]),
        (Rule("k", 1, also=-1), [-1, 1], [0, -2]),
    ],
)
def test_ranges(rule: Rule, inside: list[Any], outside: list[Any]) -> None:
    assert not [value for value in inside if rule.broken_by(value)]
    assert not [value for value in outside if not rule.broken_by(value)]


def test_rules_are_about_keys_that_exist_and_allow_their_defaults() -> None:
    found = values()
    for key in (*(rule.key for rule in RULES), *REFUSED):
        section = key.rpartition(".")[0]
        nested = section.startswith("model.")
        assert nested or not section or key.split(".")[1] in found.sections[section].parameters()
    assert not [rule.key for rule in RULES if rule.broken_by(found.get(rule.key))]


def test_the_last_value_holds() -> None:
    assert values("--data.limit=1", "--data.limit=2").get("data.limit") == 2
    assert values().get("data.limit") is None
    assert values().get("model.lora.rank") == 16
    assert values("--model.lora=null").get("model.lora.rank") is None
    assert values("--model.lora=null", "--model.lora.rank=8").get("model.lora.rank") == 8
    assert values("--model.lora.rank=8", "--model.lora=null").get("model.lora.rank") is None


@pytest.mark.parametrize(
    ("devices", "nodes", "wanted"),
    [(1, 1, 1), (4, 2, 8), ("2", 1, 2), ([0, 3], 1, 2), ("0,1,2", 1, 3), ("auto", 1, 1)],
)
def test_devices_are_counted(devices: Any, nodes: int, wanted: int) -> None:
    settings = {"trainer.devices": devices, "trainer.num_nodes": nodes}
    assert device_count(lambda key: settings.get(key, "cpu")) == wanted
