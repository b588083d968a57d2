"""Finds every mistake of a config at once, before anything is built."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from jsonargparse import ArgumentParser, Namespace

from sk2d.commands.config_files import Setting, last_values
from sk2d.commands.config_keys import Section, nested_fields, sections, unknown_key
from sk2d.errors import ConfigError

OTHER_KEYS: dict[str, Any] = {
    "seed_everything": bool | int,
    "overwrite": bool,
    "ckpt_path": str | None,
    "verbose": bool,
    "return_predictions": bool | None,
    "weights_only": bool | None,
}
CLASS_VALUED = ("trainer.callbacks", "trainer.logger", "trainer.strategy", "trainer.plugins")


@dataclass(frozen=True)
class Values:
    """The values of a config, defaults included, without anything being built.

    Args:
        given: Value by full key, as the user set it.
        sections: The sections, whose constructors have the defaults.
    """

    given: dict[str, Any]
    sections: dict[str, Section]

    def get(self, key: str) -> Any:
        """Look a key up.

        Args:
            key: Full key, such as `model.lora.rank`.

        Returns:
            What the user set, else the default; None where a part before it is null.
        """
        if key in self.given:
            return self.given[key]
        above, _, last = key.rpartition(".")
        if above in self.sections:
            default = self.sections[above].parameters().get(last)
            empty = default is None or default.default is inspect.Parameter.empty
            return None if empty else default.default
        return getattr(self.get(above), last, None) if above else None

    def arguments(self, section: str) -> dict[str, Any]:
        """Give the arguments of a section's class.

        Args:
            section: Key of the section.

        Returns:
            Value by name of argument.
        """
        names = self.sections[section].parameters()
        return {name: self.get(f"{section}.{name}") for name in names}


def check_settings(settings: Sequence[Setting]) -> tuple[Values, list[ConfigError]]:
    """Check the names and types of all settings, and that what is required is set.

    Args:
        settings: Settings in the order in which they are applied.

    Returns:
        The values that are well formed, and every problem in the order of the settings.
    """
    found, problems = sections(last_values(settings))
    known = known_keys(found)
    where_else = {key.split(".")[-1]: key for key in reversed(known)}
    given: dict[str, Any] = {}
    for setting in settings:
        if _section_is_broken(setting, found):
            continue
        hint = hint_of(setting.key, known)
        if hint is None:
            problems.append(unknown_key(setting, known, where_else))
            continue
        value, problem = typed_value(setting, hint)
        problems += [problem] if problem else []
        if problem is None:
            given[setting.key] = value
    problems += missing_keys(found, {setting.key for setting in settings})
    return Values(given, found), problems


def missing_keys(found: dict[str, Section], given: set[str]) -> list[ConfigError]:
    """Find required keys that are not set.

    Args:
        found: The sections of the config.
        given: Keys that the user set.

    Returns:
        One error per missing key.
    """
    problems = []
    for section in found.values():
        for name, parameter in section.parameters().items():
            key = f"{section.name}.{name}"
            if parameter.default is inspect.Parameter.empty and key not in given:
                remedy = f"Give it in a config or with --{key}"
                problems.append(ConfigError(f"{key} is not set", where="config", remedy=remedy))
    return problems


def _section_is_broken(setting: Setting, found: dict[str, Section]) -> bool:
    top = setting.key.split(".")[0]
    return top in ("model", "data") and top not in found


def known_keys(found: dict[str, Section]) -> dict[str, Any]:
    """List every key with its type.

    Args:
        found: The sections of the config.

    Returns:
        Type by full key; keys inside dataclasses as well as the dataclass itself.
    """
    keys = dict(OTHER_KEYS)
    for section in found.values():
        for name, hint in section.hints().items():
            keys[f"{section.name}.{name}"] = hint
            for field, field_hint in (nested_fields(hint) or {}).items():
                keys[f"{section.name}.{name}.{field}"] = field_hint
        keys[f"{section.name}.class_path"] = str
        keys[section.name] = Any
    return keys


def hint_of(key: str, known: dict[str, Any]) -> Any | None:
    """Find the type of a key.

    Args:
        key: Full key.
        known: Type by full key.

    Returns:
        The type; `Any` below a key whose value is a class of its own; None for an unknown key.
    """
    if any(key == name or key.startswith(f"{name}.") for name in CLASS_VALUED):
        return Any
    return known.get(key)


def typed_value(setting: Setting, hint: Any) -> tuple[Any, ConfigError | None]:
    """Read one value by its type, in isolation.

    Args:
        setting: The setting.
        hint: Type of its key.

    Returns:
        The value, and what is wrong with it.
    """
    if hint is Any:
        return setting.value, None
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("--value", type=hint)
    try:
        if setting.text is not None:
            return parser.parse_args([f"--value={setting.text}"]).value, None
        return parser.parse_object(Namespace(value=setting.value)).value, None
    except (argparse.ArgumentError, TypeError, ValueError):
        what = f"{setting.key}: {setting.value!r} is not {describe(hint)}"
        return None, ConfigError(what, where=setting.where, remedy=f"Give {describe(hint)}")


def describe(hint: Any) -> str:
    """Say in words what a type accepts.

    Args:
        hint: A type.

    Returns:
        Such as `a whole number or null`.
    """
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    words |= {type(None): "null", dict: "a mapping", list: "a list"}
    if hint in words:
        return words[hint]
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, get_args(hint)))
    inner = nested_fields(hint)
    if inner:
        return "a mapping of " + ", ".join(inner) + (" or null" if get_args(hint) else "")
    if get_origin(hint) in (list, tuple):
        return "a list of " + " and ".join(dict.fromkeys(describe(part) for part in get_args(hint)))
    parts = [describe(part) for part in get_args(hint) if part is not Ellipsis]
    return " or ".join(dict.fromkeys(parts)) or getattr(hint, "__name__", str(hint))
