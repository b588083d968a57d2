"""Folders that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sk2d.errors import ModelError


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Refuse an output folder that already holds something.

    Args:
        folder: The folder to be written.
        overwrite: The user allowed replacing it.

    Raises:
        ModelError: When it is a file, or not empty and not to be replaced.
    """
    if folder.is_file():
        raise ModelError("this is a file", where=str(folder), remedy="Give another output folder")
    if not overwrite and folder.is_dir() and any(folder.iterdir()):
        raise ModelError(
            "the output folder is not empty",
            where=str(folder),
            remedy="Give another folder, or --overwrite to replace it",
        )


def _open_to_others(folder: Path) -> None:
    """Let others read the files, as the umask allows; safetensors lets their owner alone."""
    umask = os.umask(0)
    os.umask(umask)
    for file in folder.iterdir():
        file.chmod(0o666 & ~umask)


@contextmanager
def new_folder(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Write a folder beside its place, and move it there when the block ends well.

    Args:
        folder: Where it is to stand.
        overwrite: Replace what stands there.

    Yields:
        The temporary folder to write into; it is on the same file system.

    Raises:
        ModelError: When the place is taken, or writing failed.
    """
    check_free(folder, overwrite=overwrite)
    mark = f"{os.getpid()}-{secrets.token_hex(4)}"
    absolute = folder.absolute()
    temporary = absolute.with_name(f".{absolute.name}.{mark}.tmp")
    replaced = absolute.with_name(f".{absolute.name}.{mark}.old")
    try:
        temporary.mkdir(parents=True)
        yield temporary
        _open_to_others(temporary)
        if absolute.exists():
            absolute.rename(replaced)
        temporary.rename(absolute)
    except OSError as error:
        raise ModelError(
            f"cannot be written ({error.strerror or error})",
            where=str(folder),
            remedy="Free space there, or give another folder",
        ) from error
    finally:
        for leftover in (temporary, replaced):
            shutil.rmtree(leftover, ignore_errors=True)
