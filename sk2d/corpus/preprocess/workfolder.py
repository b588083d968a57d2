"""The work folder of a run: its shards, and what they were made from, so that it can go on.

A shard is written whole or not at all and named by its number, so whatever a killed run left is
either finished or ignored. The folder's name holds the fingerprint of input and settings: a worker
that outlives its run cannot write into another one.
"""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sk2d.corpus.atomic import atomic_file, write_text_atomic
from sk2d.corpus.preprocess.records import Record
from sk2d.corpus.preprocess.settings import fingerprint
from sk2d.errors import UserError

_PER_FOLDER = 1000


class WorkFolder:
    """Shards of one run.

    Args:
        folder: The work folder.
        what: Description of the run, see `settings.description`.
    """

    def __init__(self, folder: Path, what: dict[str, Any]) -> None:
        self.folder = folder
        self.what = what
        self.shards = folder / fingerprint(what)
        self._told = folder / "run.json"

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep other runs out as long as the block runs; the lock goes with the process.

        Yields:
            Nothing.

        Raises:
            UserError: Another run works here.
        """
        is_new = not self.folder.parent.exists()
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UserError(
                    "another run works in this folder",
                    where=str(self.folder.parent),
                    remedy="Wait for it, or choose another --output",
                ) from error
            try:
                yield
            finally:
                if self.folder.exists() and not self._told.exists():
                    shutil.rmtree(self.folder)  # no work in it: the run was refused
                if is_new:
                    with suppress(OSError):  # it has output in it
                        self.folder.parent.rmdir()

    def prepare(self, outputs: Sequence[Path], *, overwrite: bool) -> bool:
        """Make the folder ready: new, or as a killed run with the same settings left it.

        Args:
            outputs: Files that the run is going to write.
            overwrite: Whether what another run has left is thrown away.

        Returns:
            Whether an earlier run goes on.

        Raises:
            UserError: Another run has left its work or its output here.
        """
        before = _read_description(self._told)
        if before == self.what and self.shards.is_dir():
            return True
        if before is not None and not overwrite:
            raise UserError(
                f"an unfinished run lies here, with other {_differing(before, self.what)}",
                where=str(self.folder),
                remedy="Repeat its own command to finish it, or begin anew with --overwrite",
            )
        there = [path for path in outputs if path.exists()]
        if there and not overwrite:
            raise UserError(
                "the output of a run is here already",
                where=str(there[0]),
                remedy="Choose another --output, or replace it with --overwrite",
            )
        for path in there:
            path.unlink()
        for old in self.folder.iterdir():
            if old.is_dir():
                shutil.rmtree(old)
        self.shards.mkdir()
        write_text_atomic(self._told, json.dumps(self.what, indent=1) + "\n")
        return False

    def path(self, number: int) -> Path:
        """Give the place of a shard.

        Args:
            number: Number of its chunk.

        Returns:
            Its path, whether it is there or not.
        """
        return self.shards / f"{number // _PER_FOLDER:05d}" / f"{number:08d}.jsonl"

    def read(self, chunk_count: int) -> Iterator[Record]:
        """Read all records in the order of the input.

        Args:
            chunk_count: Number of chunks.

        Yields:
            Record after record.
        """
        for number in range(chunk_count):
            with self.path(number).open("rb") as stream:
                for line in stream:
                    yield Record.from_line(line)

    def remove(self) -> None:
        """Take the work folder away, after its output is in place."""
        shutil.rmtree(self.folder)


def write_shard(path: Path, records: list[Record]) -> None:
    """Write a shard, whole or not at all.

    Args:
        path: Its place.
        records: Its records.
    """
    with atomic_file(path) as stream:
        stream.writelines(record.to_line() for record in records)


def _read_description(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    return found if isinstance(found, dict) else None


def _differing(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Name what differs between two descriptions."""
    names = [
        f"settings ({', '.join(_keys(before[key], now[key]))})" if key == "settings" else key
        for key in now
        if before.get(key) != now[key]
    ]
    return " and ".join(names)


def _keys(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [f"--{key}" for key in now if before.get(key) != now[key]]
