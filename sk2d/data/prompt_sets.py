"""The rows of reinforcement learning by set: which file each comes from, and which part of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sk2d.corpus.rl_rows import RlRow
from sk2d.data.sets import SAME
from sk2d.data.sieve import PromptRows, Sieve, Sifted
from sk2d.data.splits import split_by_group
from sk2d.errors import ConfigError, DataError


@dataclass
class PromptSets:
    """The sets "train" and "val", read and judged when first asked for.

    Without a file of its own, "val" is a share of the functions of the training file.

    Args:
        paths: File or hub name by set. "train" has one; of "val" None holds rows back, and the word
            `train` means the first rows that are trained on.
        sieve: Which rows can be used.
        val_share: Share of the functions to hold back.
        val_rows: The most rows of "val".
        limit: How many rows to take from the start of each file.
    """

    paths: dict[str, str | None]
    sieve: Sieve
    val_share: float
    val_rows: int
    limit: int | None = None
    _files: dict[str, Sifted] = field(default_factory=dict, repr=False)
    _sets: dict[str, PromptRows] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> PromptRows:
        """Give a set.

        Args:
            name: "train" or "val".

        Returns:
            Its rows; none for "val" where nothing is held back.
        """
        if name not in self._sets:
            self._sets[name] = self._make(name)
        return self._sets[name]

    @property
    def left_out(self) -> list[dict[str, str]]:
        """Rows that the reward cannot use, of the files that were read: id, where, reason."""
        return [row for file in self._files.values() for row in file.left_out]

    def counts(self, names: Sequence[str]) -> dict[str, Any]:
        """Count rows and tokens.

        Args:
            names: Which sets; the first one's keys have no prefix.

        Returns:
            Per set: rows, tokens of the longest prompt, and per file what was read and left out;
            and `data_hash`, which changes with the text, the order or the split of the rows.
        """
        counts: dict[str, Any] = {}
        digest = hashlib.sha256()
        for number, name in enumerate(names):
            found = self._counts(name, with_file=number == 0)
            prefix = f"{name}_" if number else ""
            counts |= {prefix + key: value for key, value in found.items()}
            for line in _hashed(name, self.get(name).rows):
                digest.update(line)
        return counts | {"data_hash": digest.hexdigest()}

    def _counts(self, name: str, with_file: bool) -> dict[str, int]:
        rows, file = self.get(name), self._file_name(name)
        found = {"rows": len(rows.rows)}
        if rows.rows:
            found |= {"tokens": sum(rows.lengths), "longest": max(rows.lengths)}
        return found | (self._file(file).counts() if with_file or file == name else {})

    def _file_name(self, name: str) -> str:
        return "train" if self.paths[name] in (None, SAME) else name

    def _file(self, name: str) -> Sifted:
        if name not in self._files:
            path = self.paths[name]
            assert path is not None, f"{name} has no file"
            found = self.sieve.read(path, self.limit, self.val_rows if name == "val" else None)
            if not found.kept.rows:
                raise self._nothing_left(name, found)
            self._files[name] = found
        return self._files[name]

    def _nothing_left(self, name: str, found: Sifted) -> DataError:
        what = f"no row is left: {found.rows_in} read"
        remedy = "Name a file that holds rows"
        if found.dropped_too_long:
            what += f", {found.dropped_too_long} of them left out as longer than "
            what += f"{self.sieve.cutoff} tokens (data.cutoff)"
            remedy = "Raise data.cutoff"
        if found.left_out:
            first = found.left_out[0]
            what += f", {len(found.left_out)} of them since the reward cannot use their reference "
            what += f"(the first, {first['where']}: {first['reason']})"
            remedy = "Try one with `python cli.py reward`, or another mode of the reward"
        return DataError(what, where=f"data.{name}: {self.paths[name]}", remedy=remedy)

    def _make(self, name: str) -> PromptRows:
        rows = self._file(self._file_name(name)).kept
        if self.paths["val"] is None:
            return rows.take(self._sides(rows)[name == "val"])
        return rows.take(range(min(len(rows.rows), self.val_rows))) if name == "val" else rows

    def _sides(self, rows: PromptRows) -> tuple[list[int], list[int]]:
        """Give the numbers of the rows to train on, and of those to validate on."""
        groups = [row.group for row in rows.rows]
        train, held = split_by_group(groups, self.val_share, self.val_rows)
        if not len(held) and len(split_by_group(groups, self.val_share)[1]):
            raise ConfigError(
                f"{self.val_rows} rows are fewer than any function has that is to be held back",
                where="data.val_rows",
                remedy="Raise it, or set data.val_share to 0 for no validation",
            )
        return train.tolist(), held.tolist()


def _hashed(name: str, rows: Sequence[RlRow]) -> Iterator[bytes]:
    """Give what a set is told by; where its rows stand makes no difference."""
    yield f"{name}:{len(rows)}\n".encode()
    for row in rows:
        yield json.dumps(asdict(row) | {"where": ""}, sort_keys=True).encode()
