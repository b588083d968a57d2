"""What a config says, value by value, and where config files are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sk2d.corpus.files import shipped
from sk2d.errors import ConfigError, UserError, did_you_mean

FOLDERS = ("configs", "configs/phase", "configs/machine")
# The value of these keys is a class of its own, with arguments; it is kept in one piece.
WHOLE = ("callbacks", "logger", "strategy", "profiler", "plugins", "accelerator")
WHOLE_KEYS = tuple(f"trainer.{name}" for name in WHOLE)
# Sections of a class that the config may name: `model: CLASS` is short for its `class_path`.
CLASS_SECTIONS = ("model", "data", "checkpoint")


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
    if given.is_dir() or (name and shipped(name)):
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


def class_key(key: str, value: Any) -> str:
    """Give the full key of a class that is named in the short form.

    Args:
        key: Key without `init_args`.
        value: Its value.

    Returns:
        `model.class_path` for `model: CLASS`; any other key as it is.
    """
    is_short = key in CLASS_SECTIONS and isinstance(value, str)
    return f"{key}.class_path" if is_short else key
