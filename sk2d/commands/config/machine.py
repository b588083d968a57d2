"""What a config needs of this machine: devices, packages, files and folders."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

import torch
from lightning.fabric.plugins.environments import (
    LSFEnvironment,
    MPIEnvironment,
    SLURMEnvironment,
    TorchElasticEnvironment,
)

from sk2d.commands.config.check import Values
from sk2d.commands.config.classes import KINDS, class_name, missing_package
from sk2d.commands.config.devices import GPU, device_count, on_gpu
from sk2d.commands.config.paths import missing_paths
from sk2d.commands.config.types import REMEDIES
from sk2d.errors import ConfigError, UserError
from sk2d.hardware import Finding, runs_on
from sk2d.hardware.choices import unsuitable, weakest
from sk2d.hardware.findings import no_kernels
from sk2d.hardware.probing import probe_torch

OTHERS: dict[str, Callable[[], bool]] = {
    "mps": torch.backends.mps.is_available,
    "tpu": lambda: importlib.util.find_spec("torch_xla") is not None,
}
NEED_GPU = ("fsdp", "xla", "single_xla", "single_tpu")
INSTALL = {"deepspeed": "-e '.[deepspeed]'"}
CLUSTERS = (TorchElasticEnvironment, SLURMEnvironment, LSFEnvironment, MPIEnvironment)


def missing_here(values: Values, command: str) -> Iterator[UserError]:
    """Find what a config needs and this machine does not have.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per thing; `where` starts with the key.
    """
    yield from missing_paths(values, command)
    yield from _accelerator(values)
    yield from _devices(values)
    yield from _kernels(values)
    if values.site.is_here:
        yield from _workers(values)
        yield from _packages(values)


def unwise_here(values: Values) -> Iterator[str]:
    """Find what works on the GPUs of a run and is slower than it need be.

    Args:
        values: The values of a config.

    Yields:
        One sentence each.
    """
    for key, finding in _unsuitable(values):
        if finding.level == "warning":
            yield f"{key}: {finding.what}. {finding.remedy}"


def _unsuitable(values: Values) -> list[tuple[str, Finding]]:
    gpu = (
        weakest(values.site.gpus())
        if on_gpu(values.get("trainer.accelerator"), values.site)
        else None
    )
    if gpu is None:
        return []
    keys = ("trainer.precision", "model.attention", "model.quantization")
    precision, attention, quantization = map(values.get, keys)
    return list(unsuitable(gpu, str(precision), attention, quantization))


def _kernels(values: Values) -> Iterator[UserError]:
    """Refuse what a GPU has no hardware for, and a torch build without code for it."""
    if not values.is_sound("trainer.accelerator"):
        return
    for key, finding in _unsuitable(values):
        if finding.level == "error":
            yield ConfigError(finding.what, where=key, remedy=str(finding.remedy))
    if not values.site.is_here or not on_gpu(values.get("trainer.accelerator")):
        return
    build, gpus = probe_torch(torch)
    for gpu in gpus if build.cuda else ():
        if not runs_on(build.architectures, gpu.capability):
            finding = no_kernels(gpu, build)
            yield ConfigError(finding.what, where="trainer.accelerator", remedy=str(finding.remedy))


def _accelerator(values: Values) -> Iterator[UserError]:
    accelerator = values.get("trainer.accelerator")
    precision = str(values.get("trainer.precision"))
    if accelerator in GPU and not values.site.has_gpu:
        yield ConfigError(
            "this machine has no GPU that torch can use",
            where="trainer.accelerator",
            remedy="Give --config cpu.yaml last to run on the CPU; python cli.py doctor tells more",
        )
        return
    if isinstance(accelerator, str) and accelerator not in ("auto", "cpu", *GPU):
        if not OTHERS.get(accelerator, lambda: True)():
            what = f"this machine has no {accelerator.upper()} that torch can use"
            yield ConfigError(what, where="trainer.accelerator", remedy="Use cpu, gpu or auto")
        return
    if not values.is_sound("trainer.accelerator") or on_gpu(accelerator, values.site):
        return
    strategy = values.get("trainer.strategy")
    if str(class_name(strategy)).lower().startswith(NEED_GPU):
        yield ConfigError(
            f"{class_name(strategy)} needs a GPU, and this run is on the CPU",
            where="trainer.strategy",
            remedy="Use auto or ddp",
        )
    if accelerator in ("auto", "cpu") and precision in ("16", "16-mixed"):
        yield ConfigError(
            f"{precision} needs a GPU, and this run is on the CPU",
            where="trainer.precision",
            remedy="Use 32-true, or bf16-mixed where doctor says that it is fast",
        )
    if values.get("model.attention") == "flash2":
        yield ConfigError(
            "flash2 needs a GPU, and this run is on the CPU",
            where="model.attention",
            remedy="Use auto",
        )


def _devices(values: Values) -> Iterator[UserError]:
    devices, where = values.get("trainer.devices"), "trainer.devices"
    accelerator = values.get("trainer.accelerator")
    if not values.is_sound("trainer.devices", "trainer.accelerator", "trainer.num_nodes"):
        return
    gpu, nodes = on_gpu(accelerator, values.site), values.get("trainer.num_nodes")
    here = values.site.gpu_count if gpu else os.cpu_count() or 1
    kind = "GPUs" if gpu else "CPU cores"
    if not _is_count(devices, gpu):
        remedy = REMEDIES["trainer.devices"]
        yield ConfigError(f"{devices!r} cannot be used", where=where, remedy=remedy)
    elif (
        accelerator in ("auto", "cpu", *GPU)
        and device_count(values.get, values.site) > here * nodes >= 1
    ):
        asked = device_count(values.get, values.site) // nodes
        what = f"{asked} devices are asked for, and this machine has {here} {kind}"
        yield ConfigError(what, where=where, remedy=f"Give at most {here}")
    if nodes > 1 and not any(cluster.detect() for cluster in CLUSTERS):
        yield ConfigError(
            f"{nodes} nodes need a launcher that starts the command on each",
            where="trainer.num_nodes",
            remedy="Use torchrun or Slurm, or leave it 1",
        )


def _is_count(devices: Any, gpu: bool) -> bool:
    if isinstance(devices, list):
        return gpu and bool(devices)
    text = str(devices).strip()
    if gpu and ("," in text or text == "-1"):
        return all(part.strip().lstrip("-").isdigit() for part in text.split(",") if part.strip())
    return text == "auto" or (text.isdigit() and int(text) > 0)


def _workers(values: Values) -> Iterator[UserError]:
    workers, most = values.get("data.num_workers"), 4 * (os.cpu_count() or 1)
    if isinstance(workers, int) and workers > most:
        yield ConfigError(
            f"{workers} processes are too many for the cores of this machine",
            where="data.num_workers",
            remedy=f"Give at most {most}",
        )


def _packages(values: Values) -> Iterator[UserError]:
    for key in KINDS:
        given = values.get(key)
        for spec in given if isinstance(given, list) else [given]:
            package = missing_package(spec)
            if package:
                remedy = f"Install it: pip install {INSTALL.get(package, package)}"
                yield ConfigError(f"it needs the package {package}", where=key, remedy=remedy)
