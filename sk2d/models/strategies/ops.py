"""The parts of DeepSpeed that are compiled on the machine that runs them.

DeepSpeed compiles them when they are first needed: after the model was loaded, in every process,
and a build that is killed half-way leaves a `lock` on which all later runs wait for ever. Here they
are built before anything is loaded, once, in a process of their own, in a folder of their own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from sk2d.errors import ConfigError
from sk2d.hardware import package_versions

FOLDER = "TORCH_EXTENSIONS_DIR"
BUILT = ".sk2d-built.json"
TIME_LIMIT_S = 900.0
LOADING_S = 60.0  # an op that is built is loaded in under a second; an older lock is nobody's
BUILDER = "sk2d.models.strategies.build_ops"
# What a compiler's output says that people can act upon, most telling first.
TELLING = (
    re.compile(r"No such file or directory: '?([^'\n]+)|(\S+): not found|not found: (\S+)"),
    re.compile(r"(?:fatal )?error: .+"),
    re.compile(r"(?:RuntimeError|OSError|ImportError|FileNotFoundError): .+"),
)
REMEDY = (
    "Install a C++ compiler and ninja (apt-get install g++ ninja-build), on a GPU also the CUDA "
    "toolkit of torch's version with CUDA_HOME pointing at it, or set "
    "trainer.strategy.init_args.cpu_ops to torch, which is slower"
)


def needed_ops(device: str, *, processes: int, offload_optimizer: bool) -> list[str]:
    """Name the compiled parts that a run needs.

    Args:
        device: `cpu` or `cuda`.
        processes: Processes of the run.
        offload_optimizer: Whether the optimiser's states are on the CPU.

    Returns:
        Names of DeepSpeed's builders.
    """
    talks = device == "cpu" and processes > 1
    return ["ShareMemCommBuilder"] * talks + ["CPUAdamBuilder"] * offload_optimizer


def own_folder() -> Path:
    """Give the folder of the compiled parts: the user's, else one for these versions.

    Returns:
        An absolute path; it need not exist.
    """
    given = os.environ.get(FOLDER)
    if given:
        return Path(given).absolute()
    cache = Path(os.environ.get("SK2D_CACHE") or ".cache/sk2d").absolute()
    deepspeed = package_versions().get("deepspeed", "unknown")
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    return cache / "extensions" / f"{python}-torch{torch.__version__}-deepspeed{deepspeed}"


def build_ops(names: Sequence[str], device: str, limit_s: float = TIME_LIMIT_S) -> list[str]:
    """See that parts are compiled; every process of a run may call this, one of them builds.

    Args:
        names: Names of DeepSpeed's builders.
        device: `cpu` or `cuda`.
        limit_s: Seconds that a build may take.

    Returns:
        Those that were built now; the others were there.
    """
    folder = own_folder()
    os.environ[FOLDER] = str(folder)
    if not names:
        return []
    with _alone_in(folder):
        _clear_locks(folder)
        built = _built(folder)
        todo = [name for name in names if built.get(name) != _compiler()]
        for name in todo:
            _build(name, device, limit_s)
            built[name] = _compiler()
            (folder / BUILT).write_text(json.dumps(built), encoding="utf-8")
    return todo


def _compiler() -> str:
    return os.environ.get("CXX", "c++")


def _built(folder: Path) -> dict[str, str]:
    try:
        found = json.loads((folder / BUILT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder; the system lets go of it however this process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        holder = (folder / ".sk2d.lock").open("w", encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"the folder for DeepSpeed's compiled parts cannot be written ({error.strerror})",
            where=str(folder),
            remedy=f"Name another one in the environment as {FOLDER}",
        ) from error
    with holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        yield


def _clear_locks(folder: Path) -> None:
    """Remove locks that a killed process left; one that is in use is waited for.

    Builds of ours happen only while the folder is held, so what is locked now is being loaded,
    which takes a moment.
    """
    for lock in folder.glob("*/lock"):
        with contextlib.suppress(FileNotFoundError):
            while time.time() - lock.stat().st_mtime < LOADING_S:
                time.sleep(0.2)
            lock.unlink()


def _build(name: str, device: str, limit_s: float) -> None:
    command = [sys.executable, "-m", BUILDER, name]
    environment = os.environ | {"DS_ACCELERATOR": device}
    sys.stderr.write(f"note: compiling DeepSpeed's {name} once, which takes a minute or two\n")
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        what = f"DeepSpeed's {name} was not compiled within {limit_s:.0f} s"
        raise ConfigError(what, where="trainer.strategy", remedy=REMEDY) from error
    if done.returncode:
        raise ConfigError(
            f"DeepSpeed's {name} cannot be compiled with {_compiler()}: "
            f"{telling_line(done.stdout + done.stderr)}",
            where="trainer.strategy",
            remedy=REMEDY,
        )


def telling_line(output: str) -> str:
    """Find the line of a failed build that says why.

    Args:
        output: All that the build wrote.

    Returns:
        One line of at most 200 characters.
    """
    for pattern in TELLING:
        match = pattern.search(output)
        if match:
            return " ".join(match.group(0).split())[:200]
    lines = output.strip().splitlines()
    return " ".join(lines[-1].split())[:200] if lines else "it ended without a word"
