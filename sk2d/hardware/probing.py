"""Looking at this machine. Nothing here decides what is good or bad: see `findings.py`.

Torch is imported only inside functions, and whatever is missing or broken is told, never raised.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil

from sk2d import sandbox
from sk2d.hardware.machine import (
    EXTRA_PACKAGES,
    PACKAGES,
    Gpu,
    Machine,
    TorchBuild,
    make_gpu,
)

FRAGILE = ("bitsandbytes", "deepspeed", "flash_attn")
"""Compiled optional modules that may be installed and still fail at import."""

COMPILERS = ("gcc", "clang", "cc")


def probe(
    folder: Path | None = None,
    *,
    import_torch: Callable[[], Any] | None = None,
    import_fails: Callable[[str], str | None] | None = None,
) -> Machine:
    """Look at this machine.

    Args:
        folder: Where free disk space is measured; the working folder when None.
        import_torch: Gives the torch module; the installed one when None.
        import_fails: Says why an installed module cannot be imported, or None when it can.

    Returns:
        What was found. Nothing that is missing or broken raises.
    """
    memory = psutil.virtual_memory()
    torch, torch_error = _import_torch(import_torch or (lambda: importlib.import_module("torch")))
    jail, refused = probe_jail()
    build, gpus = probe_torch(torch) if torch is not None else (None, ())
    return Machine(
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        cores_physical=psutil.cpu_count(logical=False),
        cores_logical=logical_cores(),
        memory_bytes=memory.total,
        memory_available_bytes=memory.available,
        disk_free_bytes=shutil.disk_usage(folder or Path.cwd()).free,
        nvidia_smi=shutil.which("nvidia-smi") is not None,
        gpus=gpus,
        torch=build,
        torch_error=torch_error,
        compilers=compiler_versions(COMPILERS),
        jail=jail,
        jail_refused=refused,
        packages=package_versions(),
        broken=broken_modules(FRAGILE, import_fails or import_error),
    )


def logical_cores() -> int:
    """Count the logical cores that this process may use.

    Returns:
        At least 1.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _import_torch(import_torch: Callable[[], Any]) -> tuple[Any | None, str | None]:
    try:
        return import_torch(), None
    except ModuleNotFoundError as error:
        # Not installed is a choice (the base package); a missing part of torch is a fault.
        return None, None if error.name == "torch" else _one_line(error)
    except Exception as error:  # a broken build raises anything: OSError, RuntimeError, ...
        return None, _one_line(error)


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def probe_torch(torch: Any) -> tuple[TorchBuild, tuple[Gpu, ...]]:
    """Read what a torch build holds and which GPUs it can use.

    Args:
        torch: The torch module, or a stand-in with `__version__`, `version.cuda` and `cuda`.

    Returns:
        The build, with what torch said when the driver failed, and the GPUs.
    """
    gpus: tuple[Gpu, ...] = ()
    error = None
    with warnings.catch_warnings(record=True) as said:
        # An old driver is only a warning for torch, followed by "no GPU".
        warnings.simplefilter("always")
        try:
            if torch.cuda.is_available():
                gpus = tuple(_gpu(torch, index) for index in range(torch.cuda.device_count()))
        except (RuntimeError, AssertionError, OSError) as raised:
            error = _one_line(raised)
    if error is None and not gpus and said:
        error = " ".join(str(said[-1].message).split())
    architectures = tuple(torch.cuda.get_arch_list()) if torch.version.cuda else ()
    return TorchBuild(str(torch.__version__), torch.version.cuda, architectures, error), gpus


def _gpu(torch: Any, index: int) -> Gpu:
    properties = torch.cuda.get_device_properties(index)
    return make_gpu(
        str(properties.name), (properties.major, properties.minor), int(properties.total_memory)
    )


def probe_jail() -> tuple[str | None, dict[str, str]]:
    """Try the jail's back ends, from the strongest to the first that works.

    Returns:
        Name of the one that works, None without one; and why each stronger one does not.
    """
    refused: dict[str, str] = {}
    for backend in sandbox.LADDER:
        reason = sandbox.failure(backend.name)
        if reason is None:
            return backend.name, refused
        refused[backend.name] = reason
    return None, refused


def compiler_versions(names: Iterable[str]) -> dict[str, str]:
    """Ask each installed compiler for its version.

    Args:
        names: Names of programs, looked up in PATH.

    Returns:
        Name -> first line of what `--version` prints; compilers that do not answer are left out.
    """
    versions = {}
    for name in names:
        path = shutil.which(name)
        if path is None:
            continue
        try:
            done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            continue  # a compiler that cannot even say its version is no compiler
        if done.returncode == 0 and done.stdout.strip():
            versions[name] = done.stdout.strip().splitlines()[0]
    return versions


def package_versions(
    names: Iterable[str] = (*PACKAGES, *EXTRA_PACKAGES),
) -> dict[str, str]:
    """Read the installed versions of packages, without importing them.

    Args:
        names: Names of distributions; those that sk2d uses when left out.

    Returns:
        Name -> version, for those that are installed.
    """
    versions = {}
    for name in names:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions


def import_error(module: str) -> str | None:
    """Import a module in a process of its own.

    A compiled extension may end the whole process or print pages, so it never loads in ours.

    Args:
        module: Name of an installed module.

    Returns:
        The last line of what went wrong, or None when the import works.
    """
    command = [sys.executable, "-c", f"import {module}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    except subprocess.TimeoutExpired:
        return "its import takes more than 180 s"
    if done.returncode == 0:
        return None
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"its import ends with exit code {done.returncode}"


def broken_modules(
    names: Iterable[str], import_fails: Callable[[str], str | None]
) -> dict[str, str]:
    """Try the import of those modules that are installed.

    Args:
        names: Names of modules.
        import_fails: Says why an installed module cannot be imported, or None when it can.

    Returns:
        Name -> reason, for those that are installed and fail.
    """
    installed = [name for name in names if importlib.util.find_spec(name) is not None]
    reasons = {name: import_fails(name) for name in installed}
    return {name: reason for name, reason in reasons.items() if reason is not None}
