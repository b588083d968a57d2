"""The tiny model: deterministic, about a million weights, a tokenizer that loses nothing."""

from __future__ import annotations

import pytest
import torch
from transformers import AutoTokenizer

from sk2d.errors import ModelError
from sk2d.models.bases import base_folder
from sk2d.models.fingerprint import fingerprint
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.tiny import make_tiny, parameter_count, texts_of
from tests.models.making import TEXTS


def test_the_same_texts_and_seed_give_the_same_model(tmp_path):
    torch.manual_seed(4)
    before = torch.get_rng_state()
    first = fingerprint(make_tiny(TEXTS, tmp_path / "a"))
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(5)
    assert fingerprint(make_tiny(TEXTS, tmp_path / "b")) == first
    other = fingerprint(make_tiny(TEXTS, tmp_path / "c", seed=1))
    assert other.weights != first.weights
    assert other.tokenizer == first.tokenizer


def test_about_a_million_weights(tmp_path):
    folder = make_tiny(TEXTS, tmp_path / "tiny")
    assert 800_000 < parameter_count(folder) < 1_200_000
    assert load_model(str(folder)).num_parameters() == parameter_count(folder)


def test_special_tokens(tiny):
    tokenizer = load_tokenizer(str(tiny))
    config = load_model(str(tiny)).config
    assert tokenizer.bos_token_id is None
    assert tokenizer.pad_token_id != tokenizer.eos_token_id
    assert (config.pad_token_id, config.eos_token_id) == (
        tokenizer.pad_token_id,
        tokenizer.eos_token_id,
    )


def test_every_byte_survives(tiny):
    text = "int naïve = '\\t';\r\n\t\x01 → ok  \n\n"
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    ids = tokenizer(text)["input_ids"]
    assert tokenizer.decode(ids) == text
    assert max(ids) < load_model(str(tiny)).config.vocab_size


def test_impossible_sizes_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(ModelError, match="do not go together"):
        make_tiny(TEXTS, tmp_path / "tiny", hidden=30, heads=4)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_kept_unless_asked(tmp_path):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "thesis.txt").write_text("mine")
    with pytest.raises(ModelError, match="not empty"):
        make_tiny(TEXTS, tmp_path / "tiny")
    make_tiny(TEXTS, tmp_path / "tiny", overwrite=True)
    assert not (tmp_path / "tiny" / "thesis.txt").exists()


def test_texts_of_takes_every_string(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"input": "a", "n": 3, "output": "b"}\n')
    assert list(texts_of([tmp_path / "rows.jsonl"])) == ["a", "b"]


def test_base_tiny_is_made_where_it_is_missing(tmp_path, monkeypatch, capsys):
    examples = tmp_path / "examples"
    examples.mkdir()
    (examples / "rows.jsonl").write_text('{"input": "int a;", "output": "int b;"}\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sk2d.models.bases.shipped", lambda name: tmp_path / name)
    assert base_folder("tiny").is_dir()
    assert "Making the tiny model" in capsys.readouterr().err
    assert load_tokenizer("tiny").eos_token == "<|end|>"
    assert capsys.readouterr().err == "", "it is made once"
