"""Commands whose options are the arguments of a function."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from sk2d.commands.upstream_options import UPSTREAM
from sk2d.errors import UserError, did_you_mean


def run_function(name: str, function: Any, arguments: Sequence[str]) -> int:
    """Run a command.

    Args:
        name: Name of the command.
        function: Its function, or its table of subcommands.
        arguments: Its options.

    Returns:
        What the function returns when that is a number, else 0.

    Raises:
        UserError: The options do not fit; one line, with a nearer word where one is misspelt.
    """
    from jsonargparse import auto_cli

    part = chosen(function, arguments)
    if not isinstance(function, dict):  # there the first word is the subcommand
        arguments = [*first_by_name(part, arguments)]
    flags = [f"--{key}" for key, item in options(part).items() if item.annotation in (bool, "bool")]
    lists = [f"--{key}" for key, item in options(part).items() if "list[" in str(item.annotation)]
    try:
        result = auto_cli(
            function,
            args=list(bare_flags(gathered(arguments, lists), flags)),
            prog=f"cli.py {name}",
            as_positional=isinstance(function, dict),  # models fetch NAME
            exit_on_error=False,
        )
    except argparse.ArgumentError as error:
        known = [f"--{key}" for key in options(part)] if part else list(function)
        words = [word.split("=")[0] for word in arguments]
        unknown = [word for word in words if word not in known]
        theirs = (UPSTREAM.get(name, {}).get(word.replace("-", "_").strip("_")) for word in unknown)
        near = (did_you_mean(word, known) for word in unknown)
        usage = f"python cli.py {name} --help tells the usage"
        remedy = next(filter(None, chain(theirs, near)), usage)
        message = str(error).replace("  ", " ").rstrip(".")
        raise UserError(message, where=f"cli.py {name}", remedy=remedy) from error
    return result if isinstance(result, int) else 0


def chosen(function: Any, arguments: Sequence[str]) -> Any:
    """Find the function that is to be run.

    Args:
        function: A function, or a table of subcommands.
        arguments: Options; the first word is the subcommand where there are some.

    Returns:
        The function, or None when no known subcommand is given.
    """
    if not isinstance(function, dict):
        return function
    return next((function[word] for word in arguments if word in function), None)


def first_by_name(function: Any, arguments: Sequence[str]) -> Iterator[str]:
    """Name a first word that stands without a name: `decompile FILE` is `decompile --binary FILE`.

    Args:
        function: A function; None, or a table of subcommands, changes nothing.
        arguments: Its options.

    Yields:
        The options; a first word is that of the function's first argument where it has to be given.
    """
    first = next(iter(options(function).values()), None) if inspect.isfunction(function) else None
    bare = bool(arguments) and not arguments[0].startswith("-")
    if first is not None and first.default is inspect.Parameter.empty and bare:
        yield f"--{first.name}"
    yield from arguments


def options(function: Any) -> dict[str, inspect.Parameter]:
    """Give the arguments of a function by name; none for None."""
    return dict(inspect.signature(function).parameters) if function else {}


def gathered(arguments: Sequence[str], lists: Sequence[str]) -> list[str]:
    """Let an option take several values: `--input A B`, or `--input A --input B`.

    Args:
        arguments: Options of a command.
        lists: Options that may have several values.

    Returns:
        The same options, where several values are given as one JSON list.
    """
    others: list[str] = []
    values: dict[str, list[str]] = {}
    current: str | None = None
    for word in arguments:
        option, equals, value = word.partition("=")
        if option in lists:
            current = option
            values.setdefault(option, []).extend([value] if equals else [])
        elif current and not word.startswith("--"):
            values[current].append(word)
        else:
            current = None
            others.append(word)
    for option, given in values.items():
        others += [option, *given] if len(given) < 2 else [option, json.dumps(given)]
    return others


def bare_flags(arguments: Sequence[str], flags: Sequence[str]) -> Iterator[str]:
    """Let a flag stand without a value: `--json` means `--json=true`.

    Args:
        arguments: Options of a command.
        flags: Options that are true or false.

    Yields:
        The same options.
    """
    following = [*arguments, "--"][1:]
    for word, after in zip(arguments, following, strict=True):
        is_bare = word in flags and after not in ("true", "false")
        yield f"{word}=true" if is_bare else word
