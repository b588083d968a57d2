"""When a key has an effect: conditions on the other keys of the file.

A condition is written `KEY=VALUE|VALUE`, `KEY!=VALUE` or `KEY>=NUMBER`; `stage` is short for
`zero_optimization.stage`, several are joined by ` & `. Two words stand for themselves: `never`, and
`nvme` (ZeRO-3 with weights or optimiser states on a disk).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sk2d.models.zero_config.table import canonical, known_keys

ZERO, AUTO = "zero_optimization", "auto"
STAGE = f"{ZERO}.stage"
OFFLOADS = (f"{ZERO}.offload_param", f"{ZERO}.offload_optimizer")
_CONDITION = re.compile(r"(?P<key>[\w.]+)(?P<test>>=|!=|=)(?P<value>.+)")


class Settings:
    """The values that DeepSpeed works with: those of the file, and its defaults for the rest.

    Args:
        config: The file's content.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._given: dict[str, Any] = {}
        self._collect(config, "")
        old_form = {f"{ZERO}.cpu_offload": OFFLOADS[1], f"{ZERO}.cpu_offload_param": OFFLOADS[0]}
        for old, new in old_form.items():
            if self._given.get(old) is True:
                self._given.setdefault(f"{new}.device", "cpu")
        if self._given.get(ZERO) is True:
            self._given[STAGE] = 1

    def _collect(self, config: Mapping[str, Any], start: str) -> None:
        for name, value in config.items():
            key = canonical(f"{start}{name}")
            self._given[key] = value
            if isinstance(value, dict):
                self._collect(value, f"{key}.")

    def is_given(self, key: str) -> bool:
        """Tell whether the file has a key.

        Args:
            key: Dotted key, under its usual name.

        Returns:
            Whether it is there, under any of its names.
        """
        return key in self._given

    def get(self, key: str) -> Any:
        """Look up the value that holds.

        Args:
            key: Dotted key, under its usual name.

        Returns:
            The file's value, or the default where it gives none or `auto`.
        """
        known = known_keys().get(key)
        default = known.default if known else None
        value = self._given.get(key, default)
        return default if value == AUTO or value is None else value

    @property
    def stage(self) -> int:
        """The ZeRO stage, 0 where none can be read."""
        text = str(self.get(STAGE)).removesuffix(".0")
        return int(text) if text in "0123" and len(text) == 1 else 0


def unmet(needs: str, settings: Settings) -> str | None:
    """Find what keeps a key from having an effect.

    Args:
        needs: Column of the table.
        settings: The values that hold.

    Returns:
        What is missing, as `zero_optimization.stage 3, and this file has 2`; None when all is met.
    """
    for condition in filter(None, needs.split(" & ")):
        if not _holds(condition, settings):
            return _explained(condition, settings)
    return None


def _split(condition: str) -> tuple[str, str, list[str]]:
    match = _CONDITION.fullmatch(condition)
    assert match, f"the table has a condition that cannot be read: {condition}"
    key = STAGE if match["key"] == "stage" else match["key"]
    return key, match["test"], match["value"].split("|")


def _holds(condition: str, settings: Settings) -> bool:
    if condition == "never":
        return False
    if condition == "nvme":
        return settings.stage == 3 and any(settings.get(f"{o}.device") == "nvme" for o in OFFLOADS)
    key, test, wanted = _split(condition)
    value = settings.stage if key == STAGE else settings.get(key)
    if test == ">=":
        return isinstance(value, int | float) and value >= float(wanted[0])
    return (_as_text(value) in wanted) == (test == "=")


def _as_text(value: Any) -> str:
    """Write a value as the table does; 0.0 and 0 are one number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)


def _explained(condition: str, settings: Settings) -> str:
    if condition == "never":
        return ""
    if condition == "nvme":
        return f"{STAGE} 3 with an offload to nvme"
    key, test, wanted = _split(condition)
    value = settings.stage if key == STAGE else settings.get(key)
    words = {">=": f"{wanted[0]} or more", "!=": f"other than {wanted[0]}"}
    wish = words.get(test, " or ".join(wanted))
    return f"{key} {wish}, and here it is {_as_text(value)}"
