"""Config files: found by name, read with the line of every key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jsonargparse import get_loader

from sk2d.corpus.files import shipped
from sk2d.errors import ConfigError, UserError, did_you_mean

FOLDERS = ("configs", "configs/phase", "configs/machine")
# The value of these keys is a class of its own, with arguments; it is kept in one piece.
WHOLE = ("callbacks", "logger", "strategy", "profiler", "plugins", "accelerator")
WHOLE_KEYS = tuple(f"trainer.{name}" for name in WHOLE)


@dataclass(frozen=True)
class Setting:
    """One value that the user set.

    Args:
        key: Dotted key without `init_args`, such as `model.lora.rank`.
        value: The value as YAML reads it.
        places: File and line by key, for all keys of the file; None on the command line.
        text: The value as it was typed on the command line; None for an option without one.
        append: Whether the value is added to a list (`--key+=value`).
    """

    key: str
    value: Any
    places: Mapping[str, str] | None = None
    text: str | None = None
    append: bool = False

    def place(self, key: str | None = None) -> str:
        """Say where the setting stands.

        Args:
            key: A key above this one that is meant instead.

        Returns:
            `file:line: key`, or the option.
        """
        key = key or self.key
        return f"--{key}" if self.places is None else f"{self.places.get(key, '')}: {key}"

    @property
    def lacks_value(self) -> bool:
        """Whether it is an option that was given without a value."""
        return self.places is None and self.text is None


@dataclass
class Reading:
    """What was read from configs and options.

    Args:
        settings: Values in the order in which they are applied: a later one replaces an earlier.
        problems: What is wrong so far.
        complete: Whether everything could be read; if not, what is missing is not known.
        arguments: The options as the parser takes them, configs as paths.
    """

    settings: list[Setting] = field(default_factory=list)
    problems: list[UserError] = field(default_factory=list)
    complete: bool = True
    arguments: list[str] = field(default_factory=list)


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
    given, where = Path(name), f"--config {name}"
    places = [shipped(f"{folder}/{name}") for folder in FOLDERS] if given.name == name else []
    found = [path for path in [given, shipped(name), *places] if path and path.is_file()]
    unique = list({path.resolve(): path for path in found}.values())
    if len(unique) == 1:
        return unique[0]
    if unique:
        both = " and ".join(str(path) for path in unique)
        raise ConfigError(f"the bare name stands for {both}", where=where, remedy="Give the path")
    if given.is_dir():
        raise ConfigError("this is a folder", where=where, remedy="Name a file in it")
    known = sorted(path.name for path in known_configs())
    near = did_you_mean(given.name, known) or ""
    remedy = f"{near} Shipped are: {', '.join(known)}"
    raise ConfigError("there is no such config", where=where, remedy=remedy)


def known_configs() -> Iterator[Path]:
    """List the shipped configs that a bare name finds.

    Yields:
        Files.
    """
    for folder in FOLDERS:
        place = shipped(folder)
        if place:
            yield from sorted(place.glob("*.yaml"))


def clean_key(key: str) -> str:
    """Leave `init_args` out of a dotted key.

    Args:
        key: Key such as `model.init_args.base`.

    Returns:
        Key such as `model.base`.
    """
    first, *rest = key.split(".")
    return ".".join([first, *(part for part in rest if part != "init_args")])


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
        problem = ConfigError("an anchor holds itself", where=shown, remedy="Write the values out")
        return Reading(problems=[problem], complete=False)


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
    if tree is None:
        remedy = "Leave it out, or write keys such as data.train into it"
        raise ConfigError("the config is empty", where=shown, remedy=remedy)
    if not isinstance(tree, dict):
        what = f"a config is a mapping of keys, and this is a {type(tree).__name__}"
        raise ConfigError(what, where=shown, remedy="Write KEY: VALUE lines; docs/config.md tells")
    problems = list(_twice_in_node(node, "", shown))
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


def _twice_in_node(node: yaml.Node, prefix: str, shown: str) -> Iterator[ConfigError]:
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
        key = clean_key(f"{prefix}{name}")
        places.setdefault(key, line)
        if isinstance(value, dict) and value and key not in WHOLE_KEYS:
            yield from _flatten(value, inner, f"{key}.", places, shown)
        else:
            yield key, value, line
