"""Which config keys exist: read from the constructors that they are arguments of."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from typing import Any, Literal

from lightning.pytorch import Trainer

from sk2d.commands.config.classes import find_class
from sk2d.commands.config.files import Setting
from sk2d.commands.config.types import nested_fields
from sk2d.errors import ConfigError
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.guard import LossGuard
from sk2d.phases.phase_module import PhaseModule, constructors, named_parameters
from sk2d.phases.supervised import SupervisedModule

CHOOSE_PHASE = "Give a phase: --config skeleton.yaml, skin.yaml, rl_skeleton.yaml or rl_skin.yaml"
PHASES = (
    "sk2d.phases.SkeletonModule, sk2d.phases.SkinModule, and for reinforcement learning "
    "sk2d.rl.grpo.SkeletonGrpo, sk2d.rl.grpo.SkinGrpo, sk2d.rl.ppo.SkeletonPpo, "
    "sk2d.rl.ppo.SkinPpo"
)
CLASS_REMEDIES = {
    "model": f"The phases are {PHASES}",
    "data": "Leave it to the phase's config: this one trains on sk2d.data.{data}",
    "checkpoint": "Every run has sk2d.phases.checkpoints.RunModelCheckpoint; leave the line out",
}
COMMON_KEYS: dict[str, Any] = {
    "seed_everything": bool | int,
    "overwrite": bool,
    "ckpt_path": str | None,
    "weights_only": bool | None,
}
COMMAND_KEYS: dict[str, dict[str, Any]] = {
    "fit": {},
    "validate": {"verbose": bool},
    "test": {"verbose": bool},
    "predict": {"return_predictions": bool | None},
}


@dataclass(frozen=True)
class Section:
    """A part of the config: the arguments of one class.

    Args:
        name: Its key, such as `data`.
        owner: The class.
        chosen: Whether the config names the class.
    """

    name: str
    owner: type
    chosen: bool = False

    def parameters(self) -> dict[str, inspect.Parameter]:
        """Give the arguments of the class by name."""
        found: dict[str, inspect.Parameter] = {}
        for constructor in constructors(self.owner):
            found = named_parameters(constructor) | found
        return found

    def hints(self) -> dict[str, Any]:
        """Give the type of every key of the section.

        Returns:
            Type by name of argument.
        """
        hints: dict[str, Any] = {}
        for constructor in constructors(self.owner):
            hints = typing.get_type_hints(inspect.unwrap(constructor)) | hints
        return {name: hints.get(name, Any) for name in self.parameters()}


def sections(values: dict[str, Setting]) -> tuple[dict[str, Section], list[ConfigError]]:
    """Find the parts of the config and the classes behind them.

    Args:
        values: The settings that hold.

    Returns:
        Section by key, and what is wrong with the classes. Where a class is wrong or missing, one
        that knows the usual keys stands in, so that these can be checked all the same.
    """
    found = {
        "trainer": Section("trainer", Trainer),
        "model": Section("model", SupervisedModule),
        "data": Section("data", SupervisedModule.data_class),
        "checkpoint": Section("checkpoint", RunModelCheckpoint),
        "guard": Section("guard", LossGuard),
    }
    problems: list[ConfigError] = []
    for name, remedy in CLASS_REMEDIES.items():
        setting = values.get(f"{name}.class_path")
        given = setting and (setting.value if setting.text is None else setting.text)
        if setting is None or isinstance(setting.value, list | dict) or not isinstance(given, str):
            continue  # the type of the value is told elsewhere
        kind = PhaseModule if name == "model" else found[name].owner
        owner = find_class(given, (kind,))
        if isinstance(owner, str):
            remedy = remedy.format(data=found["data"].owner.__name__)
            problems.append(ConfigError(owner, where=setting.place(), remedy=remedy))
        elif name == "model" and not owner.phase:
            what = f"{owner.__name__} is what phases share, and none itself"
            problems.append(ConfigError(what, where=setting.place(), remedy=remedy))
        else:
            found[name] = Section(name, owner, chosen=True)
            if name == "model":
                found["data"] = Section("data", owner.data_class)
    return found, problems


def known_keys(found: dict[str, Section], command: str) -> dict[str, Any]:
    """List every key with its type.

    Args:
        found: The sections of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Returns:
        Type by full key; keys inside dataclasses as well as the dataclass itself.
    """
    keys = COMMON_KEYS | COMMAND_KEYS[command]
    for section in found.values():
        for name, hint in section.hints().items():
            keys[f"{section.name}.{name}"] = hint
            for field, field_hint in (nested_fields(hint) or {}).items():
                keys[f"{section.name}.{name}.{field}"] = field_hint
        if section.name in CLASS_REMEDIES:
            keys[f"{section.name}.class_path"] = str
    keys["trainer.precision"] |= Literal["auto"]
    return keys


def missing_keys(found: dict[str, Section], given: set[str]) -> list[ConfigError]:
    """Find required keys that are not set.

    Args:
        found: The sections of the config.
        given: Keys that the user set.

    Returns:
        One error per missing key; only the phase where that is missing.
    """
    if "model.class_path" not in given:
        what = "no phase is chosen, so there is nothing to run"
        return [ConfigError(what, where="model.class_path", remedy=CHOOSE_PHASE)]
    remedies = {"model.base": "Give a machine (--config cpu.yaml), or a model with --model.base"}
    problems = []
    for section in found.values():
        for name, parameter in section.parameters().items():
            key = f"{section.name}.{name}"
            if parameter.default is inspect.Parameter.empty and key not in given:
                remedy = remedies.get(key, f"Give it in a config or with --{key}")
                problems.append(ConfigError("it is not set", where=key, remedy=remedy))
    return problems
