"""The audit reads the files of a run, and finds what somebody broke in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sk2d.corpus.audit import audit, audit_again, function_keys, read_report
from tests.corpus.preprocess.conftest import run_here
from tests.corpus.preprocess.fake_tools import TOOLS, pair


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    pairs = [pair(f"f{n}", seed=n, opt=level) for n in range(4) for level in ("O0", "O1")]
    run_here(tmp_path, [*pairs, pair("g", "NOT_C", seed=9)], val_share=0.25)
    return tmp_path / "out"


def rows(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]


def write(folder: Path, changed: list[dict]) -> None:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in changed))


def found(folder: Path, evaluation: tuple[str, ...] = ()) -> str:
    return " ".join(audit(folder, read_report(folder), evaluation)["found"])


def test_a_sound_corpus(corpus):
    assert audit(corpus, read_report(corpus)) == {"findings": 0, "found": []}
    assert list(audit_again(corpus, TOOLS)) == []


def test_a_lost_row(corpus):
    write(corpus, rows(corpus)[1:])
    assert "rows.jsonl has 7 rows, not 8" in found(corpus)
    assert "9 rows in, but 7 out and 1 rejected" in found(corpus)


def test_a_lost_line_of_an_output(corpus):
    path = corpus / "skin.train.jsonl"
    path.write_text(path.read_text().partition("\n")[2])
    assert "skin.train.jsonl has 5 rows, not 6" in found(corpus)


def test_a_function_on_both_sides(corpus):
    changed = rows(corpus)
    changed[0]["split"] = {"train": "val", "val": "train"}[changed[0]["split"]]
    write(corpus, changed)
    assert "a function stands on both sides" in found(corpus)


def test_a_function_of_an_evaluation_file(corpus):
    [key, name] = function_keys(rows(corpus)[0])
    assert "a function of an evaluation file" in found(corpus, (key,))
    assert "a function of an evaluation file" in found(corpus, (name,))


def test_a_row_that_does_not_compile(corpus):
    changed = rows(corpus)
    changed[0]["compiles"] = False
    write(corpus, changed)
    assert "rows.jsonl:1: does not compile" in found(corpus)
    assert "compiles is False, the compiler says True" in " ".join(audit_again(corpus, TOOLS))


def test_an_ir_that_is_not_the_source(corpus):
    changed = rows(corpus)
    changed[2]["mapping"] = {"func1": "other"}
    write(corpus, changed)
    assert "rows.jsonl:3: the IR and its mapping" in " ".join(audit_again(corpus, TOOLS))
