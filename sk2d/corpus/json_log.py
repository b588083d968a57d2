"""JSON lines that are appended as they come; a kill loses at most the line being written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sk2d.errors import UserError


class JsonLog:
    """A file of JSON values, one a line.

    Args:
        path: The file; its folder is made when the first value is added.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def values(self) -> list[Any]:
        """Read the file; a last line that a kill left half-written is cut off.

        Returns:
            The values in the order in which they were added; none where there is no file.

        Raises:
            UserError: A line is no JSON: something else has written there.
        """  # noqa: DOC502
        if not self.path.is_file():
            return []
        with self.path.open("r+b") as stream:
            content = stream.read()
            stream.truncate(content.rfind(b"\n") + 1)
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        return [self._value(line, number) for number, line in enumerate(lines, 1)]

    def _value(self, line: bytes, number: int) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            where = f"{self.path}:{number}"
            raise UserError("this line is damaged", where=where, remedy="Remove it") from error

    def add(self, values: Iterable[Any]) -> None:
        """Write values down, so that they survive whatever happens next.

        Args:
            values: What JSON can hold.

        Raises:
            UserError: The file cannot be written.
        """
        lines = "".join(json.dumps(value) + "\n" for value in values)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                stream.write(lines.encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            what = f"cannot be written ({error.strerror})"
            raise UserError(what, where=str(self.path)) from error
