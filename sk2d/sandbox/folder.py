"""Removing what a hostile program has put into a work folder."""

from __future__ import annotations

import itertools
import os


def empty_folder(folder: str) -> None:
    """Remove all that is in a folder.

    Folders nested deeper than a path may be long, or closed by their rights, are no obstacle: each
    is moved up to the top before it is looked into. No process may be at work in it any more.

    Args:
        folder: Path of the folder, which stays.
    """
    token = os.urandom(8).hex()
    names = (f"{folder}/{token}-{number}" for number in itertools.count())
    pending = [folder]
    while pending:
        current = pending.pop()
        os.chmod(current, 0o700)
        with os.scandir(current) as entries:
            found = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for path, is_folder in found:
            if is_folder:
                os.chmod(path, 0o700)  # a closed folder cannot be moved
                pending.append(next(names))
                os.rename(path, pending[-1])
            else:
                os.unlink(path)
        if current != folder:
            os.rmdir(current)


def remove_folder(folder: str) -> None:
    """Remove a folder and all that is in it.

    Args:
        folder: Path of the folder.
    """
    empty_folder(folder)
    os.rmdir(folder)
