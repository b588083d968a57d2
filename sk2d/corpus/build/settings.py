"""What a corpus is built of, and how."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.errors import ConfigError, UserError, UserErrors
from sk2d.sandbox.toolchain import find_compiler

LEVELS: Final = ("O0", "O1", "O2", "O3", "Os", "Og", "Ofast")


@dataclass(frozen=True)
class Settings:
    """What a corpus is built of.

    Args:
        sources: The tree.
        commands: A `compile_commands.json`; None compiles each C file alone.
        levels: Optimisation levels.
        compilers: Names of compilers.
        stripped: Whether the decompiler sees a file without names.
        frontend: Name of the front end.
        seconds: Longest time for one function in it.
    """

    sources: Path
    commands: Path | None = None
    levels: tuple[str, ...] = ("O0", "O1", "O2", "O3")
    compilers: tuple[str, ...] = ("gcc",)
    stripped: bool = False
    frontend: str = "flatline"
    seconds: float = 60.0

    def check(self) -> None:
        """Look at everything that can be wrong before the work begins.

        Raises:
            UserErrors: Something is; all of it is listed.
        """
        problems: list[UserError] = []
        if not self.sources.is_dir():
            problems.append(
                ConfigError("there is no such folder", where=f"--sources {self.sources}")
            )
        if self.commands is not None and not self.commands.is_file():
            what = "there is no such file"
            problems.append(ConfigError(what, where=f"--compile_commands {self.commands}"))
        unknown = [level for level in self.levels if level not in LEVELS]
        if unknown or not self.levels:
            what = f"{', '.join(unknown) or 'nothing'} is no optimisation level"
            remedy = f"Choose of {', '.join(LEVELS)}"
            problems.append(ConfigError(what, where="--opts", remedy=remedy))
        for name in self.compilers:
            if find_compiler(name) is None:
                remedy = "Install it, or choose gcc or clang"
                problems.append(
                    ConfigError("it is not installed", where=f"--cc {name}", remedy=remedy)
                )
        if problems:
            raise UserErrors(problems)

    def description(self, files: Sequence[Path]) -> dict[str, Any]:
        """Describe a build, so that only the same one is gone on with.

        Args:
            files: The C files.

        Returns:
            Plain values, with a hash over the contents of the files and of the tree's headers.
        """
        digest = hashlib.sha256()
        headers = sorted(self.sources.rglob("*.h"))
        commands = [self.commands] if self.commands else []
        for file in filter(Path.is_file, (*files, *headers, *commands)):
            digest.update(str(file).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
        plain = {key: str(value) for key, value in asdict(self).items()}
        return plain | {"contents": digest.hexdigest()}
