"""Messages between sk2d, its jailer and the supervisor in the jail: a JSON object and byte strings.

No pickle: what comes out of a jail is data and must not be able to become anything else.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

Read = Callable[[int], bytes]

_HEAD: Final = struct.Struct("!II")


class Frame(NamedTuple):
    """One message.

    Attributes:
        message: A JSON object.
        blobs: Byte strings that go with it.
    """

    message: dict[str, Any]
    blobs: list[bytes]


class BrokenFrame(Exception):
    """The other side ended in the middle of a message."""


def pack(message: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Write a message.

    Args:
        message: What can stand in JSON.
        blobs: Byte strings that go with it.

    Returns:
        Its bytes.
    """
    head = json.dumps([message, [len(blob) for blob in blobs]]).encode()
    return b"".join([_HEAD.pack(len(head), sum(map(len, blobs))), head, *blobs])


def receive(read: Read) -> Frame | None:
    """Read a message.

    Args:
        read: Gives at most so many bytes, none at the end: `recv` of a socket, `read` of a file.

    Returns:
        The message, or None when the other side ended between two messages.

    Raises:
        BrokenFrame: The other side ended in the middle of a message, or sent something else.
    """
    start = _exactly(read, _HEAD.size, may_end=True)
    if not start:
        return None
    head_size, blobs_size = _HEAD.unpack(start)
    try:
        message, sizes = json.loads(_exactly(read, head_size))
    except ValueError as error:
        raise BrokenFrame(f"no message: {error}") from error
    body = _exactly(read, blobs_size)
    blobs, at = [], 0
    for size in sizes:
        blobs.append(body[at : at + size])
        at += size
    return Frame(message, blobs)


def _exactly(read: Read, size: int, *, may_end: bool = False) -> bytes:
    """Read exactly `size` bytes; nothing at all is fine where a message may end."""
    pieces, missing = [], size
    while missing:
        piece = read(min(missing, 1 << 20))
        if not piece:
            if may_end and missing == size:
                return b""
            raise BrokenFrame(f"{missing} of {size} bytes are missing")
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)
