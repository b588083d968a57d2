"""Checks the names and types of all settings at once, before anything is built."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sk2d.commands.config.classes import KINDS, class_problems
from sk2d.commands.config.devices import HERE, Site
from sk2d.commands.config.files import Reading, Setting
from sk2d.commands.config.hints import remedy_for, unknown_part
from sk2d.commands.config.keys import Section, known_keys, missing_keys, sections
from sk2d.commands.config.options import FLAGS, last_values
from sk2d.commands.config.types import shown, typed_value
from sk2d.errors import ConfigError, UserError


@dataclass(frozen=True)
class Values:
    """The values of a config, defaults included, without anything being built.

    Args:
        given: Well-formed setting by full key, with its value in the key's type.
        broken: Keys with a value that cannot be used.
        sections: The sections, whose constructors have the defaults.
        site: The machine that the config is judged for.
    """

    given: dict[str, Setting]
    broken: frozenset[str]
    sections: dict[str, Section]
    site: Site = HERE

    def get(self, key: str) -> Any:
        """Look a key up.

        Args:
            key: Full key, such as `model.lora.rank`.

        Returns:
            What the user set, else the default; None where a part before it is null.
        """
        if key in self.given:
            return self.given[key].value
        above, _, last = key.rpartition(".")
        if above in self.sections:
            parameter = self.sections[above].parameters().get(last)
            missing = inspect.Parameter.empty
            default = parameter.default if parameter else missing
            return None if default is missing else default
        return getattr(self.get(above), last, None) if above else None

    def is_sound(self, *keys: str) -> bool:
        """Tell whether a rule about several keys can be judged.

        Args:
            keys: Full keys.

        Returns:
            Whether none of them is broken.
        """
        return not self.broken & set(keys)

    def arguments(self, section: str) -> dict[str, Any]:
        """Give the arguments of a section's class.

        Args:
            section: Key of the section.

        Returns:
            Value by name of argument.
        """
        names = self.sections[section].parameters()
        return {name: self.get(f"{section}.{name}") for name in names}

    def located(self, problem: UserError) -> UserError:
        """Add file and line to an error about a key that a config sets.

        Args:
            problem: An error whose `where` starts with a key.

        Returns:
            The error with its place.
        """
        key = (problem.where or "").split(":")[0]
        setting = self.given.get(key)
        if setting is None or setting.places is None:
            return problem
        where = setting.place().removesuffix(key) + str(problem.where)
        return type(problem)(problem.what, where=where, remedy=problem.remedy)


def check_settings(
    reading: Reading, command: str, site: Site = HERE
) -> tuple[Values, list[UserError]]:
    """Check the names and types of all settings, and that what is required is set.

    Args:
        reading: What configs and options set.
        command: `fit`, `validate`, `test` or `predict`.
        site: The machine that the config is judged for.

    Returns:
        The values that are well formed, and every problem in the order of the settings.
    """
    found, wrong_classes = sections(last_values(reading.settings))
    known = known_keys(found, command)
    problems: list[UserError] = [*reading.problems, *wrong_classes]
    if not wrong_classes:
        problems += two_phases(reading.settings)
    given: dict[str, Setting] = {}
    broken: set[str] = set()
    for setting in reading.settings:
        value, wrong = checked(setting, known, reading.settings)
        problems += wrong
        if wrong:
            broken.add(setting.key)
        else:
            broken.discard(setting.key)
            _put(given, setting, value)
    if reading.complete:
        problems += missing_keys(found, {setting.key for setting in reading.settings})
    return Values(given, frozenset(broken), found, site), problems


def _put(given: dict[str, Setting], setting: Setting, value: Any) -> None:
    """Lay a setting over the earlier ones: a mapping replaces its keys, a key fills a null."""
    key = setting.key
    for other in [other for other in given if other.startswith(f"{key}.")]:
        del given[other]
    above = key.rpartition(".")[0]
    if above in given and above.count(".") == 1 and given[above].value is None:
        del given[above]
    places = setting.places
    given[key] = Setting(key, value, places, setting.text, setting.append)


def checked(
    setting: Setting, known: dict[str, Any], settings: Sequence[Setting]
) -> tuple[Any, list[ConfigError]]:
    """Check one setting.

    Args:
        setting: The setting.
        known: Type by full key.
        settings: All settings.

    Returns:
        The value in the key's type, and what is wrong.
    """
    key = setting.key
    if key in known and setting.lacks_value and key not in FLAGS:
        remedy = f"Write --{key} VALUE"
        return None, [ConfigError("the value is missing", where=f"--{key}", remedy=remedy)]
    if key in FLAGS and setting.text is not None:
        remedy = f"Write --{key} alone, or leave it out"
        return None, [ConfigError("it takes no value", where=f"--{key}", remedy=remedy)]
    if key in FLAGS and setting.lacks_value:
        return True, []
    if key in KINDS:
        goes_on = any(other.key.startswith(f"{key}.") for other in settings)
        return setting.value, list(class_problems(setting, goes_on=goes_on))
    if any(key.startswith(f"{whole}.") for whole in KINDS):
        return setting.value, []
    if key in known:
        value, problem = typed_value(setting, known[key])
        return value, [problem] if problem else []
    return None, _no_such_key(setting, known)


def _no_such_key(setting: Setting, known: dict[str, Any]) -> list[ConfigError]:
    key, value = setting.key, setting.value
    inside = [name for name in known if name.startswith(f"{key}.")]
    if not inside:
        part = unknown_part(key, known)
        remedy = remedy_for(part, known)
        place = setting.place(part if setting.places else key)
        return [ConfigError("there is no such key", where=place, remedy=remedy)]
    if value == {}:
        return []
    remedy = f"Set keys such as {inside[0]}, or leave the line out"
    what = f"this is a section, it cannot be {shown(value)}"
    return [ConfigError(what, where=setting.place(), remedy=remedy)]


def two_phases(settings: Sequence[Setting]) -> Iterator[ConfigError]:
    """Find configs that choose different phases.

    Args:
        settings: Settings in the order in which they are applied.

    Yields:
        One error when two files do; an option may choose another phase than a file.
    """
    chosen = [setting for setting in settings if setting.key == "model.class_path"]
    for setting in chosen[1:]:
        first = chosen[0]
        in_files = setting.places is not None and first.places is not None
        if in_files and isinstance(setting.value, str) and setting.value != first.value:
            what = f"{setting.value} contradicts {first.value} of {first.place()}"
            yield ConfigError(what, where=setting.place(), remedy="Give the config of one phase")
            return
