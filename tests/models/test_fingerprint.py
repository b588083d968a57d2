"""Fingerprints: the same model has the same, however it is stored; another has another."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from sk2d.errors import ModelError
from sk2d.models.fingerprint import check_fingerprint, fingerprint
from sk2d.models.load import load_model, load_tokenizer
from tests.models.making import save_adapter


@pytest.fixture
def copy(tiny, tmp_path):
    return shutil.copytree(tiny, tmp_path / "copy")


def test_shards_and_file_format_do_not_matter(tiny, tmp_path):
    model, tokenizer = load_model(str(tiny)), load_tokenizer(str(tiny))
    for name, settings in (("one", {}), ("many", {"max_shard_size": "20KB"})):
        model.save_pretrained(tmp_path / name, **settings)
        tokenizer.save_pretrained(tmp_path / name)
    assert (tmp_path / "many" / "model.safetensors.index.json").is_file()
    old = shutil.copytree(tiny, tmp_path / "old")
    torch.save(load_file(old / "model.safetensors"), old / "pytorch_model.bin")
    (old / "model.safetensors").unlink()
    found = {fingerprint(folder) for folder in (tiny, *tmp_path.iterdir())}
    assert len(found) == 1


@pytest.mark.parametrize("change", ["value", "dtype", "name", "shape"])
def test_every_part_of_a_tensor_counts(copy, change):
    before = fingerprint(copy)
    tensors = load_file(copy / "model.safetensors")
    name = "model.norm.weight"
    if change == "value":
        tensors[name][0] += 1e-3
    elif change == "dtype":
        tensors[name] = tensors[name].half()
    elif change == "shape":
        tensors[name] = tensors[name].reshape(2, -1)
    else:
        tensors["model.norm.scale"] = tensors.pop(name)
    save_file(tensors, copy / "model.safetensors", metadata={"format": "pt"})
    after = fingerprint(copy)
    assert after.weights != before.weights
    assert after.tokenizer == before.tokenizer


def test_half_precision_tensors_can_be_hashed(copy):
    tensors = {n: t.bfloat16() for n, t in load_file(copy / "model.safetensors").items()}
    save_file(tensors, copy / "model.safetensors", metadata={"format": "pt"})
    assert len(fingerprint(copy).weights) == 64


def test_the_tokenizers_rules_count_and_its_padding_does_not(copy):
    before = fingerprint(copy)
    rules = json.loads((copy / "tokenizer.json").read_text())
    rules["padding"] = {"strategy": {"Fixed": 8}}
    (copy / "tokenizer.json").write_text(json.dumps(rules))
    assert fingerprint(copy) == before
    rules["model"]["merges"] = rules["model"]["merges"][1:]
    (copy / "tokenizer.json").write_text(json.dumps(rules))
    assert fingerprint(copy).tokenizer != before.tokenizer


def test_a_tokenizer_without_tokenizer_json(copy):
    for name in ("vocab.json", "merges.txt"):
        (copy / name).write_text(name)
    (copy / "tokenizer.json").unlink()
    before = fingerprint(copy).tokenizer
    (copy / "merges.txt").write_text("other")
    assert fingerprint(copy).tokenizer != before


def test_an_adapters_scale_counts(adapter, tmp_path):
    folder = shutil.copytree(adapter, tmp_path / "copy")
    assert fingerprint(folder) == fingerprint(adapter)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["lora_alpha"] *= 2
    (folder / "adapter_config.json").write_text(json.dumps(config))
    assert fingerprint(folder).weights != fingerprint(adapter).weights


def test_two_adapters_differ(adapter, tiny, tmp_path):
    other = save_adapter(tiny, tmp_path / "other", size=0.2)
    assert fingerprint(other).weights != fingerprint(adapter).weights


def test_the_revision_is_the_snapshots(copy, tmp_path):
    folder = tmp_path / "snapshots" / "abc123"
    folder.parent.mkdir()
    copy.rename(folder)
    assert fingerprint(folder).revision == "abc123"


def test_check_names_both_hashes(tiny, other_tiny):
    check_fingerprint(fingerprint(tiny), tiny)
    check_fingerprint(fingerprint(tiny)._replace(revision="else"), tiny)
    with pytest.raises(ModelError, match="its weights") as error:
        check_fingerprint(fingerprint(tiny), other_tiny)
    for folder in (tiny, other_tiny):
        assert fingerprint(folder).weights[:16] in str(error.value)


def test_a_damaged_file_is_named(copy):
    (copy / "model.safetensors").write_bytes(b"\x10" * 40)
    with pytest.raises(ModelError, match="model.safetensors: the file is damaged"):
        fingerprint(copy)
