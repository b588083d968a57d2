"""What was found out so far, on disk: nothing is worked out twice, and a kill loses one entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sk2d.corpus.json_log import JsonLog


class Journal:
    """Values by key.

    Args:
        path: The file; one that is damaged is a `UserError`.
    """

    def __init__(self, path: Path) -> None:
        self._log = JsonLog(path)
        self.found: dict[str, Any] = {row["key"]: row["value"] for row in self._log.values()}

    def add(self, key: str, value: Any) -> None:
        """Write a value down.

        Args:
            key: Its key.
            value: What JSON can hold.

        Raises:
            UserError: The file cannot be written.
        """  # noqa: DOC502
        self.found[key] = value
        self._log.add([{"key": key, "value": value}])
