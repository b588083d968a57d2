"""The folder of a decompiled binary, and the journal from which a broken-off run goes on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sk2d.corpus.atomic import atomic_file
from sk2d.corpus.claimed import claim
from sk2d.corpus.json_log import JsonLog
from sk2d.decompile.records import Decompiled, Name, Verdict
from sk2d.decompile.verdicts import program
from sk2d.decompile.whole import Whole, whole_file
from sk2d.errors import SourceError

JOURNAL = "functions.jsonl"
WHOLE = "whole.c"
FUNCTIONS = "functions"


def fingerprint(binary: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a run, so that only the same one is gone on with.

    Args:
        binary: The file.
        settings: What its results depend on.

    Returns:
        Plain values.
    """
    with binary.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"binary": binary.name, "sha256": digest, **settings}


class Journal:
    """Functions that are done, one JSON object a line, in a folder.

    Args:
        folder: The output folder.
        description: What `fingerprint` gave.
        overwrite: Begin anew where another run left something.
    """

    def __init__(self, folder: Path, description: Mapping[str, Any], *, overwrite: bool) -> None:
        self._log = JsonLog(folder / JOURNAL)
        claim(folder, description, overwrite=overwrite, results=[JOURNAL])

    def add(self, functions: Iterable[Decompiled]) -> None:
        """Write functions down, so that they survive whatever happens next.

        Args:
            functions: Functions that are done.
        """
        self._log.add(function.as_json() for function in functions)

    def done(self) -> list[Decompiled]:
        """Read the functions that are done.

        Returns:
            In the order in which they were.
        """
        return [_read(values) for values in self._log.values()]


def _read(values: dict[str, Any]) -> Decompiled:
    names = tuple(Name(**name) for name in values["names"])
    verdict = Verdict(**values["verdict"])
    plain = values | {"names": names, "verdict": verdict, "warnings": tuple(values["warnings"])}
    return Decompiled(**plain)


def write_files(folder: Path, functions: Sequence[Decompiled]) -> Whole:
    """Write one file for the binary, and one per function.

    Args:
        folder: The output folder.
        functions: All functions.

    Returns:
        The file for the binary.
    """
    ordered = sorted(functions, key=lambda function: function.address)
    (folder / FUNCTIONS).mkdir(exist_ok=True)
    for function, name in _file_names(ordered):
        _write(folder / FUNCTIONS / f"{name}.c", _alone(function))
    whole = whole_file(ordered)
    _write(folder / WHOLE, whole.text)
    return whole


def _file_names(functions: Sequence[Decompiled]) -> Iterator[tuple[Decompiled, str]]:
    """Give every function a file name of its own, whatever characters its name has."""
    taken: set[str] = set()
    for function in functions:
        name = re.sub(r"\W+", "_", function.name, flags=re.ASCII)[:100] or "function"
        if name.lower() in taken:
            name = f"{name}_{function.address:x}"
        taken.add(name.lower())
        yield function, name


def _alone(function: Decompiled) -> str:
    title = f"/* {function.name} at {function.address:#x} */\n"
    if not function.code:
        return f"{title}/* {function.verdict.message} */\n{function.pseudo}\n"
    with suppress(SourceError):
        return title + program(function.definitions, function.code)
    return f"{title}{function.definitions}{function.code}\n"


def _write(path: Path, text: str) -> None:
    with atomic_file(path) as stream:
        stream.write(text.encode("utf-8", "surrogateescape"))
