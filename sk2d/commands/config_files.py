"""Config files: found by name, read with the line of every key, laid over one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonargparse import get_loader

from sk2d.corpus.files import shipped
from sk2d.errors import ConfigError

FOLDERS = ("configs", "configs/phase", "configs/machine")
CONFIG_OPTIONS = ("--config", "-c")
COMMAND_LINE = "command line"


@dataclass(frozen=True)
class Setting:
    """One value that the user set.

    Args:
        key: Dotted key without `init_args`, such as `model.lora.rank`.
        value: The value as YAML reads it.
        where: File and line, or `command line`.
        text: The value as it was typed on the command line; None for one from a file.
    """

    key: str
    value: Any
    where: str
    text: str | None = None


def find_config(name: str) -> Path:
    """Find a config file.

    Args:
        name: A path; a bare file name is looked up in the working folder, then in `configs/`,
            `configs/phase/` and `configs/machine/`.

    Returns:
        The file.

    Raises:
        ConfigError: There is none, or a bare name stands for two files.
    """
    given = Path(name)
    if given.name != name:
        found = [given] if given.is_file() else [path for path in [shipped(name)] if path]
    else:
        places = [shipped(f"{folder}/{name}") for folder in FOLDERS]
        found = [path for path in [given, *places] if path and path.is_file()]
    unique = list({path.resolve(): path for path in found}.values())
    if len(unique) == 1:
        return unique[0]
    if unique:
        both = " and ".join(str(path) for path in unique)
        raise ConfigError(
            f"the bare name stands for {both}", where=f"--config {name}", remedy="Give the path"
        )
    known = ", ".join(sorted(path.name for path in known_configs()))
    raise ConfigError("no such config", where=f"--config {name}", remedy=f"Shipped are: {known}")


def known_configs() -> Iterator[Path]:
    """List the shipped configs that a bare name finds.

    Yields:
        Files.
    """
    for folder in FOLDERS:
        place = shipped(folder)
        if place:
            yield from sorted(place.glob("*.yaml"))


def expand_configs(arguments: Sequence[str]) -> list[str]:
    """Replace the names after `--config` by the paths of the files they stand for.

    Args:
        arguments: Options of a command.

    Returns:
        The same options, configs as paths.
    """
    expanded: list[str] = []
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if option in CONFIG_OPTIONS and equals:
            expanded += [option, str(find_config(value))]
        elif expanded and expanded[-1] in CONFIG_OPTIONS:
            expanded.append(str(find_config(argument)))
        else:
            expanded.append(argument)
    return expanded


def read_settings(arguments: Sequence[str]) -> list[Setting]:
    """List every value that configs and options set, in the order in which they are applied.

    Args:
        arguments: Options of a command, configs as paths.

    Returns:
        Settings; a later one with the same key replaces an earlier one.

    Raises:
        ConfigError: A config is not YAML or not a mapping, or something stands where an option
            should.
    """
    settings: list[Setting] = []
    rest = list(arguments)
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        if not option.startswith("-"):
            raise ConfigError(
                "an option was expected", where=option, remedy="Options look like --data.train FILE"
            )
        if not equals and rest and not rest[0].startswith("--"):
            value = rest.pop(0)
        elif not equals:
            value = "true"
        if option in CONFIG_OPTIONS:
            settings += read_config(Path(value))
        else:
            key = clean_key(option.lstrip("-").rstrip("+"))
            settings.append(Setting(key, _yaml_value(value), COMMAND_LINE, value))
    return settings


def _yaml_value(text: str) -> Any:
    try:
        return get_loader("yaml")(text)
    except yaml.YAMLError:
        return text


def clean_key(key: str) -> str:
    """Leave `init_args` out of a dotted key.

    Args:
        key: Key such as `model.init_args.base`.

    Returns:
        Key such as `model.base`.
    """
    return ".".join(part for part in key.split(".") if part != "init_args")


def read_config(path: Path) -> list[Setting]:
    """Read a config file.

    Args:
        path: A YAML file.

    Returns:
        Its settings, with file and line.

    Raises:
        ConfigError: The file is not YAML or not a mapping.
    """
    text = path.read_text(encoding="utf-8")
    try:
        tree, node = get_loader("yaml")(text), yaml.compose(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or error
        raise ConfigError(f"not YAML ({problem})", where=f"{path}{place}") from error
    if tree is None:
        return []
    if not isinstance(tree, dict):
        raise ConfigError("a config is a mapping of keys", where=str(path))
    return list(_flatten(tree, node, "", path))


def _flatten(tree: dict[str, Any], node: yaml.Node | None, prefix: str, path: Path) -> Iterator[Setting]:
    lines = {key.value: (key, value) for key, value in node.value} if node else {}
    for name, value in tree.items():
        key_node, value_node = lines.get(str(name), (None, None))
        where = f"{path}:{key_node.start_mark.line + 1}" if key_node else str(path)
        key = clean_key(f"{prefix}{name}")
        if isinstance(value, dict) and value:
            yield from _flatten(value, value_node, f"{key}." if key else "", path)
        else:
            yield Setting(key, value, where)


def last_values(settings: Sequence[Setting]) -> dict[str, Setting]:
    """Give the setting of each key that holds in the end.

    Args:
        settings: Settings in the order in which they are applied.

    Returns:
        Setting by key.
    """
    return {setting.key: setting for setting in settings}


def replaced_lists(settings: Sequence[Setting]) -> list[str]:
    """Tell which lists a later config replaces, since lists are not joined.

    Args:
        settings: Settings in the order in which they are applied.

    Returns:
        One sentence per replaced list.
    """
    seen: dict[str, Setting] = {}
    told = []
    for setting in settings:
        before = seen.get(setting.key)
        if before and isinstance(before.value, list) and before.value != setting.value:
            told.append(
                f"{setting.key} of {before.where} is replaced by {setting.where} (lists are not joined)"
            )
        seen[setting.key] = setting
    return told
