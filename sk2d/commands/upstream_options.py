"""Options of SK2Decompile's scripts, for people who come from there: what they are called here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_INPUT = "Here it is --input FILE [FILE ...]; several steps need no files between them"
_OUTPUT = "Here it is --output: a folder, or with --steps a .json or .jsonl file"
_WORKERS = "Here it is --workers"
_PARTS = "Nothing has to be split: one run uses all processors, and goes on when it is repeated"
_ENGINE = "Types are inferred by sk2d itself: leave it out"

UPSTREAM: Final[Mapping[str, Mapping[str, str]]] = {
    "preprocess": {
        "input_json": _INPUT,
        "output_json": _OUTPUT,
        "output_name": _OUTPUT,
        "key_name": "The columns have fixed names, pseudo and code: rename yours",
        "top": "All rows are taken: give fewer in --input",
        "remove": "A row that fails is left out and stands in rejects.jsonl with its reason",
        "num_workers": _WORKERS,
        "jobs": _WORKERS,
        "j": _WORKERS,
        "temp_dir": "The work folder lies in --output, and goes when the run is done",
        "split": _PARTS,
        "idx": _PARTS,
        "generator": _ENGINE,
        "solver": _ENGINE,
    },
}
"""What to do instead, by command and by option without its dashes."""
