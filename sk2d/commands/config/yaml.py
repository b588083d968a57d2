"""Config files: read with the line of every key, and strict where YAML readers are silent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from jsonargparse import get_loader

from sk2d.commands.config.files import WHOLE_KEYS, Reading, Setting, class_key, clean_key
from sk2d.errors import ConfigError, UserError


def read_config(path: Path) -> Reading:
    """Read a config file.

    Args:
        path: A YAML file.

    Returns:
        Its settings, and what is wrong with it.
    """
    shown = _shown(path)
    try:
        return _read(path, shown)
    except ConfigError as problem:
        return Reading(problems=[problem], complete=False)
    except RecursionError:
        endless = ConfigError("an anchor holds itself", where=shown, remedy="Write the values out")
        return Reading(problems=[endless], complete=False)


def _shown(path: Path) -> str:
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _read(path: Path, shown: str) -> Reading:
    text = _text_of(path, shown)
    try:
        tree, node = get_loader("yaml")(text), yaml.compose(text)
    except yaml.YAMLError as error:
        raise _yaml_problem(error, text, shown) from error
    if isinstance(node, yaml.MappingNode) and not isinstance(tree, dict):
        # jsonargparse's loader takes `trainer:` without anything below it for a text
        tree = {key.value: None for key, _ in node.value}
    if tree is None:
        remedy = "Leave it out, or write keys such as data.train into it"
        raise ConfigError("the config is empty", where=shown, remedy=remedy)
    if not isinstance(tree, dict):
        what = f"a config is a mapping of keys, and this is a {type(tree).__name__}"
        raise ConfigError(what, where=shown, remedy="Write KEY: VALUE lines; docs/config.md tells")
    problems: list[UserError] = list(_twice_in_node(node, "", shown))
    places: dict[str, str] = {}
    settings: dict[str, Setting] = {}
    for key, value, line in _flatten(tree, node, "", places, shown):
        if key in settings:
            problems.append(_twice(key, settings[key].place(), line))
        settings[key] = Setting(key, value, places)
    return Reading(list(settings.values()), problems)


def _text_of(path: Path, shown: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"byte 0x{error.object[error.start]:02x} is no UTF-8",
            where=f"{shown}:{line}",
            remedy="Save the file as UTF-8",
        ) from error
    except OSError as error:
        raise ConfigError(
            f"it cannot be read ({error.strerror})", where=shown, remedy="Check its permissions"
        ) from error


def _yaml_problem(error: yaml.YAMLError, text: str, shown: str) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
    problem = str(getattr(error, "problem", None) or error)
    line = text.splitlines()[mark.line] if mark and mark.line < len(text.splitlines()) else ""
    has_tab = "\t" in line[: len(line) - len(line.lstrip())]
    remedy = "Indent with spaces, not tabs" if has_tab else "Mend the line, or the one before it"
    return ConfigError(f"this is not YAML ({problem})", where=f"{shown}{place}", remedy=remedy)


def _twice(key: str, first: str, second: str) -> ConfigError:
    line = first.rpartition(": ")[0] or first
    remedy = f"Keep one of the two; the other is in {line}"
    return ConfigError("the key is set twice", where=f"{second}: {key}", remedy=remedy)


def _twice_in_node(node: yaml.Node | None, prefix: str, shown: str) -> Iterator[ConfigError]:
    """Find keys that a mapping has twice: YAML readers keep the last in silence."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _twice_in_node(item, prefix, shown)
    if not isinstance(node, yaml.MappingNode):
        return
    seen: dict[str, str] = {}
    for key_node, value in node.value:
        name, line = str(key_node.value), f"{shown}:{key_node.start_mark.line + 1}"
        if name in seen and name != "<<":
            yield _twice(clean_key(prefix + name), seen[name], line)
        seen.setdefault(name, line)
        yield from _twice_in_node(value, f"{prefix}{name}.", shown)


def _flatten(
    tree: dict[str, Any], node: yaml.Node | None, prefix: str, places: dict[str, str], shown: str
) -> Iterator[tuple[str, Any, str]]:
    is_mapping = isinstance(node, yaml.MappingNode)
    nodes = {key.value: (key, value) for key, value in node.value} if node and is_mapping else {}
    for name, value in tree.items():
        key_node, inner = nodes.get(str(name), (None, None))
        line = f"{shown}:{key_node.start_mark.line + 1}" if key_node else shown
        key = class_key(clean_key(f"{prefix}{name}"), value)
        places.setdefault(key, line)
        if isinstance(value, dict) and value and key not in WHOLE_KEYS:
            yield from _flatten(value, inner, f"{key}.", places, shown)
        else:
            yield key, value, line
