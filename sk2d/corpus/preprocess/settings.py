"""What a run of phase 0 is asked to do, and whether that can be done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import sk2d
from sk2d.corpus.files import content_hash
from sk2d.corpus.preprocess.filters import FILTERS
from sk2d.errors import ConfigError, UserError, UserErrors, did_you_mean

Dialect = Literal["auto", "ida", "ghidra", "flatline", "angr"]
Profile = Literal["sound", "upstream"]

# Raised whenever the same input and settings would give other output, so that no run goes on with
# the shards of another program.
OUTPUT_VERSION = 1


@dataclass(frozen=True)
class Settings:
    """The choices that decide what comes out; nothing here depends on the machine.

    Args:
        dialect: Decompiler that wrote the pseudo-code; `auto` tells it by each text.
        profile: `sound` keeps the meaning; `upstream` prints what upstream's normaliser did.
        filters: Names of the filters to use, see `FILTERS`.
        min_lines: Fewest lines for the filter `few_lines`.
        max_lines: Most lines for the filter `many_lines`.
        require_compiling: Whether a row whose IR does not compile is rejected.
        near_threshold: Similarity from which two sources count as nearly the same; 1 never.
        decontaminate: Evaluation files, whose functions must not be in the output.
        val_share: Share of the functions that is held back for validation.
        seed: Chooses which functions these are.
    """

    dialect: Dialect = "auto"
    profile: Profile = "sound"
    filters: tuple[str, ...] = ("few_lines", "many_lines")
    min_lines: int = 4
    max_lines: int = 299
    require_compiling: bool = True
    near_threshold: float = 0.85
    decontaminate: tuple[str, ...] = ()
    val_share: float = 0.05
    seed: int = 42

    def check(self) -> None:
        """Check all choices at once.

        Raises:
            UserErrors: Some cannot be followed.
        """
        problems: list[UserError] = [
            ConfigError(
                f"there is no filter named '{name}'",
                where="--filters",
                remedy=did_you_mean(name, FILTERS) or f"Known filters: {', '.join(FILTERS)}",
            )
            for name in self.filters
            if name not in FILTERS
        ]
        problems += [
            ConfigError(f"{value} is out of range", where=key, remedy=f"Choose {wanted}")
            for key, value, fits, wanted in self._ranges()
            if not fits
        ]
        if problems:
            raise UserErrors(problems)

    def _ranges(self) -> list[tuple[str, float, bool, str]]:
        share, near, few, many = (
            self.val_share,
            self.near_threshold,
            self.min_lines,
            self.max_lines,
        )
        return [
            ("--val_share", share, 0 <= share < 1, "0 or more, and less than 1"),
            ("--near_threshold", near, 0.5 <= near <= 1, "a number from 0.5 to 1"),
            ("--min_lines", few, few >= 0, "0 or more"),
            ("--max_lines", many, many >= few, "no less than --min_lines"),
        ]


@dataclass(frozen=True)
class Source:
    """An input file and what was in it.

    Args:
        path: Path or hub name, as the user wrote it.
        hash: Hex digits that change whenever its rows do.
    """

    path: str
    hash: str


def sources(paths: Sequence[str | Path]) -> list[Source]:
    """Read what identifies files of rows.

    Args:
        paths: Files or hub names.

    Returns:
        The files with their hashes, in the same order.
    """
    return [Source(str(path), content_hash(path)) for path in paths]


def description(
    inputs: Sequence[Source],
    evaluation: Sequence[Source],
    settings: Settings,
    task: str,
    tools: Mapping[str, str],
) -> dict[str, Any]:
    """Say completely what a run works out, to tell runs apart.

    Args:
        inputs: Its input files.
        evaluation: The evaluation files.
        settings: Its choices.
        task: What is done with the rows.
        tools: Versions of the programs that decide what comes out.

    Returns:
        Plain values; equal for two runs that give the same bytes.
    """
    what = {
        "task": task,
        "inputs": [asdict(source) for source in inputs],
        "evaluation": [asdict(source) for source in evaluation],
        "settings": asdict(settings),
        "tools": {"sk2d": sk2d.__version__, **tools},
        "output_version": OUTPUT_VERSION,
    }
    plain: dict[str, Any] = json.loads(json.dumps(what))  # as it is when read back
    return plain


def fingerprint(what: dict[str, Any]) -> str:
    """Give a short name of a description.

    Args:
        what: A description.

    Returns:
        Sixteen hex digits.
    """
    text = json.dumps(what, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
