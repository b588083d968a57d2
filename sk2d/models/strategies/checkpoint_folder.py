"""A checkpoint that is a folder: what each process holds, written beside its target and renamed.

Such as step00000120.ckpt/ with

- run.ckpt: Lightning's part: progress, facts, random states, and the trained weights
- engine/: DeepSpeed's part: each process's share of the optimiser's states
- complete.json: the marker, written last: every file with its size and checksum
"""

from __future__ import annotations

import functools
import json
import os
import secrets
import shutil
import zlib
from pathlib import Path

RUN = "run.ckpt"
ENGINE = "engine"
MARKER = "complete.json"
TEMPORARY = ".tmp"
BLOCK = 1 << 20


def is_checkpoint_folder(path: Path) -> bool:
    """Tell whether a path is meant as a checkpoint folder, complete or not.

    Args:
        path: Any path.

    Returns:
        True for a folder with a part of a checkpoint in it.
    """
    return path.is_dir() and any((path / name).exists() for name in (RUN, ENGINE, MARKER))


def beside(path: Path) -> Path:
    """Give a name beside a checkpoint, under which it is written.

    Args:
        path: The checkpoint's name.

    Returns:
        A name that nothing has yet and that is cleared away when it is left behind.
    """
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")


def finish(temporary: Path, path: Path) -> None:
    """Mark a written folder as complete and give it its name; a folder in its place is replaced.

    Args:
        temporary: Folder that all processes have written into.
        path: Its name.
    """
    files = sorted(file for file in temporary.rglob("*") if file.is_file())
    for file in files:
        _flush(file)
    listed = {str(file.relative_to(temporary)): _facts(file) for file in files}
    marker = temporary / MARKER
    marker.write_text(json.dumps({"files": listed}, indent=1), encoding="utf-8")
    _flush(marker)
    if path.is_dir() and not path.is_symlink():
        old = beside(path)
        path.rename(old)
        temporary.rename(path)
        shutil.rmtree(old)
    else:
        path.unlink(missing_ok=True)
        temporary.rename(path)
    _flush(path.parent)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _facts(path: Path) -> dict[str, int]:
    crc = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            crc = zlib.crc32(block, crc)
    return {"size": path.stat().st_size, "crc32": crc}


def is_intact_folder(path: Path) -> bool:
    """Check a checkpoint folder against its marker; an unchanged folder is read once.

    Args:
        path: A checkpoint folder.

    Returns:
        Whether every file is as it was written.
    """
    try:
        found = [(str(file), file.stat()) for file in sorted(path.rglob("*"))]
    except OSError:
        return False
    state = tuple((name, facts.st_size, facts.st_mtime_ns) for name, facts in found)
    return _matches_marker(path, state)


@functools.lru_cache(maxsize=64)
def _matches_marker(path: Path, state: tuple[tuple[str, int, int], ...]) -> bool:
    try:
        listed = json.loads((path / MARKER).read_text(encoding="utf-8"))["files"]
        found = {name: _facts(path / name) for name in listed}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(listed) and found == listed


def size_of(path: Path) -> int:
    """Measure a checkpoint.

    Args:
        path: A file or folder.

    Returns:
        Bytes of all its files.
    """
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def delete(path: Path) -> None:
    """Delete a checkpoint, file or folder; one that is gone is no mistake.

    A folder loses its name first, so that half of one never stands under it.

    Args:
        path: The checkpoint.
    """
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    old = beside(path)
    path.rename(old)
    shutil.rmtree(old)
