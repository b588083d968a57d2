"""What was found out so far, on disk: nothing is worked out twice, and a kill loses one entry."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from sk2d.errors import UserError


class Journal:
    """Values by key in a file of JSON lines; a line that a kill cut off is left out.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, Any] = {}
        self._cut_off = False
        if not path.exists():
            return
        content = path.read_bytes()
        self._cut_off = content != b"" and not content.endswith(b"\n")
        for line in content.splitlines():
            try:
                row = json.loads(line)
                self.found[row["key"]] = row["value"]
            except (ValueError, KeyError, TypeError):
                continue

    def add(self, key: str, value: Any) -> None:
        """Write a value down.

        Args:
            key: Its key.
            value: What JSON can hold.

        Raises:
            UserError: The file cannot be written.
        """
        self.found[key] = value
        line = json.dumps({"key": key, "value": value}) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                stream.write(b"\n" * self._cut_off + line.encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            what = f"cannot be written ({error.strerror})"
            raise UserError(what, where=str(self.path)) from error
        self._cut_off = False
