"""Whether a value is of the type that its key has, and how to say what is wanted."""

from __future__ import annotations

import argparse
import dataclasses
import types
import typing
from typing import Any, Literal

from jsonargparse import ArgumentParser, Namespace

from sk2d.commands.config_files import Setting
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
    if setting.text is None and _too_free(setting.value, hint):
        return None, _problem(setting, hint)
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("--value", type=hint)
    try:
        if setting.text is not None:
            plus = "+" if setting.append else ""
            return parser.parse_args([f"--value{plus}={setting.text}"]).value, None
        return parser.parse_object(Namespace(value=setting.value)).value, None
    except (argparse.ArgumentError, TypeError, ValueError):
        return None, _problem(setting, hint)


def _too_free(value: Any, hint: Any) -> bool:
    """Tell whether the parser would take what it should not: null, or a number in quotes."""
    options = set(options_of(hint))
    if value is None:
        return type(None) not in options
    return isinstance(value, str) and options <= {int, float, type(None)}


def _problem(setting: Setting, hint: Any) -> ConfigError:
    shown = setting.value if setting.text is None else setting.text
    names = [str(name) for option in options_of(hint) for name in typing.get_args(option)]
    is_choice = any(typing.get_origin(option) is Literal for option in options_of(hint))
    near = did_you_mean(str(shown), names) if is_choice else None
    word = "null" if shown is None else repr(shown)
    remedy = " ".join(part for part in (near, f"Give {describe(hint)}") if part)
    return ConfigError(f"{word} cannot be used", where=setting.place(), remedy=remedy)


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
    if typing.get_origin(hint) is tuple:
        return f"a list of {len(arguments)}: " + ", ".join(map(describe, arguments))
    if typing.get_origin(hint) is list:
        return "a list of " + ", ".join(map(describe, arguments))
    return str(getattr(hint, "__name__", hint))
