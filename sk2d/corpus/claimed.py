"""Output folders: gone on with by the same run, and by no other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.atomic import remove_leftovers, write_text_atomic
from sk2d.errors import UserError

RUN: Final = "run.json"
_REMEDY: Final = "Choose another folder, or give --overwrite"


def claim(
    folder: Path,
    description: Mapping[str, Any],
    *,
    overwrite: bool = False,
    results: Sequence[str] = (),
) -> bool:
    """Take an output folder for a run.

    Args:
        folder: The folder; it is made where it is not there.
        description: What the results of the run depend on, as plain values.
        overwrite: Begin anew where another run left something.
        results: Names of files that hold a run's results; where the run begins anew, those of
            an earlier one go before the folder changes hands.

    Returns:
        Whether the same run has been here before, so that it is gone on with.

    Raises:
        UserError: Another run, or somebody else, left something there.
    """  # noqa: DOC502
    folder.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder / RUN)  # of a run that was killed while it took the folder
    wanted = json.loads(json.dumps(description))
    before = _before(folder)
    if before == wanted and not overwrite:
        return True
    if not overwrite:
        _refuse(folder, before, wanted)
    for name in results:
        (folder / name).unlink(missing_ok=True)
    write_text_atomic(folder / RUN, json.dumps(wanted, indent=1) + "\n")
    return False


def _refuse(folder: Path, before: dict[str, Any] | None, wanted: dict[str, Any]) -> None:
    where = f"--output {folder}"
    if before is not None:
        keys = sorted(k for k in before | wanted if before.get(k) != wanted.get(k))
        what = f"another run left its results there (differing: {', '.join(keys)})"
        raise UserError(what, where=where, remedy=_REMEDY)
    if any(folder.iterdir()):
        raise UserError("the folder is not empty", where=where, remedy=_REMEDY)


def _before(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
