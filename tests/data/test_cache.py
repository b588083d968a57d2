"""Tokenised rows on disk: keyed by content, whole or made again."""

import json
import multiprocessing
import pickle
import warnings
from dataclasses import replace

import pytest

from sk2d.data import cache
from sk2d.data import encoding as encoding_module
from sk2d.data.cache import cache_key, tokenised
from sk2d.data.encoding import Encoding
from sk2d.data.sources import Predictions, RowSource
from sk2d.data.tokens import build
from sk2d.errors import DataError, UserError
from sk2d.prompts import PROMPTS

from .conftest import some_rows, train_tokenizer

PROMPT = PROMPTS["skin"]


@pytest.fixture
def source(write_rows):
    return RowSource(str(write_rows(some_rows())))


@pytest.fixture
def encoding(tokenizer):
    return Encoding(tokenizer, PROMPT, 76, "drop")


@pytest.fixture
def counted(monkeypatch):
    """Count how often rows are tokenised."""
    calls = []
    real = cache.encode_rows
    monkeypatch.setattr(cache, "encode_rows", lambda *args: calls.append(1) or real(*args))
    return calls


@pytest.mark.parametrize("too_long", ["drop", "cut_prompt"])
@pytest.mark.parametrize("chunk", [7, 1000])
def test_cached_rows_are_those_that_build_gives(
    source, tokenizer, tmp_path, too_long, chunk, monkeypatch
):
    monkeypatch.setattr(encoding_module, "_CHUNK", chunk)
    cutoff = 62
    found = tokenised(source, Encoding(tokenizer, PROMPT, cutoff, too_long), tmp_path / "cache")
    texts = [(row, PROMPT.render(row.source), PROMPT.target(row.target)) for row in source.rows()]
    built = [(row, build(ask, answer, tokenizer, cutoff, too_long)) for row, ask, answer in texts]
    kept = [(row, one) for row, one in built if one]
    assert len(found.rows) == len(kept)
    for number, (_, (ids, labels)) in enumerate(kept):
        example = found.rows.example(number)
        assert example.input_ids.tolist() == ids
        assert labels.count(-100) == example.prompt_len == found.rows.prompt_lens[number]
        assert found.rows.lengths[number] == len(ids)
        assert found.rows.supervised[number] == len(ids) - labels.count(-100)
    assert found.rows.column("id") == [row.id for row, _ in kept]
    assert found.rows.column("group") == [row.group for row, _ in kept]
    assert [found.rows.where(n) for n in range(len(kept))] == [row.where for row, _ in kept]


def test_b8_the_summary_counts_what_was_left_out_and_cut(source, tokenizer, tmp_path):
    dropped = tokenised(source, Encoding(tokenizer, PROMPT, 62, "drop"), tmp_path).summary
    cut = tokenised(source, Encoding(tokenizer, PROMPT, 62, "cut_prompt"), tmp_path).summary
    whole = tokenised(source, Encoding(tokenizer, PROMPT, 500, "drop"), tmp_path).summary
    assert 0 < dropped["dropped_too_long"] < 40
    assert dropped["rows"] + dropped["dropped_too_long"] == dropped["rows_in"] == 40
    assert (cut["rows"], cut["prompt_cut"]) == (40, dropped["dropped_too_long"])
    assert cut["longest"] == 62
    assert (whole["rows"], whole["prompt_cut"], whole["target_truncated"]) == (40, 0, 0)
    assert whole["tokens"] > whole["supervised_tokens"] > 0


def test_the_second_time_nothing_is_tokenised(source, encoding, tmp_path, counted):
    first = tokenised(source, encoding, tmp_path)
    second = tokenised(replace(source), replace(encoding), tmp_path)
    assert len(counted) == 1
    assert first.summary == second.summary
    assert first.rows.example(3).input_ids.tolist() == second.rows.example(3).input_ids.tolist()


def test_the_key_follows_rows_tokenizer_prompt_and_settings(
    source, encoding, make_tokenizer, monkeypatch, write_rows
):
    keys = [cache_key(source, encoding)]
    changes = [{"prompt": PROMPTS["skeleton"]}, {"cutoff": 77}, {"too_long": "cut_prompt"}]
    changes += [{"tokenizer": make_tokenizer()}]
    keys += [cache_key(source, replace(encoding, **change)) for change in changes]
    keys += [cache_key(replace(source, limit=3), encoding)]
    monkeypatch.setattr(cache, "FORMAT", cache.FORMAT + 1)
    keys += [cache_key(source, encoding)]
    monkeypatch.undo()
    write_rows(some_rows(39))
    keys += [cache_key(replace(source), encoding)]
    assert len(set(keys)) == 8


def damage_rows(folder):
    data = bytearray((folder / "rows.arrow").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "rows.arrow").write_bytes(data)


def cut_rows(folder):
    data = (folder / "rows.arrow").read_bytes()
    (folder / "rows.arrow").write_bytes(data[: len(data) // 2])


DAMAGES = {
    "one bit of the rows": damage_rows,
    "half of the rows": cut_rows,
    "no rows": lambda folder: (folder / "rows.arrow").unlink(),
    "no summary": lambda folder: (folder / "summary.json").unlink(),
    "half a summary": lambda folder: (folder / "summary.json").write_text('{"rows": 4'),
    "another summary": lambda folder: (folder / "summary.json").write_text("[]"),
    "empty": lambda folder: [path.unlink() for path in folder.iterdir()],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_cache_is_made_again_and_that_is_said(
    source, encoding, tmp_path, counted, damage
):
    before = tokenised(source, encoding, tmp_path)
    ids = [before.rows.example(n).input_ids.tolist() for n in range(len(before.rows))]
    damage(tmp_path / cache_key(source, encoding))
    with pytest.warns(UserWarning, match="damaged cache, made again"):
        after = tokenised(source, encoding, tmp_path)
    assert [after.rows.example(n).input_ids.tolist() for n in range(len(after.rows))] == ids
    tokenised(source, encoding, tmp_path)
    assert len(counted) == 2


def test_a_killed_writer_leaves_nothing_behind(source, encoding, tmp_path):
    key = cache_key(source, encoding)
    left = tmp_path / f"{key}.99-abcd.tmp"
    left.mkdir()
    (left / "rows.arrow").write_bytes(b"ARROW1")
    tokenised(source, encoding, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if key in path.name) == [
        key,
        f"{key}.lock",
    ]


def test_a_failure_half_way_leaves_no_cache(write_rows, encoding, tmp_path):
    rows = some_rows()
    rows[30]["output"] = ""
    source = RowSource(str(write_rows(rows)))
    with pytest.raises(DataError, match=r"rows\.jsonl:31: `output` is empty"):
        tokenised(source, encoding, tmp_path / "cache")
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def _tokenise(path: str, folder, queue) -> None:
    encoding = Encoding(train_tokenizer(add_bos=True), PROMPT, 76, "drop")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tokenised(RowSource(path), encoding, folder)
    queue.put([found.rows.example(n).input_ids.tolist() for n in range(len(found.rows))])


def test_two_processes_at_once(source, tmp_path):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    work = [
        context.Process(target=_tokenise, args=(source.path, tmp_path / "cache", queue))
        for _ in range(2)
    ]
    for process in work:
        process.start()
    first, second = queue.get(timeout=60), queue.get(timeout=60)
    for process in work:
        process.join(60)
    assert first == second
    assert 30 < len(first) < 40
    folders = [path for path in (tmp_path / "cache").iterdir() if path.is_dir()]
    assert len(folders) == 1


def test_predictions_are_counted(write_rows, encoding, tmp_path):
    answers = [{"id": f"row{n}", "code": f"int p{n};" if n else ""} for n in range(10)]
    mix = Predictions(str(write_rows(answers, "answers.jsonl")), 1.0, 0)
    source = RowSource(str(write_rows(some_rows())), predictions=mix)
    summary = tokenised(source, encoding, tmp_path).summary
    assert (summary["predictions_found"], summary["predictions_used"]) == (10, 9)


def test_predictions_of_other_rows_are_an_error(write_rows, encoding, tmp_path):
    mix = Predictions(str(write_rows([{"id": "x", "code": "y"}], "answers.jsonl")), 1.0, 0)
    source = RowSource(str(write_rows(some_rows())), predictions=mix)
    with pytest.raises(DataError, match=r"answers\.jsonl: none of its ids belongs to a row of"):
        tokenised(source, encoding, tmp_path)


def test_rows_travel_to_another_process_by_their_path(source, encoding, tmp_path):
    rows = tokenised(source, encoding, tmp_path).rows
    data = pickle.dumps(rows)
    assert len(data) < 500
    assert pickle.loads(data).example(5).input_ids.tolist() == rows.example(5).input_ids.tolist()


def test_a_folder_that_cannot_be_used_is_named(source, encoding, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"file: the tokenised rows cannot be kept.*SK2D_CACHE"):
        tokenised(source, encoding, tmp_path / "file")


def test_the_folder_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv("SK2D_CACHE", raising=False)
    assert str(cache.default_cache_dir()) == ".cache/sk2d"
    monkeypatch.setenv("SK2D_CACHE", "/somewhere")
    assert str(cache.default_cache_dir()) == "/somewhere"


def test_a_bar_appears_for_large_sets_and_changes_nothing(
    source, encoding, tmp_path, monkeypatch, capsys
):
    quiet = tokenised(source, encoding, tmp_path / "a").summary
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(encoding_module, "_BAR_FROM", 5)
    monkeypatch.setenv("FORCE_COLOR", "1")
    loud = tokenised(source, encoding, tmp_path / "b").summary
    assert "tokenising" in capsys.readouterr().err
    assert loud == quiet


def test_the_rows_hash_follows_text_and_order(write_rows, encoding, tmp_path):
    rows = some_rows()
    hashes = set()
    for variant in (rows, rows[::-1], rows[:-1]):
        source = RowSource(str(write_rows(variant)))
        hashes.add(tokenised(source, encoding, tmp_path).summary["rows_hash"])
    assert len(hashes) == 3
    json.dumps(sorted(hashes))
