"""Rows of a source, and the Skeleton's predictions among them."""

import pytest

from sk2d.data.sources import Predictions, RowSource, chance
from sk2d.errors import DataError

from .conftest import some_rows


def predicted(write_rows, column: str = "predicted_ir", **changes):
    rows = [{"id": f"row{n}", column: f"int predicted{n};"} | changes for n in range(0, 40, 2)]
    return write_rows(rows, "predictions.jsonl")


def used(source: RowSource) -> set[int]:
    return {n for n, row in enumerate(source.rows()) if row.source == f"int predicted{n};"}


@pytest.mark.parametrize("column", ["predicted_ir", "code"])
def test_a_share_of_the_rows_gets_its_prediction(write_rows, column):
    rows, answers = write_rows(some_rows()), predicted(write_rows, column)
    clean = list(RowSource(str(rows)).rows())
    by_share = {
        share: used(RowSource(str(rows), predictions=Predictions(str(answers), share, seed=1)))
        for share in (0.0, 0.5, 1.0)
    }
    assert by_share[0.0] == set()
    assert by_share[1.0] == set(range(0, 40, 2))
    assert 4 <= len(by_share[0.5]) <= 16
    assert by_share[0.5] == {n for n in range(0, 40, 2) if chance(1, f"row{n}") < 0.5}
    mixed = list(RowSource(str(rows), predictions=Predictions(str(answers), 1.0, 1)).rows())
    assert [row.target for row in mixed] == [row.target for row in clean]
    assert [row.group for row in mixed] == [row.group for row in clean]


def test_another_seed_chooses_other_rows(write_rows):
    rows, answers = str(write_rows(some_rows())), str(predicted(write_rows))
    chosen = [used(RowSource(rows, predictions=Predictions(answers, 0.5, seed))) for seed in (1, 2)]
    assert chosen[0] != chosen[1]


def test_the_predicted_ir_wins_over_the_true_source_beside_it(write_rows):
    answers = predicted(write_rows, code="the true source")
    source = RowSource(str(write_rows(some_rows())), predictions=Predictions(str(answers), 1.0, 0))
    assert len(used(source)) == 20


def test_an_empty_prediction_leaves_the_row_as_it_is(write_rows):
    answers = predicted(write_rows, predicted_ir="\n")
    rows = str(write_rows(some_rows()))
    source = RowSource(rows, predictions=Predictions(str(answers), 1.0, 0))
    assert list(source.rows()) == list(RowSource(rows).rows())


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "a"}], r"predictions\.jsonl:1: `predicted_ir` or `code` is missing"),
        ([{"id": "a", "code": 3}], "is missing or no text"),
        ([{"id": "a", "code": "x"}, {"id": "a", "code": "y"}], r":2: the id 'a' comes twice"),
    ],
)
def test_malformed_predictions_are_named(write_rows, rows, message):
    answers = write_rows(rows, "predictions.jsonl")
    source = RowSource(str(write_rows(some_rows())), predictions=Predictions(str(answers), 1.0, 0))
    with pytest.raises(DataError, match=message):
        list(source.rows())


def test_limit_takes_the_first_rows(write_rows):
    rows = str(write_rows(some_rows()))
    assert [row.id for row in RowSource(rows, limit=3).rows()] == ["row0", "row1", "row2"]
    assert [RowSource(rows, limit).count() for limit in (None, 3, 99)] == [40, 3, 40]


def test_the_hash_follows_all_that_the_rows_depend_on(write_rows):
    rows, answers = str(write_rows(some_rows())), str(predicted(write_rows))
    first = RowSource(rows).hash
    assert RowSource(rows).hash == first
    others = [RowSource(rows, limit=3), RowSource(answers)]
    others += [
        RowSource(rows, predictions=Predictions(answers, share, seed))
        for share, seed in ((0.5, 0), (0.6, 0), (0.5, 1))
    ]
    hashes = {first, *(other.hash for other in others)}
    write_rows(some_rows(41))
    assert len(hashes | {RowSource(rows).hash}) == 7
