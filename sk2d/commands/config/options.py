"""The options of a command, and the configs that they name, as one list of settings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonargparse import get_loader

from sk2d.commands.config.files import (
    CLASS_SECTIONS,
    WHOLE_KEYS,
    Reading,
    Setting,
    class_key,
    clean_key,
    find_config,
)
from sk2d.commands.config.yaml import read_config
from sk2d.errors import ConfigError, UserError

CONFIG_OPTIONS = ("config", "c")
FLAGS = ("overwrite",)


@dataclass(frozen=True)
class Option:
    """One option as it was typed.

    Args:
        name: Its name without dashes.
        value: Its value; None when there is none.
        append: Whether it is `--name+=value`.
    """

    name: str
    value: str | None
    append: bool = False

    def typed(self) -> str:
        """Give the option in the form that no parser misreads: `--name=value`."""
        plus = "+" if self.append else ""
        return f"--{self.name}" if self.value is None else f"--{self.name}{plus}={self.value}"

    def settings(self) -> list[Setting]:
        """Give what the option sets: one key, or those of a mapping such as `{rank: 8}`."""
        key = clean_key(self.name)
        if self.value is None:
            return [Setting(key, None)]
        value = _yaml_value(self.value)
        if key in CLASS_SECTIONS and not isinstance(value, dict):
            value = self.value
        if not isinstance(value, dict) or not value or key in WHOLE_KEYS:
            return [Setting(class_key(key, value), value, text=self.value, append=self.append)]
        parts = [
            (f"{key}.{name}", part if isinstance(part, str) else json.dumps(part))
            for name, part in value.items()
        ]
        return [setting for name, text in parts for setting in Option(name, text).settings()]


def split_options(arguments: Sequence[str]) -> Iterator[Option | UserError]:
    """Split the arguments of a command into options.

    Args:
        arguments: Words of the command line.

    Yields:
        Options; an error for a word that belongs to none.
    """
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word in ("-", "--"):
            remedy = "Options look like --data.train FILE"
            yield ConfigError("this word belongs to no option", where=word, remedy=remedy)
            continue
        name, equals, value = word.partition("=")
        append, name = name.endswith("+"), name.rstrip("+").lstrip("-")
        if equals:
            yield Option(name, value, append)
        elif rest and name not in FLAGS and not rest[0].startswith("--") and rest[0] != "-c":
            yield Option(name, rest.pop(0), append)
        else:
            yield Option(name, None, append)


def read_settings(arguments: Sequence[str]) -> Reading:
    """List every value that configs and options set, in the order in which they are applied.

    Args:
        arguments: Words of the command line.

    Returns:
        The settings, what is wrong, and the options with configs as paths.
    """
    reading = Reading()
    seen: dict[Path, str] = {}
    for option in split_options(arguments):
        if isinstance(option, UserError):
            reading.problems.append(option)
        elif option.name in CONFIG_OPTIONS:
            _add_config(reading, option.value, seen)
        else:
            reading.settings += option.settings()
            reading.arguments.append(option.typed())
    return reading


def _add_config(reading: Reading, name: str | None, seen: dict[Path, str]) -> None:
    try:
        path = _new_config(name, seen)
    except UserError as problem:
        reading.problems.append(problem)
        reading.complete = False
        return
    part = read_config(path)
    reading.settings += part.settings
    reading.problems += part.problems
    reading.complete &= part.complete
    reading.arguments.append(f"--config={path}")


def _new_config(name: str | None, seen: dict[Path, str]) -> Path:
    if not name:
        remedy = "Give a file, such as --config skeleton.yaml"
        raise ConfigError("no file is named", where="--config", remedy=remedy)
    path = find_config(name)
    if path.resolve() in seen:
        remedy = "Leave one out: the last config wins, so the order matters"
        raise ConfigError("the config is given twice", where=f"--config {name}", remedy=remedy)
    seen[path.resolve()] = name
    return path


def _yaml_value(text: str) -> Any:
    try:
        return get_loader("yaml")(text)
    except yaml.YAMLError:
        return text


def last_values(settings: Sequence[Setting]) -> dict[str, Setting]:
    """Give the setting of each key that holds in the end.

    Args:
        settings: Settings in the order in which they are applied.

    Returns:
        Setting by key.
    """
    return {setting.key: setting for setting in settings}


def replaced_lists(settings: Sequence[Setting]) -> list[str]:
    """Tell which lists a later setting replaces, since lists are not joined.

    Args:
        settings: Settings in the order in which they are applied.

    Returns:
        One sentence per replaced list.
    """
    seen: dict[str, Setting] = {}
    told = []
    for setting in settings:
        before = seen.get(setting.key)
        if setting.append:
            continue
        if before and isinstance(before.value, list) and before.value != setting.value:
            told.append(
                f"{before.place()} is replaced by {setting.place()}: lists are not joined "
                f"(--{setting.key}+=VALUE adds to one)"
            )
        seen[setting.key] = setting
    return told
