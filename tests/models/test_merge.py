"""Merging: it does what the adapter did, or says why not and leaves nothing behind."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from sk2d.errors import ModelError
from sk2d.models import merge as merging
from sk2d.models.card import read_facts
from sk2d.models.export import export
from sk2d.models.fingerprint import fingerprint
from sk2d.models.load import load_model
from sk2d.models.merge import merge
from sk2d.models.tiny import make_tiny
from tests.models.making import TEXTS, save_adapter, trained_adapter

IDS = torch.arange(2, 60)[None]


@pytest.fixture
def output(tmp_path):
    return tmp_path / "out" / "merged"


def refused(output, *arguments, **keywords):
    """Give the message with which a merge is refused; nothing may be left of it."""
    with pytest.raises(ModelError) as error:
        merge(*arguments, output=output, **keywords)
    assert "\n" not in str(error.value)
    left = list(output.parent.rglob("*")) if output.parent.exists() else []
    assert left == []
    return str(error.value)


def rewrite_tensors(folder, change):
    """Change the adapter's tensors on disk."""
    tensors = load_file(folder / "adapter_model.safetensors")
    save_file(change(tensors), folder / "adapter_model.safetensors")


@pytest.fixture
def broken(adapter, tmp_path):
    """A copy of the adapter, to be broken."""
    return shutil.copytree(adapter, tmp_path / "broken")


@torch.no_grad()
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_the_merged_folder_answers_like_the_adapter(adapter, tiny, output, dtype):
    report = merge(adapter, None, output, dtype=dtype)
    whole = AutoModelForCausalLM.from_pretrained(output, dtype="auto")
    assert str(whole.dtype) == f"torch.{dtype}"
    expected = trained_adapter(tiny).eval()(input_ids=IDS).logits
    found = whole.float()(input_ids=IDS).logits
    limit = merging.LIMITS[dtype] * expected.abs().max()
    assert (found - expected).abs().max() <= limit
    assert report.logit_difference <= merging.LIMITS[dtype]
    assert report.change > 0
    assert report.tensors == 2 * 7
    assert report.notes == ()


def test_the_prompt_stays_known(adapter, output):
    merge(adapter, None, output)
    facts = read_facts(output)
    assert (facts.prompt, facts.merged) == ("skeleton", str(adapter))
    assert "Merged adapter" in (output / "README.md").read_text()


def test_b5_shifted_key_names_are_an_error(broken, output):
    """PEFT only warns about these, and merges nothing."""
    rewrite_tensors(
        broken, lambda t: {k.replace("base_model.model.", "model.model."): v for k, v in t.items()}
    )
    message = refused(output, broken, None)
    assert "0 of 28 adapter tensors match" in message
    assert "model.model.model.layers.0" in message
    assert "base_model.model.model.layers.0" in message


def test_b5_one_missing_tensor_is_an_error(broken, output):
    gone = "base_model.model.model.layers.1.mlp.up_proj.lora_A.weight"
    rewrite_tensors(broken, lambda t: {k: v for k, v in t.items() if k != gone})
    message = refused(output, broken, None)
    assert "27 of 28" in message
    assert gone in message


def test_b5_another_shape_is_an_error(broken, output):
    name = "base_model.model.model.layers.1.mlp.up_proj.lora_A.weight"
    rewrite_tensors(broken, lambda t: t | {name: t[name][:, :-1].contiguous()})
    assert "has the shape" in refused(output, broken, None)


def test_b5_an_adapter_that_changes_nothing_is_an_error(tiny, tmp_path, output):
    untrained = save_adapter(tiny, tmp_path / "untrained", size=0.0)
    assert "changes no weight" in refused(output, untrained, None)


def test_b5_a_change_too_small_for_the_dtype_is_an_error(tiny, tmp_path, output):
    faint = save_adapter(tiny, tmp_path / "faint", size=1e-16)
    assert "as bfloat16 stores it" in refused(output, faint, None, dtype="bfloat16")


def test_b5_a_merge_that_goes_wrong_is_noticed(adapter, output, monkeypatch):
    """If PEFT merged a wrong product, the logits of the written folder would tell."""
    from peft.tuners.lora.layer import Linear

    right = Linear.get_delta_weight
    monkeypatch.setattr(Linear, "get_delta_weight", lambda *a: right(*a) * 1.5)
    assert "does not answer like base plus adapter" in refused(output, adapter, None)


def test_b5_nan_in_the_adapter_is_an_error(broken, output):
    name = "base_model.model.model.layers.1.mlp.up_proj.lora_A.weight"
    rewrite_tensors(broken, lambda t: t | {name: t[name] * float("nan")})
    assert "up_proj.lora_A.weight holds NaN" in refused(output, broken, None)


def test_b6_another_base_of_the_same_shape_is_refused_by_both_hashes(
    adapter, tiny, other_tiny, output
):
    message = refused(output, adapter, str(other_tiny))
    for base in (tiny, other_tiny):
        assert fingerprint(base).weights[:16] in message
    assert "--force" in message


def test_b6_force_merges_all_the_same_and_says_so(adapter, other_tiny, output):
    report = merge(adapter, str(other_tiny), output, force=True)
    assert any("merged by force" in note for note in report.notes)
    assert (output / "model.safetensors").is_file()


def test_b6_the_base_may_lie_elsewhere(adapter, tiny, tmp_path, output):
    elsewhere = shutil.copytree(tiny, tmp_path / "copy of the base")
    assert merge(adapter, str(elsewhere), output).notes == ()


def test_b6_a_full_run_between_the_phases(adapter, tmp_path):
    """Skin's base is Skeleton's merged folder: its fingerprint is that of the merged weights."""
    first = tmp_path / "first"
    merge(adapter, None, first)
    second = save_adapter(first, tmp_path / "second", size=0.1)
    assert merge(second, None, tmp_path / "both").notes == ()
    with pytest.raises(ModelError, match="not the base"):
        merge(second, read_facts(adapter).base, tmp_path / "wrong")


def test_a_wrong_tokenizer_is_refused(adapter, tmp_path, output):
    wrong = shutil.copytree(adapter, tmp_path / "wrong")
    other = make_tiny(["completely other words: " * 9] * 3, tmp_path / "t", vocabulary=320)
    shutil.copy(other / "tokenizer.json", wrong / "tokenizer.json")
    assert "tokenizer differs from the base's" in refused(output, wrong, None)


def test_a_base_with_another_tokenizer_is_refused(adapter, tiny, tmp_path, output):
    base = shutil.copytree(tiny, tmp_path / "base")
    rules = json.loads((base / "tokenizer.json").read_text())
    rules["model"]["merges"] = rules["model"]["merges"][:-1]
    (base / "tokenizer.json").write_text(json.dumps(rules))
    assert "its tokenizer have the hash" in refused(output, adapter, str(base))


def test_another_peft_version_is_a_note(broken, output):
    config = json.loads((broken / "adapter_config.json").read_text())
    config["peft_version"] = "0.1.0"
    (broken / "adapter_config.json").write_text(json.dumps(config))
    assert any("peft 0.1.0" in note for note in merge(broken, None, output).notes)


def test_an_adapter_of_another_origin_is_merged_with_a_note(broken, tiny, output):
    for name in ("sk2d.json", "README.md"):
        (broken / name).unlink()
    report = merge(broken, str(tiny), output)
    assert any("cannot be checked" in note for note in report.notes)
    assert read_facts(output) is None


def test_an_adapter_that_names_no_base(broken, output):
    (broken / "sk2d.json").unlink()
    config = json.loads((broken / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = None
    (broken / "adapter_config.json").write_text(json.dumps(config))
    assert "does not say which base" in refused(output, broken, None)


def test_a_whole_model_is_no_adapter(tiny, output):
    assert "export" in refused(output, tiny, None)


def test_a_full_output_folder_is_kept_unless_asked(adapter, output):
    output.mkdir(parents=True)
    (output / "thesis.txt").write_text("mine")
    with pytest.raises(ModelError, match="not empty.*--overwrite"):
        merge(adapter, None, output)
    assert (output / "thesis.txt").read_text() == "mine"
    merge(adapter, None, output, overwrite=True)
    assert not (output / "thesis.txt").exists()


def test_b3_the_padded_embedding_survives_merge_and_export(tmp_path):
    base = make_tiny(TEXTS, tmp_path / "base", vocabulary=400, hidden=32, layers=1, heads=2)
    adapter = save_adapter(base, tmp_path / "adapter")
    export(adapter, tmp_path / "out")
    assert load_model(str(tmp_path / "out")).get_input_embeddings().num_embeddings == 400
