"""Checkpoints: written beside their target and renamed, checked before they are read.

A checkpoint is a file, or the folder that DeepSpeed's engine leaves.
"""

from __future__ import annotations

import functools
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import torch
from lightning.pytorch.plugins.io import TorchCheckpointIO

from sk2d.corpus.atomic import atomic_file
from sk2d.errors import ResumeError, UserError
from sk2d.models.strategies.checkpoint_folder import RUN, is_checkpoint_folder, is_intact_folder

SUFFIX = ".ckpt"
LAST = "last" + SUFFIX
TEMPORARY = ".tmp"


class AtomicCheckpointIO(TorchCheckpointIO):
    """Writes a checkpoint so that its name never stands for half a file.

    Lightning's own writer goes through the folder for temporary files, which is atomic only when
    that is on the same file system.
    """

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | Path, storage_options: Any | None = None
    ) -> None:
        """Write a checkpoint beside its target, flush it to the disk and rename it.

        Args:
            checkpoint: Plain types and tensors.
            path: Target.
            storage_options: Not supported; must be None.

        Raises:
            UserError: The disk is full or not writable.
        """
        assert storage_options is None, "storage options are not supported"
        try:
            with atomic_file(path) as stream:
                torch.save(checkpoint, stream)
        except (UserError, RuntimeError) as error:
            # torch reports a full disk as RuntimeError
            what = error.what if isinstance(error, UserError) else str(error)
            raise UserError(
                f"the checkpoint could not be written: {what}",
                where=str(path),
                remedy="Free some disk space and resume with --ckpt_path last",
            ) from error

    def load_checkpoint(
        self, path: str | Path, map_location: Any = None, weights_only: bool | None = True
    ) -> dict[str, Any]:
        """Read a checkpoint, or the part of a folder that is Lightning's.

        Args:
            path: File or folder.
            map_location: Where the tensors go; null means the CPU.
            weights_only: Whether only plain types and tensors may be in it.

        Returns:
            The checkpoint.
        """
        given = Path(path)
        file = given / RUN if is_checkpoint_folder(given) else given
        place = map_location or "cpu"
        loaded: dict[str, Any] = torch.load(file, map_location=place, weights_only=weights_only)
        return loaded


def link_atomically(link: Path, target: Path) -> None:
    """Point a symbolic link at a file in the same folder, without a moment in which it is missing.

    Args:
        link: The link.
        target: File in the link's folder.
    """
    beside = link.with_name(f".{link.name}.{os.getpid()}{TEMPORARY}")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target.name)
    os.replace(beside, link)


def step_of(path: Path) -> int:
    """Read the optimiser step out of a checkpoint's name.

    Args:
        path: File such as `step00000120.ckpt`.

    Returns:
        The step, or -1 when the name has none.
    """
    match = re.search(r"step=?(\d+)", path.name)
    return int(match.group(1)) if match else -1


def newest_first(folder: Path) -> list[Path]:
    """List the checkpoints of a folder, the newest first; links are left out.

    Args:
        folder: A run's folder of checkpoints.

    Returns:
        Files by step; of one step, the plain checkpoint comes before the best one.
    """
    files = [path for path in folder.glob("*" + SUFFIX) if not path.is_symlink()]
    plain_last = sorted(files, key=lambda path: (step_of(path), path.name.startswith("step")))
    return plain_last[::-1]


def is_intact(path: Path) -> bool:
    """Check every checksum of a checkpoint; an unchanged one is read once.

    Args:
        path: A file that `torch.save` wrote, or a checkpoint folder.

    Returns:
        Whether all of it is as it was written.
    """
    if path.is_dir():
        return is_intact_folder(path)
    try:
        facts = path.stat()
    except OSError:
        return False
    return _checksums_hold(path, facts.st_size, facts.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _checksums_hold(path: Path, size: int, mtime_ns: int) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError):
        return False


def find_checkpoint(wanted: str, folder: Path) -> Path:
    """Find the checkpoint that a run is to continue from.

    Args:
        wanted: A path, or `last` for the newest one in the folder.
        folder: The run's folder of checkpoints.

    Returns:
        An intact checkpoint.

    Raises:
        ResumeError: There is none, or it is damaged; the one before it is offered.
    """
    if wanted == "last":
        files = newest_first(folder)
        if not files:
            raise ResumeError(
                "there is no checkpoint to resume from",
                where=str(folder),
                remedy="Start without --ckpt_path, or name a file with --ckpt_path FILE",
            )
        chosen = files[0]
    else:
        chosen = Path(wanted)
        files = newest_first(chosen.parent)
    if not chosen.exists():
        raise ResumeError("no such checkpoint", where=wanted, remedy=_offer(files))
    is_foreign = chosen.is_dir() and not is_checkpoint_folder(chosen)
    if not is_foreign and not is_intact(chosen):
        others = [path for path in files if path.resolve() != chosen.resolve()]
        raise ResumeError("the checkpoint is damaged", where=str(chosen), remedy=_offer(others))
    return chosen


def _offer(files: list[Path]) -> str:
    intact = next((path for path in files if is_intact(path)), None)
    if intact is None:
        return "No other intact checkpoint is in its folder: start without --ckpt_path"
    return f"Resume from the one before it with --ckpt_path {intact}"
