"""The demo's last part: a library is compiled on the spot and decompiled with the new models."""

from __future__ import annotations

from pathlib import Path

from sk2d.commands.decompile import decompile
from sk2d.corpus.files import read_rows, shipped
from sk2d.frontends.choosing import choose
from sk2d.sandbox import COMPILE_LIMITS, run
from sk2d.sandbox.toolchain import compiler

PROGRAM = "arrays"
FUNCTIONS = ("max_index", "longest_run", "majority")
"""Two that the models have seen, of other binaries, and one that they have not."""


def missing_decompiler() -> str | None:
    """Say why no binary can be decompiled here.

    Returns:
        The reason; None where one can be.
    """
    return choose("flatline", 1, 60.0).missing()


def compile_library(folder: Path) -> Path:
    """Compile one of the example programs.

    Args:
        folder: Where the library goes.

    Returns:
        The library.
    """
    path = shipped("examples/pairs.jsonl")
    assert path is not None, "examples/pairs.jsonl is shipped"
    rows = [row for row, _ in read_rows(path) if row["program"] == PROGRAM and row["opt"] == "O0"]
    functions = [str(row["code"]) for row in rows]
    source = "\n\n".join([str(rows[0]["deps"]), *functions]) + "\n"
    command = [compiler(), "-O0", "-w", "-fPIC", "-shared", "-o", "library.so", "library.c", "-lm"]
    found = run(command, {"library.c": source}, COMPILE_LIMITS, collect=["library.so"])
    assert "library.so" in found.files, f"the examples compile: {found.stderr!r}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "library.c").write_text(source, encoding="utf-8")
    library = folder / "library.so"
    library.write_bytes(found.files["library.so"])
    return library


def decompile_library(library: Path, models: dict[str, Path]) -> None:
    """Decompile some functions of the library, and show every step.

    Args:
        library: The library.
        models: Model folder by phase.
    """
    decompile(
        library,
        function=list(FUNCTIONS),
        skeleton=str(models["skeleton"]),
        skin=str(models["skin"]),
        show="norm,ir,code",
        max_new_tokens=400,
    )
