"""Types of values: what is taken, what is refused, and how it is said."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from sk2d.commands.config.files import Setting
from sk2d.commands.config.types import describe, typed_value
from sk2d.models.lora import LoraSettings


@pytest.mark.parametrize(
    ("hint", "value", "wanted"),
    [
        (float, 1, 1.0),
        (float | None, None, None),
        (int | None, 5, 5),
        (bool, True, True),
        (tuple[float, float], [0.9, 0.99], (0.9, 0.99)),
        (str | list[str], ["q_proj"], ["q_proj"]),
        (Literal["a", "b"], "b", "b"),
        (LoraSettings | None, None, None),
        (Any, object, object),
    ],
)
def test_values_of_the_right_type(hint: Any, value: Any, wanted: Any) -> None:
    assert typed_value(Setting("key", value, {"key": "f:1"}), hint) == (wanted, None)


@pytest.mark.parametrize(
    ("hint", "text", "wanted"),
    [(str, "5", "5"), (float, "1e-4", 1e-4), (int | None, "null", None), (bool, "false", False)],
)
def test_texts_of_the_command_line(hint: Any, text: str, wanted: Any) -> None:
    assert typed_value(Setting("key", text, text=text), hint) == (wanted, None)


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (int | None, "a whole number or null"),
        (tuple[float, float], "a list of 2 (a number, a number)"),
        (str | list[str], "a text or a list (of texts)"),
        (Literal["step", "epoch"], "one of step, epoch"),
        (LoraSettings | None, "a mapping of rank, alpha, dropout, targets or null"),
    ],
)
def test_types_in_words(hint: Any, words: str) -> None:
    assert describe(hint) == words
