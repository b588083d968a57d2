"""One row on its way through phase 0, and as it lies in a shard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from sk2d.corpus.rows import row_id
from sk2d.errors import DataError, Reason

_SHOWN = 1000  # characters of a malformed line that its reject keeps


class Item(NamedTuple):
    """What stands at the place of a row in the input, not yet judged.

    Attributes:
        content: As `files.raw_rows` gives it.
        where: Its place, `file:line`.
    """

    content: object
    where: str


@dataclass(frozen=True)
class Reject:
    """Why a row was left out.

    Args:
        reason: From the closed list.
        message: What is wrong with this row.
        step: The step that found it.
    """

    reason: Reason
    message: str
    step: str


@dataclass
class Record:
    """A row on its way.

    Args:
        where: Its place in the input, `file:line`.
        row: Its columns as they were read; empty for a line that is no row.
        text: Beginning of a line that is no row.
        made: What the steps made of it, by column.
        reject: Why it goes no further.
    """

    where: str
    row: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    made: dict[str, Any] = field(default_factory=dict)
    reject: Reject | None = None

    @property
    def id(self) -> str:
        """Id of the row; its place where it has none that can be used."""
        try:
            return row_id(self.row, self.where)
        except DataError:
            return row_id({}, self.where)

    def refuse(self, step: str, reason: Reason, message: str) -> None:
        """Take the row out.

        Args:
            step: The step that found out.
            reason: From the closed list.
            message: What is wrong.
        """
        assert self.reject is None, "a row is refused once"
        told = " ".join(message.split()).removesuffix(f" ({reason})")  # it has its own column
        self.reject = Reject(reason, told, step)

    def to_line(self) -> bytes:
        """Write the record as a line of a shard; half surrogate pairs survive as escapes.

        Returns:
            JSON in ASCII, with its newline.
        """
        return json.dumps(asdict(self), ensure_ascii=True).encode("ascii") + b"\n"

    @staticmethod
    def from_line(line: bytes) -> Record:
        """Read a line of a shard.

        Args:
            line: The line.

        Returns:
            The record.
        """
        values = json.loads(line)
        if values["reject"] is not None:
            kept = values["reject"]
            values["reject"] = Reject(Reason(kept["reason"]), kept["message"], kept["step"])
        return Record(**values)


def reject_row(record: Record) -> Mapping[str, Any]:
    """Make the row of `rejects.jsonl`.

    Args:
        record: A record that was refused.

    Returns:
        Reason, step, message and place; the whole raw row, or the beginning of a line that is none.
    """
    assert record.reject is not None, "only refused rows are rejects"
    place, _, line = record.where.rpartition(":")
    told = {
        "id": record.id,
        "reason": str(record.reject.reason),
        "step": record.reject.step,
        "message": record.reject.message,
        "file": place,
        "line": int(line),
    }
    return told | ({"row": record.row} if record.row else {"text": record.text})


def shown(content: object) -> str:
    """Give the beginning of something that is no row.

    Args:
        content: A line as bytes, or a value.

    Returns:
        At most a thousand characters.
    """
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else None
    return (repr(content) if text is None else text.rstrip("\r\n"))[:_SHOWN]
