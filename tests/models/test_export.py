"""Export: a folder that plain transformers loads, with the right ends and a known prompt."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from sk2d.errors import ModelError
from sk2d.models.card import read_facts
from sk2d.models.export import export
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.saving import save_model_folder
from tests.models.making import facts_for


def test_an_adapter_becomes_a_plain_folder(adapter, tmp_path):
    report = export(adapter, tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json", "sk2d.json"} <= names
    assert not any(name.startswith("adapter") for name in names)
    assert report.prompt == "skeleton"
    assert isinstance(report.answer, str)


def test_a_run_folder_means_its_model(adapter, tmp_path):
    shutil.copytree(adapter, tmp_path / "run" / "model")
    assert export(tmp_path / "run", tmp_path / "out").prompt == "skeleton"


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_whole_model_is_cast(tiny, tmp_path, dtype):
    tokenizer = load_tokenizer(str(tiny))
    trained = tmp_path / "trained"
    save_model_folder(load_model(str(tiny)), tokenizer, trained, facts_for(tiny))
    export(trained, tmp_path / "out", dtype=dtype)
    whole = AutoModelForCausalLM.from_pretrained(tmp_path / "out", dtype="auto")
    assert str(whole.dtype) == f"torch.{dtype}"
    assert read_facts(tmp_path / "out") == read_facts(trained)


def test_nothing_of_ours_is_in_the_config(adapter, tmp_path):
    export(adapter, tmp_path / "out")
    text = (tmp_path / "out" / "config.json").read_text()
    assert "sk2d" not in text
    assert json.loads(text)["use_cache"] is True
    settings = (tmp_path / "out" / "tokenizer_config.json").read_text()
    assert "local_files_only" not in settings
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    assert tokenizer.eos_token == "<|end|>"


def test_a_float16_overflow_is_refused(tiny, tmp_path):
    model = load_model(str(tiny))
    with torch.no_grad():
        model.model.layers[0].mlp.up_proj.weight[0, 0] = 1e30
    save_model_folder(model, load_tokenizer(str(tiny)), tmp_path / "big", None)
    with pytest.raises(ModelError, match="up_proj.weight holds NaN or infinite.*bfloat16"):
        export(tmp_path / "big", tmp_path / "out", dtype="float16")
    assert not (tmp_path / "out").exists()


def test_an_existing_output_is_refused_first(tiny, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(ModelError, match="not empty"):
        export(tmp_path / "no-such-model", tmp_path / "out")
    export(tiny, tmp_path / "out", overwrite=True)
    assert not (tmp_path / "out" / "thesis.txt").exists()


def test_a_missing_model(tmp_path):
    with pytest.raises(ModelError, match="no such model folder"):
        export(tmp_path / "nothing", tmp_path / "out")
