"""`report`: the page of a training run, or of an evaluation, from its folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sk2d.corpus.atomic import write_text_atomic
from sk2d.errors import DataError, UserError
from sk2d.evaluation.evaluating import PAGE, RESULTS
from sk2d.evaluation.page import evaluation_page, run_page
from sk2d.evaluation.run_data import RECORD, run_data


def report(folder: Path, output: Path | None = None) -> int:
    """Write one HTML file that shows a run or an evaluation; it can be sent and opened anywhere.

    Args:
        folder: A run folder of fit, or the output folder of evaluate.
        output: The file; without it report.html in the folder.

    Returns:
        Exit code.

    Raises:
        UserError: The folder is neither.
    """
    target = output or folder / PAGE
    if (folder / RESULTS).is_file():
        page = evaluation_page(_results(folder / RESULTS))
    elif (folder / RECORD).is_file() and (folder / "metrics.csv").is_file():
        page = run_page(run_data(folder))
    else:
        what = "this is neither the folder of a run nor that of an evaluation"
        remedy = "Give the folder that fit or evaluate wrote to"
        raise UserError(what, where=str(folder), remedy=remedy)
    write_text_atomic(target, page)
    sys.stderr.write(f"the page is {target}\n")
    return 0


def _results(path: Path) -> dict:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {"set": found["set"], **found}
    except (ValueError, TypeError, KeyError) as error:
        raise DataError("this is no file of results", where=str(path)) from error
