"""Which values a key takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

WORDS_FOR_BOOL = ("true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0")
BOUNDS: dict[str, Callable[[float], bool]] = {
    ">=0": lambda value: value >= 0,
    ">0": lambda value: value > 0,
    "": lambda value: True,
}


def accepts(kind: str, value: Any, *, closed: bool) -> bool:
    """Tell whether DeepSpeed takes a value.

    Args:
        kind: Type column of the table.
        value: Value of the file.
        closed: Whether the key's section is checked and converted by DeepSpeed, so that `"2"` will
            do for 2; elsewhere it takes any value and fails later, or does something else.

    Returns:
        Whether it does what the value says.
    """
    if kind.startswith("section:"):
        return isinstance(value, dict)
    if kind == "bool":
        return isinstance(value, bool) or (closed and str(value).lower() in WORDS_FOR_BOOL)
    if kind.startswith("one:"):
        return not isinstance(value, bool) and str(value) in choices(kind)
    simple = {"text": str, "list": list, "any": object}
    if kind in simple:
        return isinstance(value, simple[kind])
    return _is_number(kind, value, closed)


def _is_number(kind: str, value: Any, closed: bool) -> bool:
    number = _number(value, closed)
    if number is None or not math.isfinite(number):
        return False
    if kind == "share":
        return 0 <= number <= 1
    name = kind.rstrip(">=0")
    inside = BOUNDS[kind.removeprefix(name)](number)
    return inside and (name == "number" or number.is_integer())


def _number(value: Any, closed: bool) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not (closed and value.strip().lstrip("-").isdigit()):
        return None
    return float(value)


def choices(kind: str) -> list[str]:
    """List the values of a key that takes one of several.

    Args:
        kind: Type column of the table.

    Returns:
        The values, none for another type.
    """
    return kind.removeprefix("one:").split("|") if kind.startswith("one:") else []


def described(kind: str) -> str:
    """Say what a key takes.

    Args:
        kind: Type column of the table.

    Returns:
        A few words.
    """
    known = {
        "bool": "true or false",
        "text": "text",
        "list": "a list",
        "any": "any value",
        "share": "a number from 0 to 1",
        "int": "a whole number",
        "int>=0": "a whole number of at least 0",
        "int>0": "a whole number of at least 1",
        "number>=0": "a number of at least 0",
        "number>0": "a number above 0",
    }
    if kind.startswith("section:"):
        return "an object"
    return known.get(kind) or "one of " + ", ".join(choices(kind))
