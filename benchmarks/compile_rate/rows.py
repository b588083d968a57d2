"""The rows of the experiment: demo sources in many builds, split by function and by build."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

from sk2d.commands.main import main as sk2d
from sk2d.corpus.files import read_rows
from sk2d.corpus.pipeline import preprocess_rows
from sk2d.corpus.preprocess.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
UNSEEN = 0.2
"""Share of the functions that no model is trained on in any form."""

PARTS = (("held_out", 0.15), ("rl", 0.40), ("sft", 0.45))
"""Shares of the builds of every other function."""


def prepare_rows(folder: Path) -> None:
    """Build the corpus and write `sft`, `rl`, `held_out` and `unseen` (.jsonl), once.

    A function has ten builds: two compilers, five levels. The texts of one build, with its name and
    without, fall into the same part; those that are the same text in two builds are there once. So
    a held-out prompt is of a function that training has seen as other builds; the prompts in
    `unseen.jsonl` are of functions that it has never seen.

    Args:
        folder: Folder for the rows.

    Raises:
        SystemExit: The corpus could not be built.
    """
    if (folder / "unseen.jsonl").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [_pairs(folder, stripped) for stripped in ("true", "false")]
    settings = Settings(
        dialect="flatline", filters=(), near_threshold=1.0, val_share=UNSEEN, seed=0
    )
    made = folder / "rows"
    preprocess_rows(pairs, made, settings, overwrite=True)
    parts = {row["id"]: part_of(row) for row, _ in read_rows(made / "rows.jsonl")}
    for part, file in (("sft", "skeleton"), ("rl", "rl_skeleton"), ("held_out", "rl_skeleton")):
        rows = (row for row, _ in read_rows(made / f"{file}.train.jsonl"))
        _write(folder / f"{part}.jsonl", [row for row in rows if parts[row["id"]] == part])
    unseen = [row for row, _ in read_rows(made / "rl_skeleton.val.jsonl")]
    _write(folder / "unseen.jsonl", unseen)


def part_of(row: dict[str, Any]) -> str:
    """Tell which part a row of a function that training sees falls into.

    Args:
        row: A row of `rows.jsonl`.

    Returns:
        Name of the part, by the build alone.
    """
    build = f"{row['func_name']}:{row['compiler']}:{row['opt']}"
    place = zlib.crc32(build.encode()) / 2**32
    for part, share in PARTS:
        if place < share:
            return part
        place -= share
    return PARTS[-1][0]


def _pairs(folder: Path, stripped: str) -> Path:
    output = folder / f"pairs_stripped_{stripped}.jsonl"
    options = ["--sources", str(ROOT / "examples" / "sources"), "--output", str(output)]
    options += ["--opts", "O0,O1,O2,O3,Os", "--cc", "gcc,clang", "--stripped", stripped]
    if sk2d(["corpus", *options, "--workers", "2", "--overwrite", "true"]) != 0:
        raise SystemExit("the corpus could not be built: see above")
    return output


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
