"""Files that are written whole or not at all: beside their place, flushed, then renamed."""

from __future__ import annotations

import glob
import json
import os
import secrets
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from sk2d.errors import UserError

_HOST: Final = socket.gethostname().partition(".")[0]  # process numbers are per machine


@contextmanager
def atomic_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that takes its place only when the block ends well.

    Args:
        path: Where the file is to stand; its folder is made.

    Yields:
        A stream into a temporary file beside it.

    Raises:
        UserError: The file cannot be written (disk full, no permission, no such place).
    """
    target = Path(path)
    mark = f"{_HOST}-{os.getpid()}-{secrets.token_hex(4)}"
    temporary = target.with_name(f".{target.name}.{mark}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(target)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise UserError(
            f"cannot be written ({error.strerror or error})",
            where=str(target),
            remedy="Free space there, or choose another place",
        ) from error
    finally:
        with suppress(OSError):  # after a success nothing of that name is left
            temporary.unlink()


def remove_leftovers(path: str | Path) -> None:
    """Remove what writers of a file left beside it that were killed while they wrote.

    Args:
        path: Where the file stands, or was to stand.
    """
    target = Path(path)
    for found in target.parent.glob(f".{glob.escape(target.name)}.{glob.escape(_HOST)}-*-*.tmp"):
        process = found.name.split("-")[-2]
        if process.isdecimal() and not _runs(int(process)):
            found.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's process
        return True
    return True


def write_text_atomic(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all.

    Args:
        path: Where it is to stand; a file already there is replaced.
        text: Its content.
    """
    with atomic_file(path) as stream:
        stream.write(text.encode("utf-8"))


def write_jsonl_atomic(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows as JSONL, streamed, whole or not at all.

    Args:
        path: Where the file is to stand; a file already there is replaced.
        rows: The rows, in order.

    Returns:
        The number of rows written.
    """
    count = 0
    with atomic_file(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n")
            count += 1
    return count
