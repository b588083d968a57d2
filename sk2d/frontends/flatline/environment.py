"""The side environment in which flatline runs: Python 3.13, the engine, and the built hook."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sk2d.errors import FrontendError

VARIABLE = "SK2D_DECOMPILER"
DEFAULT = Path(".venv-decompiler")
HOOK = "sk2d_hook.so"
SOURCE = Path(__file__).with_name("hook.cpp")
PYTHONS = ("python3.13", "python3.14")
BUILD = ("-O2", "-std=c++17", "-shared", "-fPIC", "-Wall", "-Wextra")
REMEDY = "Run: make decompiler"


@dataclass(frozen=True)
class Environment:
    """Where flatline lives.

    Args:
        folder: The virtual environment.
    """

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def hook(self) -> Path | None:
        """The library that tells the engine about prototypes and more; None where not built."""
        path = self.folder / HOOK
        return path if path.is_file() else None


def find_environment() -> Environment | None:
    """Find the side environment.

    Returns:
        That of $SK2D_DECOMPILER, else `.venv-decompiler` of the working folder or of the checkout;
        None where there is none.
    """
    given = os.environ.get(VARIABLE)
    checkout = Path(__file__).parents[3]
    folders = [Path(given)] if given else [DEFAULT, checkout / DEFAULT]
    found = (Environment(folder.absolute()) for folder in folders)
    return next((one for one in found if one.python.exists()), None)


def find_python() -> str | None:
    """Find an interpreter that flatline has a build for.

    Returns:
        A command: from PATH, else one that pyenv or uv manages; None where there is none.
    """
    for name in PYTHONS:
        path = shutil.which(name)
        if path and _works(path):
            return path
    for version in ("3.13", "3.14"):
        for path in _managed(version):
            if _works(path):
                return path
    return None


def _managed(version: str) -> list[str]:
    """List the interpreters of a version that pyenv or uv have installed."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = sorted(root.glob(f"{version}*/bin/python"), reverse=True)
    if shutil.which("uv"):
        done = subprocess.run(
            ["uv", "python", "find", version], capture_output=True, text=True, check=False
        )
        found += [Path(done.stdout.strip())] if done.returncode == 0 else []
    return [str(path) for path in found]


def _works(python: str) -> bool:
    """Tell whether an interpreter starts: pyenv's stand-ins exist for versions that do not."""
    code = "import sys, venv, ensurepip; sys.exit(sys.version_info[:2] not in [(3, 13), (3, 14)])"
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    return done.returncode == 0


def build_hook(environment: Environment) -> Path:
    """Compile the hook into the environment.

    Args:
        environment: A side environment with flatline in it.

    Returns:
        The library.

    Raises:
        FrontendError: There is no C++ compiler, or it failed.
    """
    compiler = shutil.which("g++") or shutil.which("clang++")
    remedy = "Install g++ and run make decompiler again"
    if compiler is None:
        raise FrontendError("there is no C++ compiler", where="make decompiler", remedy=remedy)
    beside = environment.folder / f".{HOOK}.{os.getpid()}"
    command = [compiler, *BUILD, "-o", str(beside), str(SOURCE), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise FrontendError(f"the compiler failed: {lines[0]}", where=str(SOURCE), remedy=remedy)
    path = environment.folder / HOOK
    os.replace(beside, path)
    return path
