"""Whether a value is of the type that its key has, and how to say what is wanted."""

from __future__ import annotations

import argparse
import dataclasses
import types
import typing
from typing import Any, Literal

from jsonargparse import ArgumentParser, Namespace

from sk2d.commands.config.files import Setting
from sk2d.errors import ConfigError, did_you_mean

WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "null",
    dict: "a mapping",
    list: "a list",
}
# What to say where the type alone says too much.
REMEDIES = {
    "trainer.precision": "Give 32-true, bf16-mixed, 16-mixed or bf16-true; python cli.py doctor "
    "tells which of them this machine has",
    "trainer.devices": "Give a whole number of at least 1, a list of GPU numbers, or auto",
}


def options_of(hint: Any) -> tuple[Any, ...]:
    """Give the types that a type allows.

    Args:
        hint: A type, possibly a union.

    Returns:
        The members of the union, or the type itself.
    """
    is_union = isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
    if not is_union:
        return (hint,)
    return tuple(option for part in typing.get_args(hint) for option in options_of(part))


def nested_fields(hint: Any) -> dict[str, Any] | None:
    """Give the keys below a key whose value is a dataclass.

    Args:
        hint: Type of the key, possibly `X | None`.

    Returns:
        Type by field name, or None when the value is no dataclass.
    """
    found = [option for option in options_of(hint) if dataclasses.is_dataclass(option)]
    return typing.get_type_hints(found[0]) if found else None


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
    if _too_free(setting, hint):
        return None, _problem(setting, hint)
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("--value", type=hint)
    try:
        in_parts = isinstance(setting.value, list | dict) and not setting.append
        if setting.text is not None and not in_parts:
            plus = "+" if setting.append else ""
            return parser.parse_args([f"--value{plus}={setting.text}"]).value, None
        return parser.parse_object(Namespace(value=setting.value)).value, None
    except (argparse.ArgumentError, TypeError, ValueError):
        return None, _problem(setting, hint)


def _too_free(setting: Setting, hint: Any) -> bool:
    """Tell whether the parser would take what it should not.

    That is null, a number in quotes, and anything at all for a mapping on the command line.
    """
    options, value = set(options_of(hint)), setting.value
    if value is None and setting.text is None:
        return type(None) not in options
    if nested_fields(hint) and value is not None:
        return not isinstance(value, dict)
    is_quoted = isinstance(value, str) and setting.text is None
    return is_quoted and options <= {int, float, type(None)}


def _problem(setting: Setting, hint: Any) -> ConfigError:
    given = setting.value if setting.text is None else setting.text
    near = did_you_mean(str(given), map(str, _choices(hint))) if _choices(hint) else None
    remedy = " ".join(part for part in (near, f"Give {describe(hint)}") if part)
    remedy = REMEDIES.get(setting.key, remedy)
    return ConfigError(f"{shown(given)} cannot be used", where=setting.place(), remedy=remedy)


def shown(value: Any) -> str:
    """Write a value as it stands in YAML.

    Args:
        value: Any value of a config.

    Returns:
        One line.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def _choices(hint: Any) -> list[Any]:
    literals = [option for option in options_of(hint) if typing.get_origin(option) is Literal]
    return [choice for option in literals for choice in typing.get_args(option)]


def describe(hint: Any) -> str:
    """Say in words what a type accepts.

    Args:
        hint: A type.

    Returns:
        Such as `a whole number or null`.
    """
    options = options_of(hint)
    if len(options) > 1:
        return " or ".join(dict.fromkeys(describe(option) for option in options))
    if hint in WORDS:
        return WORDS[hint]
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, arguments))
    fields = nested_fields(hint)
    if fields:
        return "a mapping of " + ", ".join(fields)
    inside = ", ".join(map(describe, arguments))
    if typing.get_origin(hint) is tuple:
        return f"a list of {len(arguments)} ({inside})"
    if typing.get_origin(hint) is list:
        return f"a list (of {inside.removeprefix('a ')}s)"
    return str(getattr(hint, "__name__", hint))
