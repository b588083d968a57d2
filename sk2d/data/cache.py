"""The tokenised rows of a set, kept on disk under a key of everything that they depend on.

A cache is a folder with `rows.arrow` and `summary.json`. It is written beside its place and
renamed, so it is whole or not there; of two processes that need the same one, the second waits for
the first. A damaged one is made again, with a warning.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
import shutil
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from sk2d.data.encoding import Encoding, encode_rows
from sk2d.data.sources import RowSource
from sk2d.data.token_rows import TokenRows
from sk2d.errors import UserError

FORMAT = 1  # to be raised whenever the same rows would give other files
_ROWS, _SUMMARY = "rows.arrow", "summary.json"


@dataclass(frozen=True)
class Cached:
    """A set of tokenised rows.

    Args:
        rows: The rows.
        summary: Counts of what was read, kept and left out, and the hash of the kept rows.
    """

    rows: TokenRows
    summary: dict[str, Any]


def default_cache_dir() -> Path:
    """Give the folder for caches: the environment's SK2D_CACHE, else `.cache/sk2d` here."""
    return Path(os.environ.get("SK2D_CACHE") or ".cache/sk2d")


def cache_key(source: RowSource, encoding: Encoding) -> str:
    """Give the name of a cache.

    Args:
        source: The rows.
        encoding: How they become tokens.

    Returns:
        Hex digits that change with the rows, the tokenizer, the prompt, or a setting.
    """
    parts = json.dumps([FORMAT, source.hash, encoding.hash])
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def tokenised(source: RowSource, encoding: Encoding, folder: Path) -> Cached:
    """Open the tokenised rows of a source, and make them first when they are not there.

    Args:
        source: The rows.
        encoding: How they become tokens.
        folder: Folder of all caches.

    Returns:
        The rows and their counts.

    Raises:
        UserError: The folder cannot be written.
    """
    target = folder / cache_key(source, encoding)
    try:
        if (cached := _open(target)) is not None:
            return cached
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(target.with_suffix(".lock")):
            return _open(target, discard=True) or _make(source, encoding, target)
    except (OSError, pa.ArrowInvalid) as error:
        raise UserError(
            f"the tokenised rows cannot be kept here ({error})",
            where=str(folder),
            remedy="Free space, or choose another folder with data.cache_dir or SK2D_CACHE",
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # let go by the system when a process dies
        yield


def _open(target: Path, discard: bool = False) -> Cached | None:
    """Open a cache; a damaged one counts as none and, with the lock held, is removed."""
    try:
        summary = json.loads((target / _SUMMARY).read_text())
        if _checksum(target / _ROWS) == summary["checksum"]:
            return Cached(TokenRows(target / _ROWS), summary)
        reason = "its rows are not those that were written"
    except FileNotFoundError as error:
        if not target.exists():
            return None
        reason = f"{Path(error.filename).name} is missing"
    except (ValueError, KeyError, TypeError) as error:
        reason = f"{_SUMMARY} cannot be read: {error}"
    if discard:
        warnings.warn(f"{target}: damaged cache, made again ({reason})", stacklevel=2)
        shutil.rmtree(target)
    return None


def _checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            total = zlib.crc32(block, total)
    return total


def _make(source: RowSource, encoding: Encoding, target: Path) -> Cached:
    for left in target.parent.glob(f"{target.name}.*.tmp"):  # by a killed process: we hold the lock
        shutil.rmtree(left)
    temporary = target.with_name(f"{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    temporary.mkdir()
    try:
        summary = encode_rows(source, encoding, temporary / _ROWS)
        summary["checksum"] = _checksum(temporary / _ROWS)
        (temporary / _SUMMARY).write_text(json.dumps(summary, indent=1))
        for name in (_ROWS, _SUMMARY):
            _flush(temporary / name)
        os.replace(temporary, target)
    finally:
        with suppress(FileNotFoundError):  # renamed, after a success
            shutil.rmtree(temporary)
    return Cached(TokenRows(target / _ROWS), summary)


def _flush(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
