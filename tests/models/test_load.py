"""Loading: names, folders, adapters, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import shutil

import pytest
import torch

from sk2d.errors import ModelError
from sk2d.models.attention import PACKED_ATTENTION
from sk2d.models.bases import base_folder, resolve_base, weight_files
from sk2d.models.load import load_model, load_tokenizer, match_vocabulary
from sk2d.models.tiny import make_tiny
from tests.models.making import TEXTS, make_model, save_adapter, trained_adapter


def refused(call, *arguments, **keywords):
    """Give the one-line message with which a call is refused."""
    with pytest.raises(ModelError) as error:
        call(*arguments, **keywords)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_resolve_a_folder_a_name_and_a_run(workplace, tiny):
    assert resolve_base(str(tiny)) == str(tiny)
    shutil.copytree(tiny, workplace / "models" / "mine")
    assert resolve_base("mine") == "models/mine"
    shutil.copytree(tiny, workplace / "runs" / "first" / "model")
    assert resolve_base("runs/first") == "runs/first/model"
    assert resolve_base("owner/some-model") == "owner/some-model"


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("smollm2-135m", "models fetch smollm2-135m"),
        ("smollm2-135", "Did you mean smollm2-135m?"),
        ("runs/nothing/here", "models --help"),
        ("nonsense", "no such model folder"),
    ],
)
def test_an_unknown_base_names_the_way_out(workplace, base, said):
    assert said in refused(resolve_base, base)


def test_a_folder_without_a_model_is_said(workplace):
    (workplace / "empty").mkdir()
    assert "no config.json" in refused(resolve_base, "empty")


def test_a_hub_name_offline_is_one_line(workplace, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(workplace))
    message = refused(load_model, "no-such-owner-x/no-such-model-x")
    assert "no-such-owner-x/no-such-model-x: it cannot be fetched" in message
    assert "models/no-such-model-x" in message


def test_a_hub_name_in_the_cache_needs_no_network(workplace, monkeypatch, tiny):
    cached = workplace / "snapshots" / "abc123"
    shutil.copytree(tiny, cached)
    calls = []

    def snapshot(name, **keywords):
        calls.append(keywords.get("local_files_only", False))
        return str(cached)

    monkeypatch.setattr("sk2d.models.bases.snapshot_download", snapshot)
    assert base_folder("owner/name") == cached
    assert calls == [True]


def test_attention_is_packed_where_the_model_can(tiny):
    assert load_model(str(tiny)).config._attn_implementation == PACKED_ATTENTION
    assert load_model(str(tiny), attention="sdpa").config._attn_implementation == "sdpa"


def test_attention_auto_leaves_capped_models_to_transformers(tmp_path):
    make_model("gemma2", attention="eager").save_pretrained(tmp_path)
    assert load_model(str(tmp_path)).config._attn_implementation == "eager"


def test_flash2_without_a_gpu(tiny, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert "model.attention: flash2 needs a CUDA GPU" in refused(
        load_model, str(tiny), attention="flash2"
    )


def test_flash2_on_a_v100_and_without_the_package(tiny, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (7, 0))
    assert "this one has 7.0" in refused(load_model, str(tiny), attention="flash2")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (8, 0))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "flash-attn" in refused(load_model, str(tiny), attention="flash2")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_dtype_is_as_asked(tiny, dtype):
    assert load_model(str(tiny), dtype=dtype).dtype == dtype


def test_a_damaged_weight_file(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "broken")
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])
    assert "cannot be loaded" in refused(load_model, str(folder))


def test_no_weights_and_half_the_shards(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "bare")
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    assert "no weights" in refused(load_model, str(folder))
    index = {"weight_map": {f"w{n}": f"model-0000{n}-of-00002.safetensors" for n in (1, 2)}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert weight_files(folder) == []
    assert "not all files" in refused(load_model, str(folder))


def test_weights_that_are_missing_from_the_file_are_not_made_up(tiny, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(tiny, tmp_path / "hole")
    tensors = load_file(folder / "model.safetensors")
    tensors.pop("model.layers.1.mlp.up_proj.weight")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    message = refused(load_model, str(folder))
    assert "1 weights are missing" in message
    assert "layers.1.mlp.up_proj" in message


def test_an_unknown_kind_of_model(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "quantum"}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert "cannot be loaded" in refused(load_model, str(tmp_path))


def test_a_missing_tokenizer(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "mute")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    assert "tokenizer" in refused(load_tokenizer, str(folder))


def test_a_tokenizer_without_an_end_token(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "endless")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["eos_token"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    assert "no end token" in refused(load_tokenizer, str(folder))


def test_a_tokenizer_without_a_pad_token_pads_with_its_end(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "padless")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["pad_token"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    tokenizer = load_tokenizer(str(folder))
    assert tokenizer.pad_token_id == tokenizer.eos_token_id


def test_b3_a_padded_embedding_is_never_shrunk(tiny, tmp_path):
    """The tokenizer has fewer tokens than the embedding has rows, and that stays so."""
    folder = make_tiny(TEXTS, tmp_path / "padded", vocabulary=400, hidden=32, layers=1, heads=2)
    tokenizer, model = load_tokenizer(str(folder)), load_model(str(folder))
    assert len(tokenizer) < 400
    for grow in (False, True):
        match_vocabulary(model, tokenizer, grow=grow)
        assert model.get_input_embeddings().num_embeddings == 400
    save_adapter(folder, tmp_path / "adapter")
    assert load_model(str(tmp_path / "adapter")).get_input_embeddings().num_embeddings == 400


def test_b3_new_tokens_need_rows(tiny):
    tokenizer, model = load_tokenizer(str(tiny)), load_model(str(tiny))
    rows = model.get_input_embeddings().num_embeddings
    tokenizer.add_tokens([f"<new{n}>" for n in range(rows - len(tokenizer) + 2)])
    assert f"only {rows} rows" in refused(match_vocabulary, model, tokenizer)
    match_vocabulary(model, tokenizer, grow=True)
    assert model.get_input_embeddings().num_embeddings == rows + 2


def test_b15_special_ids_come_from_the_bases_own_tokenizer(tmp_path):
    """Two bases whose end and pad ids differ: nothing is left of the first one."""
    from transformers import PreTrainedTokenizerFast

    from sk2d.models.answers import end_ids

    first = make_tiny(TEXTS, tmp_path / "a", vocabulary=300, hidden=32, layers=1, heads=2)
    second = shutil.copytree(first, tmp_path / "b")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(first / "tokenizer.json"), eos_token="}", pad_token="{"
    )
    tokenizer.save_pretrained(second)
    for name in ("config.json", "generation_config.json"):
        values = json.loads((second / name).read_text())
        values |= {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
        (second / name).write_text(json.dumps(values))
    ends = [end_ids(load_model(str(f)), load_tokenizer(str(f))) for f in (first, second)]
    assert ends == [[1], [tokenizer.eos_token_id]]
    assert load_tokenizer(str(second)).pad_token_id != load_tokenizer(str(first)).pad_token_id


@torch.no_grad()
def test_b6_an_adapter_folder_is_merged_and_that_is_said(adapter, tiny, capsys):
    ids = torch.arange(2, 40)[None]
    expected = trained_adapter(tiny).eval()(input_ids=ids).logits
    loaded = load_model(str(adapter))
    assert "merging it into its base" in " ".join(capsys.readouterr().err.split())
    assert not hasattr(loaded, "peft_config")
    torch.testing.assert_close(loaded(input_ids=ids).logits, expected, rtol=1e-4, atol=1e-5)
    plain = load_model(str(tiny))(input_ids=ids).logits
    assert (plain - expected).abs().max() > 1e-2


def test_b6_an_adapter_whose_base_was_replaced_is_refused(tiny, other_tiny, tmp_path):
    base = shutil.copytree(tiny, tmp_path / "base")
    folder = save_adapter(base, tmp_path / "adapter")
    shutil.rmtree(base)
    shutil.copytree(other_tiny, base)
    assert "not the base that the adapter was trained on" in refused(load_model, str(folder))


def test_an_adapter_on_an_adapter_is_merged_twice(adapter, tmp_path):
    """Skin starts from Skeleton's adapter and leaves an adapter itself."""
    second = save_adapter(adapter, tmp_path / "second", size=0.1)
    ids = torch.arange(2, 40)[None]
    with torch.no_grad():
        one, two = (load_model(str(f))(input_ids=ids).logits for f in (adapter, second))
    assert (one - two).abs().max() > 1e-2


def test_an_adapter_without_a_tokenizer_has_its_bases(adapter, tmp_path):
    folder = shutil.copytree(adapter, tmp_path / "adapter")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    assert load_tokenizer(str(folder)).eos_token == "<|end|>"
