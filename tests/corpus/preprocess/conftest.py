"""Raw pairs in files, runs over them with quick steps, and the bytes that come out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from sk2d.corpus.files import read_rows
from sk2d.corpus.pipeline import preprocess_rows
from sk2d.corpus.preprocess.settings import Settings
from tests.corpus.preprocess.fake_tools import TOOLS

Run = Callable[..., dict[str, Any]]


def write_rows(folder: Path, rows: Iterable[Any], raw: bytes = b"") -> None:
    """Write the input of a run."""
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    (folder / "raw.jsonl").write_bytes(lines + raw)


def run_here(
    folder: Path, rows: Iterable[Any], output: str = "out", raw: bytes = b"", **options: Any
) -> dict[str, Any]:
    """Run over rows with quick steps, in this process unless told otherwise."""
    write_rows(folder, rows, raw)
    names = {"workers", "overwrite", "progress", "tools"}
    how = {"workers": 0, "tools": TOOLS} | {k: v for k, v in options.items() if k in names}
    settings = Settings(**{k: v for k, v in options.items() if k not in names})
    with pytest.MonkeyPatch.context() as patch:  # so that a report has the same names everywhere
        patch.chdir(folder)
        return preprocess_rows(["raw.jsonl"], Path(output), settings, **how)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run over rows in the folder of the test."""

    def run(rows: Iterable[Any], output: str = "out", **options: Any) -> dict[str, Any]:
        return run_here(tmp_path, rows, output, **options)

    return run


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Read an output file."""

    def rows(name: str, output: str = "out") -> list[dict[str, Any]]:
        return [row for row, _ in read_rows(tmp_path / output / name)]

    return rows


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
