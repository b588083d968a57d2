"""A run folder is read as it stands, also while the run goes on."""

import json
from pathlib import Path

import pytest

from sk2d.errors import DataError, UserError
from sk2d.evaluation.run_data import run_data


def folder(path: Path, **files: str) -> Path:
    (path / "run.json").write_text(json.dumps({"phase": "skin"}))
    for name, text in files.items():
        (path / name.replace("_", ".")).write_text(text)
    return path


def test_a_run_that_goes_on(tmp_path: Path) -> None:
    found = run_data(folder(tmp_path, metrics_csv="step,loss,skipped\n1,2.5,\n2,nan,\n3,1"))
    assert found["steps"] == [
        {"step": 1.0, "loss": 2.5, "skipped": None},
        {"step": 2.0, "loss": None, "skipped": None},
    ]
    assert [chart["title"] for chart in found["charts"]] == ["loss (nats per token)"]
    assert (found["samples"], found["config"], found["remarks"]) == ([], None, [])
    assert found["summary"] == "skin: step 2"


def test_a_run_that_has_not_begun(tmp_path: Path) -> None:
    found = run_data(folder(tmp_path))
    assert found["remarks"] == ["The run has taken no step yet."]


def test_what_is_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no run\.json"):
        run_data(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(DataError, match="cannot be read"):
        run_data(tmp_path)
