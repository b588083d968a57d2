"""Where Ghidra, IDA and angr are, and how each runs our script."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sk2d.frontends.external.program import SCRIPTS, Program

GHIDRA: Final = "GHIDRA_INSTALL_DIR"
IDA: Final = "IDA_INSTALL_DIR"
ANGR: Final = "SK2D_ANGR_PYTHON"
IDA_PROGRAMS: Final = ("idat", "idat64")


class Ghidra(Program):
    """An installed Ghidra, without its window."""

    name = "ghidra"
    dialect = "ghidra"

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine.

        Returns:
            What to set, or None when it is found.
        """
        return None if self._program() else f"no Ghidra found: set {GHIDRA} to its folder"

    def _program(self) -> Path | None:
        folder = os.environ.get(GHIDRA)
        path = Path(folder) / "support" / "analyzeHeadless" if folder else None
        found = str(path) if path and path.is_file() else shutil.which("analyzeHeadless")
        return Path(found) if found else None

    def command(self, binary: Path, request: Path, folder: Path) -> list[str]:
        """Give the command line of its headless analyser.

        Args:
            binary: The file to decompile.
            request: The request.
            folder: Where its project goes.

        Returns:
            Program and arguments.
        """
        program = self._program()
        assert program is not None, "missing() comes first"
        script = ["-scriptPath", str(SCRIPTS), "-postScript", "Sk2dDecompile.java", str(request)]
        project = [str(folder), "sk2d", "-import", str(binary), "-deleteProject"]
        return [str(program), *project, *script]


class Ida(Program):
    """An installed IDA with the Hex-Rays decompiler, in batch mode."""

    name = "ida"
    dialect = "ida"

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine.

        Returns:
            What to set, or None when it is found.
        """
        return None if self._program() else f"no IDA found: set {IDA} to its folder"

    def _program(self) -> Path | None:
        folder = os.environ.get(IDA)
        if folder:
            paths = (Path(folder) / name for name in IDA_PROGRAMS)
            return next((path for path in paths if path.is_file()), None)
        found = next(filter(None, map(shutil.which, IDA_PROGRAMS)), None)
        return Path(found) if found else None

    def command(self, binary: Path, request: Path, folder: Path) -> list[str]:
        """Give the command line of its text version.

        Args:
            binary: The file to decompile.
            request: The request.
            folder: Where its database goes.

        Returns:
            Program and arguments.
        """
        program = self._program()
        assert program is not None, "missing() comes first"
        script = f'-S"{SCRIPTS / "ida_script.py"}" "{request}"'
        return [str(program), "-A", script, f"-o{folder / 'database'}", str(binary)]


class Angr(Program):
    """angr, in an interpreter that has it."""

    name = "angr"
    dialect = "angr"

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine.

        Returns:
            What to set, or None when an interpreter has it.
        """
        python = self._python()
        if python is None:
            return f"no angr found: set {ANGR} to a Python interpreter that has it"
        check = [python, "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('angr'))"]
        try:
            done = subprocess.run(check, capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return f"{python}, which {ANGR} names, does not run"
        return f"{python} has no angr: set {ANGR} to one that has" if done.returncode else None

    def _python(self) -> str | None:
        return os.environ.get(ANGR)

    def command(self, binary: Path, request: Path, folder: Path) -> list[str]:
        """Give the command line of its interpreter.

        Args:
            binary: The file to decompile.
            request: The request.
            folder: Not used: angr writes nothing.

        Returns:
            Program and arguments.
        """
        python = self._python()
        assert python is not None, "missing() comes first"
        return [python, str(SCRIPTS / "angr_script.py"), str(request), str(binary)]
