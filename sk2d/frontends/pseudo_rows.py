"""Pseudo-code that people have already, as a front end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sk2d.errors import FrontendError
from sk2d.frontends.records import PseudoFunction, Target

KEYS: Final = ("pseudo", "input", "code")
DIALECTS: Final = ("ida", "ghidra", "flatline", "angr", "auto")
REMEDY: Final = 'Give rows such as {"name": "f", "pseudo": "int f() { ... }"}, or a .c file'


class PseudoRows:
    """Rows of a JSONL file, or one function of a C file, in place of a decompiler.

    Args:
        dialect: Whose pseudo-code it is; auto tells it by each text.
    """

    name = "pseudo"

    def __init__(self, dialect: str = "auto") -> None:
        self.dialect = dialect
        self._texts: dict[int, str] = {}

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine: it always can."""
        return None

    def close(self) -> None:
        """Let go of everything; there is nothing."""

    def functions(self, binary: Path) -> list[Target]:
        """List the functions of a file.

        Args:
            binary: A JSONL file of rows, or a C file.

        Returns:
            In their order; a row without an address has the number of its line.

        Raises:
            FrontendError: The file cannot be read, or a row has no pseudo-code.
        """
        try:
            text = binary.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FrontendError(f"it cannot be read ({error})", where=str(binary)) from error
        if binary.suffix in (".c", ".txt"):
            self._texts = {0: text}
            return [Target(binary.stem, 0, 0)]
        rows = [
            (number, self._row(line, f"{binary}, line {number}"))
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip()
        ]
        targets = []
        for number, row in rows:
            address = _address(row.get("address"), number)
            self._texts[address] = next(str(row[key]) for key in KEYS if row.get(key))
            name = row.get("name") or row.get("func_name")
            targets.append(Target(str(name or f"row{number}"), address, 0, name is not None))
        return targets

    def _row(self, line: str, where: str) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except ValueError as error:
            raise FrontendError(f"it is no JSON ({error})", where=where, remedy=REMEDY) from error
        if not isinstance(row, dict) or not any(isinstance(row.get(key), str) for key in KEYS):
            raise FrontendError("there is no pseudo-code in it", where=where, remedy=REMEDY)
        return row

    def decompile(self, binary: Path, targets: Sequence[Target]) -> Iterator[PseudoFunction]:
        """Give the functions' texts.

        Args:
            binary: The file that `functions` read.
            targets: Some of its functions.

        Yields:
            One record each, in their order.
        """
        if not self._texts:
            self.functions(binary)
        for target in targets:
            text = self._texts[target.address]
            yield PseudoFunction(target.name, target.address, 0, text, self.dialect)


def _address(given: Any, number: int) -> int:
    if isinstance(given, int):
        return given
    try:
        return int(str(given), 0)
    except ValueError:
        return number
