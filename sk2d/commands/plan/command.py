"""`plan`: will this config run here, or on a named GPU; nothing is fetched, loaded or written."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from sk2d.commands.config.devices import planned_site
from sk2d.commands.config.options import split_options
from sk2d.commands.config.prepare import wants_help
from sk2d.commands.plan.planning import make_plan
from sk2d.commands.plan.report import as_json, show
from sk2d.commands.plan_deepspeed import show_deepspeed
from sk2d.errors import ConfigError, UserError, UserErrors
from sk2d.hardware.gpus import KNOWN

USAGE = f"""\
usage: python cli.py plan --config FILE [--config FILE ...] [options of fit]
       python cli.py plan --deepspeed FILE

Says what a config would do, without fetching, loading or writing anything: mistakes, hardware,
memory by part, steps, learning rate, time, and one row coloured by what reaches the loss.
The exit code is 1 when it will not run.

  --gpu NAME        plan for this GPU instead of this machine's: {", ".join(KNOWN)};
                    4xNAME for a machine that has only four of them
  --rate NUMBER     tokens per second of one device, for the time; else that of an earlier run in
                    trainer.default_root_dir
  --deepspeed FILE  what DeepSpeed does with each key of a config file of its own; with
                    --devices NUMBER for a number of GPUs
  --json            one JSON object instead of tables
"""
FLAG, OWN = "json", ("gpu", "rate", "deepspeed", "devices", "json")


@dataclass(frozen=True)
class Request:
    """What a command line asks of `plan`.

    Args:
        gpu: Name of a GPU to plan for.
        rate: Tokens per second and device.
        deepspeed: A DeepSpeed config to explain.
        devices: Number of GPUs for that.
        json: Whether to print JSON.
        rest: The options of `fit`.
    """

    gpu: str | None
    rate: float | None
    deepspeed: Path | None
    devices: int | None
    json: bool
    rest: list[str]


def plan(arguments: Sequence[str]) -> int:
    """Plan a run.

    Args:
        arguments: Options of the command.

    Returns:
        Exit code: 1 when it will not run, else 0.

    Raises:
        UserError: Nothing is named that could be planned.
    """
    if wants_help(arguments):
        sys.stdout.write(USAGE)
        return 0
    request = read_request(arguments)
    if request.deepspeed is not None:
        return show_deepspeed(request.deepspeed, request.devices, request.json)
    if not request.rest:
        remedy = "Give --config FILE, such as --config v100_lora.yaml"
        raise UserError("there is nothing to plan", where="cli.py plan", remedy=remedy)
    made = make_plan(request.rest, planned_site(request.gpu), request.rate)
    if request.json:
        sys.stdout.write(json.dumps(as_json(made), indent=2) + "\n")
    else:
        show(made, Console())
    return 0 if made.runs else 1


def read_request(arguments: Sequence[str]) -> Request:
    """Take the options of `plan` out of those of `fit`.

    Args:
        arguments: Options of the command.

    Returns:
        What is asked.

    Raises:
        UserErrors: Options of `plan` are wrong.
    """
    own: dict[str, str | None] = {}
    rest: list[str] = []
    problems: list[UserError] = []
    for option in split_options(list(_flags_alone(arguments))):
        if isinstance(option, UserError):
            problems.append(option)
        elif option.name in OWN:
            own[option.name] = option.value
        else:
            rest.append(option.typed())
    problems += [_missing(name) for name in own if own[name] is None and name != FLAG]
    rate, devices = (_number(own.get(name), name, problems) for name in ("rate", "devices"))
    path = own.get("deepspeed")
    if "devices" in own and path is None:
        remedy = "Give --trainer.devices, or --gpu 4xNAME"
        problems.append(ConfigError("it goes with --deepspeed", where="--devices", remedy=remedy))
    if problems:
        raise UserErrors(problems)
    return Request(
        gpu=own.get("gpu"),
        rate=rate,
        deepspeed=Path(path) if path else None,
        devices=int(devices) if devices else None,
        json="json" in own,
        rest=rest,
    )


def _flags_alone(arguments: Sequence[str]) -> Sequence[str]:
    """Put the flag last, where it takes no word after it for its value."""
    flag = f"--{FLAG}"
    return [word for word in arguments if word != flag] + [flag] * (flag in arguments)


def _missing(name: str) -> ConfigError:
    return ConfigError("the value is missing", where=f"--{name}", remedy=f"Write --{name} VALUE")


def _number(text: str | None, name: str, problems: list[UserError]) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if value > 0 and (name == "rate" or value.is_integer()):
        return value
    kind = "a number above 0" if name == "rate" else "a whole number of at least 1"
    problems.append(
        ConfigError(f"{text!r} cannot be used", where=f"--{name}", remedy=f"Give {kind}")
    )
    return None
