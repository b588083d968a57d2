"""Copies of source trees that the jail may read.

A jail has a user of its own, to whom a person's folders are closed. Only files that a compiler
reads are copied.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

READ: Final = frozenset((".c", ".h", ".inc", ".def", ".tbl", ".tab", ".x", ".i", ".hh", ".hpp"))
MOST_BYTES: Final = 16 * 2**20
"""A larger file is no source that anyone wrote."""


class Staging:
    """Trees under a folder that everyone may read; it vanishes at the end of a `with` block.

    Args:
        trees: Folders of sources and headers; one inside of another is copied once.
    """

    def __init__(self, trees: Iterable[Path]) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="sk2d-sources-")
        self.folder = Path(self._temporary.name)
        self.folder.chmod(0o755)
        self._trees: list[tuple[Path, Path]] = []
        for number, tree in enumerate(_outermost(trees)):
            staged = self.folder / str(number)
            _copy(tree, staged)
            self._trees.append((tree, staged))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._temporary.cleanup()

    def staged(self, path: Path) -> Path:
        """Give the place of a copy.

        Args:
            path: A file or folder.

        Returns:
            Its copy, or itself where it is in none of the trees.
        """
        return _moved(path, self._trees)

    def plain_names(self) -> list[str]:
        """Give the compiler's flags that keep the place of the copies out of `__FILE__`."""
        return [f"-fmacro-prefix-map={staged}/=" for _, staged in self._trees]

    def without_places(self, text: str) -> str:
        """Take the place of the copies out of what a compiler says.

        Args:
            text: Its messages.

        Returns:
            The same with paths that begin in the tree.
        """
        for _, staged in self._trees:
            text = text.replace(f"{staged}/", "")
        return text

    def original(self, path: Path) -> Path:
        """Give what a copy was made of.

        Args:
            path: A file of the staging folder.

        Returns:
            The original, or the path itself where it is no copy.
        """
        return _moved(path, [(staged, tree) for tree, staged in self._trees])


def _moved(path: Path, pairs: Iterable[tuple[Path, Path]]) -> Path:
    for start, other in pairs:
        if path.is_relative_to(start):
            return other / path.relative_to(start)
    return path


def _outermost(trees: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for tree in sorted({each.resolve() for each in trees if each.is_dir()}):
        if not any(tree.is_relative_to(outer) for outer in found):
            found.append(tree)
    return found


def _copy(tree: Path, target: Path) -> None:
    target.mkdir(mode=0o755)
    for path in sorted(tree.rglob("*")):
        place = target / path.relative_to(tree)
        if path.is_dir():
            place.mkdir(mode=0o755, parents=True, exist_ok=True)
        elif path.suffix in READ and path.is_file() and path.stat().st_size <= MOST_BYTES:
            place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            shutil.copyfile(path, place)
            place.chmod(0o644)
