"""Model folders: complete, atomic, finite."""

from __future__ import annotations

import json
import os
import shutil

import pytest
import torch
from peft import AutoPeftModelForCausalLM

from sk2d.errors import ModelError
from sk2d.models.card import read_facts
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.lora import enable_gradient_checkpointing
from sk2d.models.saving import save_model_folder
from tests.models.making import facts_for, save_adapter, trained_adapter

IDS = torch.arange(2, 40)[None]


@torch.no_grad()
def test_an_adapter_folder_loads_with_plain_peft(adapter, tiny):
    config = json.loads((adapter / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == str(tiny)
    loaded = AutoPeftModelForCausalLM.from_pretrained(adapter)
    expected = trained_adapter(tiny).eval()(input_ids=IDS).logits
    torch.testing.assert_close(loaded(input_ids=IDS).logits, expected, rtol=1e-4, atol=1e-5)


def test_an_adapter_folder_is_small_and_complete(adapter):
    names = {path.name for path in adapter.iterdir()}
    assert {"adapter_model.safetensors", "adapter_config.json", "tokenizer.json"} <= names
    assert {"generation_config.json", "sk2d.json", "README.md"} <= names
    assert "model.safetensors" not in names


def test_every_end_token_is_written_down(tiny, tmp_path):
    model, tokenizer = load_model(str(tiny)), load_tokenizer(str(tiny))
    model.generation_config.eos_token_id = [7, 9]
    model.generation_config.update(temperature=0.3, top_p=0.9)  # without do_sample: not savable
    save_model_folder(model, tokenizer, tmp_path / "out", None)
    written = json.loads((tmp_path / "out" / "generation_config.json").read_text())
    assert written["eos_token_id"] == [tokenizer.eos_token_id, 7, 9]
    assert "temperature" not in written
    assert model.generation_config.temperature == 0.3, "the model at hand is left as it was"


def test_the_cache_is_on_again_after_gradient_checkpointing(tiny, tmp_path):
    model = load_model(str(tiny))
    enable_gradient_checkpointing(model)
    save_model_folder(model, load_tokenizer(str(tiny)), tmp_path / "out", None)
    assert json.loads((tmp_path / "out" / "config.json").read_text())["use_cache"] is True
    assert model.config.use_cache is False


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_b15_weights_that_are_no_numbers_are_refused(tiny, tmp_path, value):
    whole, adapted = load_model(str(tiny)), trained_adapter(tiny)
    with torch.no_grad():
        whole.model.norm.weight[3] = value
        next(p for name, p in adapted.named_parameters() if "lora_B" in name)[0, 0] = value
    for model, name in ((whole, "model.norm.weight"), (adapted, "lora_B")):
        with pytest.raises(ModelError, match=f"{name}.* holds NaN or infinite"):
            save_model_folder(model, load_tokenizer(str(tiny)), tmp_path / "out", None)
    assert list(tmp_path.iterdir()) == []


def test_our_own_folder_is_replaced_and_a_strangers_is_not(tiny, tmp_path):
    folder = save_adapter(tiny, tmp_path / "model")
    save_adapter(tiny, folder, phase="skin")
    assert "skin" in (folder / "README.md").read_text()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(ModelError, match="not empty"):
        save_adapter(tiny, tmp_path / "other")


def test_a_failure_half_way_leaves_the_old_folder(tiny, tmp_path, monkeypatch):
    folder = save_adapter(tiny, tmp_path / "model")
    before = (folder / "adapter_model.safetensors").read_bytes()
    tokenizer = load_tokenizer(str(tiny))

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(tokenizer), "save_pretrained", full)
    model = trained_adapter(tiny, 0.2)
    with pytest.raises(ModelError, match="No space left on device"):
        save_model_folder(model, tokenizer, folder, facts_for(tiny))
    assert (folder / "adapter_model.safetensors").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_others_may_read_the_files(adapter):
    umask = os.umask(0)
    os.umask(umask)
    modes = {path.name: path.stat().st_mode & 0o777 for path in adapter.iterdir()}
    assert set(modes.values()) == {0o666 & ~umask}


def test_plain_peft_finds_a_base_that_was_given_by_name(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(tiny, tmp_path / "models" / "small")
    folder = save_adapter("small", tmp_path / "adapter")
    config = json.loads((folder / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "models/small"
    assert read_facts(folder).base == "small"


def test_a_base_that_vanished_during_training_does_not_lose_the_model(tiny, tmp_path):
    base = shutil.copytree(tiny, tmp_path / "base")
    model, tokenizer, facts = trained_adapter(base), load_tokenizer(str(base)), facts_for(base)
    shutil.rmtree(base)
    folder = save_model_folder(model, tokenizer, tmp_path / "adapter", facts)
    assert (folder / "adapter_model.safetensors").is_file()
