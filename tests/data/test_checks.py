"""Wrong data settings: each named by its key, all at once, before anything is read."""

import pytest

from sk2d.data.modules import SupervisedData
from sk2d.errors import UserErrors

from .conftest import some_rows


@pytest.fixture
def rows(write_rows) -> str:
    return str(write_rows(some_rows()))


def test_the_defaults_are_right(rows):
    assert SupervisedData(train=rows).check() == []
    assert SupervisedData(train="owner/name", val=rows, limit=3, cache_dir="new").check() == []


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"train": "no.jsonl"}, "data.train: no.jsonl: there is no such file"),
        ({"train": ""}, "data.train: "),
        ({"val": "no.jsonl"}, "data.val: no.jsonl: there is no such file"),
        ({"test": "rows.txt"}, "data.test: rows.txt: there is no such file"),
        ({"predictions": "p.jsonl"}, "data.predictions: p.jsonl: there is no such file"),
        ({"cutoff": 15}, "data.cutoff: 15 is not a whole number of at least 16"),
        ({"batch_size": 0}, "data.batch_size: 0 is not"),
        ({"batch_size": 2.5}, "data.batch_size: 2.5 is not"),
        ({"effective_batch": -4}, "data.effective_batch: -4 is not"),
        ({"batch_size": 3}, "data.effective_batch: 64 rows per optimiser step cannot be made of 3"),
        ({"num_workers": -1}, "data.num_workers: -1 is not"),
        ({"seed": True}, "data.seed: True is not"),
        ({"preview": -1}, "data.preview: -1 is not"),
        (
            {"limit": 0},
            "data.limit: 0 is not a whole number of at least 1. Set it to 1",
        ),
        ({"val_share": 1.0}, "data.val_share: 1.0 is no share"),
        ({"val_share": float("nan")}, "data.val_share: nan is no share"),
        ({"predictions_share": 1.5}, "data.predictions_share: 1.5 is no share"),
        ({"too_long": "cut"}, "data.too_long: 'cut' is no policy for rows that are too long"),
        ({"cache_dir": __file__}, f"data.cache_dir: {__file__} is a file, not a folder"),
    ],
)
def test_each_mistake_names_its_key_and_a_remedy(rows, settings, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problems = SupervisedData(**({"train": rows} | settings)).check()
    assert [str(problem)[: len(line)] for problem in problems] == [line]
    assert problems[0].remedy


def test_all_mistakes_at_once(tokenizer):
    data = SupervisedData(train="no.jsonl", cutoff=3, batch_size=0, val_share=2, too_long="x")
    data.connect(tokenizer, None)
    data.prompt = object()
    with pytest.raises(UserErrors) as caught:
        data.setup("fit")
    keys = [problem.where for problem in caught.value.problems]
    assert keys == [
        "data.train",
        "data.cutoff",
        "data.batch_size",
        "data.val_share",
        "data.too_long",
    ]
