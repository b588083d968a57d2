"""The rows of the experiment: demo sources, compiled in many ways, split by function in three."""

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
HELD_OUT = 0.2
"""Share of the functions that no model is trained on."""

FOR_RL = 0.3
"""Share of the others that only reinforcement learning sees."""


def prepare_rows(folder: Path) -> None:
    """Build the corpus and write `sft.jsonl`, `rl.jsonl` and `held_out.jsonl`, once.

    All texts of one function fall into the same part, so a held-out prompt is of a function that
    no training has seen in any form.

    Args:
        folder: Folder for the rows.

    Raises:
        SystemExit: The corpus could not be built.
    """
    if (folder / "held_out.jsonl").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [_pairs(folder, stripped) for stripped in ("true", "false")]
    settings = Settings(
        dialect="flatline", filters=(), near_threshold=1.0, val_share=HELD_OUT, seed=0
    )
    preprocess_rows(pairs, folder / "rows", settings, overwrite=True)
    trained = list(read_rows(folder / "rows" / "skeleton.train.jsonl"))
    asked = list(read_rows(folder / "rows" / "rl_skeleton.train.jsonl"))
    names = [row["extra_info"]["func_name"] for row, _ in asked]
    held_out = [row for row, _ in read_rows(folder / "rows" / "rl_skeleton.val.jsonl")]
    _write(
        folder / "sft.jsonl", [r for (r, _), n in zip(trained, names, strict=True) if not for_rl(n)]
    )
    _write(folder / "rl.jsonl", [r for (r, _), n in zip(asked, names, strict=True) if for_rl(n)])
    _write(folder / "held_out.jsonl", held_out)


def for_rl(name: str) -> bool:
    """Tell whether a function that is not held out is kept from supervised training.

    Args:
        name: Its name.

    Returns:
        Whether only reinforcement learning sees it.
    """
    return zlib.crc32(name.encode()) % 1000 < 1000 * FOR_RL


def _pairs(folder: Path, stripped: str) -> Path:
    output = folder / f"pairs_stripped_{stripped}.jsonl"
    options = ["--sources", str(ROOT / "examples" / "sources"), "--output", str(output)]
    options += ["--opts", "O0,O1,O2,O3,Os", "--cc", "gcc,clang", "--stripped", stripped]
    if sk2d(["corpus", *options, "--workers", "2", "--overwrite", "true"]) != 0:
        raise SystemExit("the corpus could not be built: see above")
    return output


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
