"""Sets up the decompiler's side environment: `python -m sk2d.frontends.flatline.setup`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sk2d.errors import FrontendError, UserError
from sk2d.frontends.flatline.environment import (
    DEFAULT,
    Environment,
    build_hook,
    find_python,
)

PACKAGES = ("flatline==0.1.2", "ghidra-sleigh==12.0.4", "capstone==5.0.9")
PIP = ("-m", "pip", "install", "-q", "--disable-pip-version-check", "--root-user-action=ignore")
REMEDY = (
    "Install one (apt-get install python3.13 python3.13-venv, pyenv install 3.13, or "
    "uv python install 3.13) and run make decompiler again"
)


def set_up(folder: Path = DEFAULT, requirements: Path | None = None) -> Environment:
    """Make the environment: interpreter, packages, the built hook.

    Args:
        folder: Where to; an environment that is there is brought up to date.
        requirements: File of packages to install; None installs `PACKAGES`.

    Returns:
        The environment.

    Raises:
        FrontendError: There is no Python that flatline has a build for, or a step failed.
    """
    environment = Environment(folder.absolute())
    if not environment.python.exists():
        python = find_python()
        if python is None:
            what = "there is no Python 3.13 or 3.14, which the decompiler's package needs"
            raise FrontendError(what, where="make decompiler", remedy=REMEDY)
        _run([python, "-m", "venv", str(folder)], "the environment cannot be made")
    wanted = ["-r", str(requirements)] if requirements else list(PACKAGES)
    _run([str(environment.python), *PIP, *wanted], "its packages cannot be installed")
    build_hook(environment)
    return environment


def _run(command: list[str], what: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
        said = lines[-1] if lines else f"exit code {done.returncode}"
        remedy = "See what the command says: " + " ".join(command)
        raise FrontendError(f"{what}: {said}", where="make decompiler", remedy=remedy)


if __name__ == "__main__":
    try:
        made = set_up(DEFAULT, Path(sys.argv[1]) if sys.argv[1:] else None)
    except UserError as error:
        sys.exit(f"error: {error}")
    sys.stdout.write(f"the decompiler is in {made.folder}\n")
