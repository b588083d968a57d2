"""Where the compiler is, and which folders of the host a jail needs to see for it."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sk2d.errors import UserError

SYSTEM_PATHS: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
)
"""Programs and libraries; nothing that belongs to a user."""


@functools.cache
def compiler() -> str:
    """Find gcc.

    Returns:
        Its path.

    Raises:
        UserError: There is none.
    """
    path = shutil.which("gcc")
    if path is None:
        raise UserError(
            "gcc is not installed, so that no C can be judged",
            remedy="Install it, for example `apt-get install gcc libc6-dev`",
        )
    return path


def find_compiler(name: str) -> str | None:
    """Find a compiler by name.

    Args:
        name: Such as gcc or clang.

    Returns:
        Its path, or None.
    """
    return shutil.which(name)


@functools.cache
def readable_paths() -> tuple[str, ...]:
    """List what a jail shows of the host, read-only.

    Returns:
        Paths that exist here; with the folder that gcc is installed in, when it is none of the
        system's.
    """
    paths = [path for path in SYSTEM_PATHS if os.path.lexists(path)]
    gcc = shutil.which("gcc")
    for path in [] if gcc is None else [Path(gcc).resolve(), Path(gcc).absolute()]:
        if not any(path.is_relative_to(seen) for seen in paths):
            paths.append(str(path.parents[1]))
    return tuple(paths)


def environment() -> dict[str, str]:
    """Give the environment of a command in the jail: nothing of the user's.

    Returns:
        Name -> value.
    """
    folders = ["/usr/bin", "/bin"]
    gcc = shutil.which("gcc")
    if gcc is not None and os.path.dirname(gcc) not in folders:
        folders.insert(0, os.path.dirname(gcc))
    return {"PATH": ":".join(folders), "LC_ALL": "C", "HOME": "/nonexistent", "TMPDIR": "."}


@functools.cache
def compiler_proper(flags: tuple[str, ...], source: str) -> tuple[str, ...]:
    """Ask gcc how it would call its compiler proper (cc1) on a file.

    The driver costs a fifth of a small compile and adds nothing to the verdict.

    Args:
        flags: Flags of gcc that let it compile but not assemble.
        source: Name of the file.

    Returns:
        The command.

    Raises:
        UserError: gcc does not tell, as when `gcc` is another compiler.
    """
    asked = subprocess.run(
        [compiler(), "-###", *flags, "-x", "c", source],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        timeout=60,
    )
    for line in asked.stderr.splitlines():
        words = shlex.split(line) if line.startswith(" ") else []
        if words and Path(words[0]).name == "cc1":
            return tuple(words)
    raise UserError(
        f"{compiler()} does not say how it calls its compiler proper (cc1)",
        remedy="Put a GNU gcc first in PATH, for example `apt-get install gcc libc6-dev`",
    )
