"""Which config keys exist: read from the constructors that they are arguments of."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import types
import typing
from dataclasses import dataclass
from typing import Any

from lightning.pytorch import LightningDataModule, LightningModule, Trainer

from sk2d.commands.config_files import Setting
from sk2d.errors import ConfigError, did_you_mean
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.guard import LossGuard

CHOOSE_PHASE = "Give a phase first: --config skeleton.yaml or --config skin.yaml"
OWNED = {
    "optimizer": "the optimiser belongs to the phase: set model.lr, model.weight_decay, model.betas",
    "lr_scheduler": "the schedule belongs to the phase: set model.schedule",
}


@dataclass(frozen=True)
class Section:
    """A part of the config: the arguments of one class.

    Args:
        name: Its key, such as `data`.
        owner: The class.
    """

    name: str
    owner: type

    def parameters(self) -> dict[str, inspect.Parameter]:
        """Give the arguments of the class by name."""
        signature = inspect.signature(self.owner.__init__)  # type: ignore[misc]
        return {name: value for name, value in signature.parameters.items() if name != "self"}

    def hints(self) -> dict[str, Any]:
        """Give the type of every key of the section.

        Returns:
            Type by name of argument.
        """
        constructor = self.owner.__init__  # type: ignore[misc]
        hints = typing.get_type_hints(inspect.unwrap(constructor))
        return {name: hints.get(name, Any) for name in self.parameters()}


def nested_fields(hint: Any) -> dict[str, Any] | None:
    """Give the keys below a key whose value is a dataclass.

    Args:
        hint: Type of the key, possibly `X | None`.

    Returns:
        Type by field name, or None when the value is no dataclass.
    """
    options = typing.get_args(hint) if _is_union(hint) else (hint,)
    found = [option for option in options if dataclasses.is_dataclass(option)]
    return typing.get_type_hints(found[0]) if found else None


def _is_union(hint: Any) -> bool:
    return isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union


def import_class(setting: Setting, kind: type) -> type:
    """Import the class that a config names.

    Args:
        setting: The setting of `class_path`.
        kind: Class that it must be a kind of.

    Returns:
        The class.

    Raises:
        ConfigError: There is no such class, or it is of another kind.
    """
    path = str(setting.value)
    module, _, name = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"{setting.key}: there is no class {path!r} ({error})",
            where=setting.where,
            remedy="The phases are sk2d.phases.SkeletonModule and sk2d.phases.SkinModule, "
            "the data is sk2d.data.SupervisedData",
        ) from error
    if not (isinstance(found, type) and issubclass(found, kind)):
        raise ConfigError(
            f"{setting.key}: {path} is no {kind.__name__}", where=setting.where, remedy=CHOOSE_PHASE
        )
    return found


def sections(values: dict[str, Setting]) -> tuple[dict[str, Section], list[ConfigError]]:
    """Find the parts of the config and the classes behind them.

    Args:
        values: The settings that hold.

    Returns:
        Section by key, and what is wrong with the classes.
    """
    found = {
        "trainer": Section("trainer", Trainer),
        "checkpoint": Section("checkpoint", RunModelCheckpoint),
        "guard": Section("guard", LossGuard),
    }
    problems: list[ConfigError] = []
    for name, kind in (("model", LightningModule), ("data", LightningDataModule)):
        setting = values.get(f"{name}.class_path") or values.get(name)
        if setting is None:
            what = f"{name}: no phase is chosen, so there is nothing to run"
            problems.append(ConfigError(what, where="config", remedy=CHOOSE_PHASE))
            continue
        try:
            found[name] = Section(name, import_class(setting, kind))
        except ConfigError as problem:
            problems.append(problem)
    return found, problems


def unknown_key(setting: Setting, known: dict[str, Any], where_else: dict[str, str]) -> ConfigError:
    """Say that a key does not exist, and which one was meant.

    Args:
        setting: The setting with the unknown key.
        known: Keys that exist, by full name.
        where_else: Full key by last part of its name, to find a key in the wrong section.

    Returns:
        The error.
    """
    top, last = setting.key.split(".")[0], setting.key.split(".")[-1]
    remedy = OWNED.get(top)
    if remedy is None and last in where_else:
        remedy = f"Did you mean {where_else[last]}?"
    remedy = remedy or did_you_mean(setting.key, known)
    remedy = remedy or "python cli.py fit --help lists the keys"
    return ConfigError(f"{setting.key}: there is no such key", where=setting.where, remedy=remedy)
