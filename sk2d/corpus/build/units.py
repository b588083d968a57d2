"""The translation units of a tree, with the flags that they need."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.build.settings import Settings
from sk2d.errors import DataError

TAKEN: Final = (
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-include",
    "-std=",
    "-f",
    "-m",
    "-pthread",
)
"""What a text needs to compile, out of a recorded command; nothing that writes or runs."""

WITH_VALUE: Final = ("-D", "-U", "-I", "-isystem", "-iquote", "-include")
REFUSED: Final = (
    "-fplugin",
    "-fdump",
    "-fprofile",
    "-fsanitize",
    "-flto",
    "-fPI",
    "-fpi",
    "-fno-pi",
)


@dataclass(frozen=True)
class Unit:
    """A file to compile.

    Args:
        number: Its place in the order of all.
        file: The C file.
        flags: What it needs besides level and debug information.
        folder: Where relative paths of the flags begin.
    """

    number: int
    file: Path
    flags: tuple[str, ...]
    folder: Path


def find_units(settings: Settings) -> list[Unit]:
    """List the units of a build.

    Args:
        settings: The build.

    Returns:
        In the order of their paths.
    """
    if settings.commands is not None:
        return list(_recorded(settings.commands))
    root = settings.sources.resolve()
    files = sorted(path for path in root.rglob("*.c") if path.is_file() and _in_sight(path, root))
    flags = _flags_of_tree(root)
    return [Unit(number, file, flags, file.parent) for number, file in enumerate(files)]


def _in_sight(path: Path, root: Path) -> bool:
    """Leave hidden folders out: version control and patch tools keep copies of the files there."""
    return not any(part.startswith(".") for part in path.relative_to(root).parts)


def _flags_of_tree(root: Path) -> tuple[str, ...]:
    """Guess what files of a tree need whose commands are not recorded.

    The root, then every folder with headers; and the macro by which programs that `configure` has
    been through know of their config.h.
    """
    found = sorted(path for path in root.rglob("*.h") if path.is_file())
    headers = [path for path in found if _in_sight(path, root)]
    folders = dict.fromkeys([root, *(path.parent for path in headers)])
    configured = any(path.name == "config.h" for path in headers)
    include = (word for folder in folders for word in ("-I", str(folder)))
    return (*include, *(("-DHAVE_CONFIG_H",) if configured else ()))


def _recorded(path: Path) -> Iterator[Unit]:
    found: dict[Path, tuple[tuple[str, ...], Path]] = {}
    for entry in _entries(path):
        folder = Path(entry.get("directory", path.parent))
        file = (folder / entry["file"]).resolve()
        words = entry.get("arguments") or shlex.split(entry.get("command", ""))
        if file.suffix == ".c" and file.is_file():
            found[file] = (tuple(needed_flags(words)), folder.resolve())
    for number, file in enumerate(sorted(found)):
        yield Unit(number, file, *found[file])


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"it is no JSON ({error})", where=str(path)) from error
    if not isinstance(entries, list) or not all("file" in entry for entry in entries):
        raise DataError("it is no list of compile commands", where=str(path))
    return entries


def needed_flags(words: Sequence[str]) -> Iterator[str]:
    """Pick what a text needs to compile out of a recorded command.

    Args:
        words: The command, the compiler first.

    Yields:
        Its flags.
    """
    rest = iter(words[1:])
    for word in rest:
        if word in WITH_VALUE:
            yield word
            yield next(rest, "")
        elif word.startswith(TAKEN) and not word.startswith(REFUSED):
            yield word
