"""Keys whose value is a class with arguments: callbacks, loggers, strategies and the like."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import typing
from collections.abc import Iterator
from typing import Any

from lightning.fabric.plugins import CheckpointIO, ClusterEnvironment
from lightning.pytorch import Callback
from lightning.pytorch.accelerators import Accelerator, AcceleratorRegistry
from lightning.pytorch.loggers import Logger
from lightning.pytorch.plugins import LayerSync, Precision
from lightning.pytorch.profilers import Profiler
from lightning.pytorch.strategies import Strategy, StrategyRegistry

from sk2d.commands.config.files import Setting
from sk2d.commands.config.types import shown, typed_value
from sk2d.errors import ConfigError, did_you_mean
from sk2d.phases.answer_metrics import NAMES

KINDS: dict[str, tuple[type, ...]] = {
    "trainer.callbacks": (Callback,),
    "trainer.logger": (Logger,),
    "trainer.strategy": (Strategy,),
    "trainer.profiler": (Profiler,),
    "trainer.plugins": (Precision, ClusterEnvironment, CheckpointIO, LayerSync),
    "trainer.accelerator": (Accelerator,),
}
# Values that are no class.
PLAIN: dict[str, tuple[Any, ...]] = {
    "trainer.callbacks": (None,),
    "trainer.logger": (None, True, False),
    "trainer.strategy": ("auto", *StrategyRegistry.available_strategies()),
    "trainer.profiler": (None, "simple", "advanced", "pytorch"),
    "trainer.plugins": (None,),
    "trainer.accelerator": ("auto", "gpu", *sorted(AcceleratorRegistry.available_accelerators())),
}
LISTS = ("trainer.callbacks", "trainer.logger", "trainer.plugins")
OURS = {
    "LossGuard": "Set guard.window and guard.factor",
    "RunModelCheckpoint": "Set checkpoint.every_n_train_steps, checkpoint.keep and the like",
    "RunProgress": "Leave it out, or set trainer.enable_progress_bar to false",
    "AtomicCheckpointIO": "Leave it out",
}
PACKAGES = {
    "WandbLogger": "wandb",
    "CometLogger": "comet_ml",
    "MLFlowLogger": "mlflow",
    "NeptuneLogger": "neptune",
    "DeepSpeedStrategy": "deepspeed",
    "RunDeepSpeedStrategy": "deepspeed",
    "deepspeed": "deepspeed",
}
# What a run measures, by the names that a callback may watch.
METRICS = (
    "val/loss",
    "val/accuracy",
    *(f"val/{name}" for name in NAMES),
    "loss",
    "lr",
    "grad_norm",
)
SPEC_KEYS = ("class_path", "init_args", "dict_kwargs")


def find_class(name: str, kinds: tuple[type, ...]) -> Any:
    """Find the class that a config names.

    Args:
        name: Full name, or the bare name of a class that is already imported.
        kinds: Classes of which it must be a kind.

    Returns:
        The class, or a text that says what is wrong.
    """
    module, _, last = name.rpartition(".")
    wanted = " or ".join(kind.__name__ for kind in kinds)
    if not module:
        known = {cls.__name__: cls for kind in kinds for cls in _kinds_of(kind)}
        return known.get(name) or f"{name!r} is unknown"
    try:
        found = getattr(importlib.import_module(module), last)
    except (ImportError, ValueError, AttributeError) as error:
        return f"there is no class {name!r} ({error})"
    except Exception as error:  # a module of the user's own may fail in any way
        return f"{module} cannot be imported ({type(error).__name__}: {error})"
    is_kind = isinstance(found, type) and issubclass(found, kinds)
    return found if is_kind else f"{name!r} is no {wanted}"


def _kinds_of(kind: type) -> Iterator[type]:
    yield kind
    subclasses: list[type] = kind.__subclasses__()
    for below in subclasses:
        yield from _kinds_of(below)


def class_problems(setting: Setting, *, goes_on: bool) -> Iterator[ConfigError]:
    """Check a setting whose value names classes.

    Args:
        setting: Setting of a key in `KINDS`.
        goes_on: Whether options such as `--trainer.logger.project X` add arguments to it.

    Yields:
        One error per unknown class, wrong kind, or wrong argument.
    """
    several = isinstance(setting.value, list) and setting.key in LISTS
    for spec in setting.value if several else [setting.value]:
        yield from _spec_problems(setting, spec, goes_on)


def _spec_problems(setting: Setting, spec: Any, goes_on: bool) -> Iterator[ConfigError]:
    where, plain = setting.place(), PLAIN[setting.key]
    if spec in plain and type(spec) in map(type, plain):
        return
    name = class_name(spec)
    if name is None:
        names = ", ".join(shown(value).strip("'") for value in plain[:6])
        remedy = f"Give {names}, or a class as class_path and init_args"
        yield ConfigError(f"{shown(spec)} cannot be used", where=where, remedy=remedy)
        return
    owner = find_class(name, KINDS[setting.key])
    if isinstance(owner, str):
        yield ConfigError(owner, where=where, remedy=_names(setting.key, name))
    elif owner.__name__ in OURS:
        what = f"every run has {owner.__name__} already"
        yield ConfigError(what, where=where, remedy=OURS[owner.__name__])
    else:
        arguments = spec.get("init_args") if isinstance(spec, dict) else {}
        place = f"{where} ({owner.__name__})"
        yield from _argument_problems(place, owner, arguments or {})
        if not goes_on:
            yield from _missing_arguments(place, owner, arguments or {})


def class_name(spec: Any) -> str | None:
    """Give the name in a value that stands for a class.

    Args:
        spec: A name, or a mapping with `class_path`.

    Returns:
        The name, or None for anything else.
    """
    if isinstance(spec, dict):
        well_formed = isinstance(spec.get("class_path"), str) and spec.keys() <= set(SPEC_KEYS)
        return spec["class_path"] if well_formed else None
    return spec if isinstance(spec, str) else None


def missing_package(spec: Any) -> str | None:
    """Give the package that a class or name needs and that is not installed.

    Args:
        spec: A value of a key in `KINDS`.

    Returns:
        Name of the package, or None.
    """
    name = (class_name(spec) or "").rpartition(".")[2]
    package = PACKAGES.get(name) or PACKAGES.get(name.split("_")[0])
    return package if package and importlib.util.find_spec(package) is None else None


def _names(key: str, name: str) -> str:
    known = [str(value) for value in PLAIN[key] if isinstance(value, str)]
    classes = {cls.__name__ for kind in KINDS[key] for cls in _kinds_of(kind)}
    short = name.rpartition(".")[2]
    near = did_you_mean(short, known) or did_you_mean(short, sorted(classes))
    return near or f"Known are {', '.join(known or sorted(classes)[:12])}"


def _argument_problems(where: str, owner: type, arguments: Any) -> Iterator[ConfigError]:
    if not isinstance(arguments, dict):
        yield ConfigError("init_args is no mapping", where=where, remedy="Write NAME: VALUE lines")
        return
    parameters = inspect.signature(owner).parameters
    open_ended = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
    hints = _hints(owner)
    for name, value in arguments.items():
        if name not in parameters and not open_ended:
            near = did_you_mean(str(name), parameters)
            remedy = near or f"Its arguments are {', '.join(parameters)}"
            yield ConfigError(f"it has no argument {name}", where=where, remedy=remedy)
        elif name in hints:
            _, problem = typed_value(Setting(name, value, {name: where}), hints[name])
            if problem:
                yield problem
            elif name == "monitor" and value not in METRICS:
                near = did_you_mean(str(value).replace("_", "/"), METRICS)
                remedy = " ".join(filter(None, (near, f"Measured are {', '.join(METRICS)}")))
                yield ConfigError(f"nothing is called {value!r}", where=where, remedy=remedy)


def _missing_arguments(where: str, owner: type, arguments: Any) -> Iterator[ConfigError]:
    for name, item in inspect.signature(owner).parameters.items():
        is_plain = item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)
        if item.default is item.empty and is_plain and name not in arguments:
            remedy = f"Give it under init_args: {{{name}: ...}}"
            yield ConfigError(f"its argument {name} is not set", where=where, remedy=remedy)


def _hints(owner: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(owner.__init__)  # type: ignore[misc]
    except NameError:  # types that only a type checker imports: the parser judges those arguments
        return {}
