import json
from pathlib import Path

import pytest
import torch
import yaml
from transformers import AutoConfig, AutoModelForCausalLM

from sk2d.models.architecture import (
    FOLDER,
    TINY,
    architecture_of,
    from_config,
    known_architectures,
)
from sk2d.models.lora import LoraSettings, add_lora
from sk2d.models.tiny import make_tiny, texts_of

SHIPPED = {
    name: entry["config"]
    for path in sorted((Path(__file__).parents[2] / FOLDER).glob("*.yaml"))
    for name, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items()
}


def on_meta(config: dict) -> torch.nn.Module:
    rest = {key: value for key, value in config.items() if key != "model_type"}
    with torch.device("meta"):
        return AutoModelForCausalLM.from_config(AutoConfig.for_model(config["model_type"], **rest))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_weights_of_a_known_base_are_counted_as_transformers_builds_them(name: str) -> None:
    config = SHIPPED[name] | {"num_hidden_layers": 2, "n_layer": 2}
    figures = from_config(name, config)
    assert figures is not None
    model = on_meta(config)
    assert figures.parameters == sum(weight.numel() for weight in model.parameters())
    trained = add_lora(model, LoraSettings(rank=4))
    count = sum(weight.numel() for weight in trained.parameters() if weight.requires_grad)
    assert figures.lora_parameters(4, "all-linear") == count


@pytest.mark.parametrize(
    ("base", "billions"),
    [
        ("LLM4Binary/llm4decompile-1.3b-v1.5", 1.35),
        ("LLM4Binary/llm4decompile-6.7b-v2", 6.74),
        ("tiiuae/Falcon3-7B-Base", 7.46),
        ("bigcode/starcoder", 15.5),
        ("bigcode/starcoder2-3b", 3.03),
        ("codellama/CodeLlama-7b-hf", 6.74),
        ("Qwen/Qwen2.5-Coder-7B", 7.62),
        ("HuggingFaceTB/SmolLM2-135M", 0.1345),
    ],
)
def test_known_bases_have_the_size_that_they_are_known_for(base: str, billions: float) -> None:
    figures = architecture_of(base)
    assert figures is not None
    assert figures.parameters / 1e9 == pytest.approx(billions, rel=0.01)
    assert architecture_of(base.upper()) == figures


def test_every_shipped_name_is_unique_and_known() -> None:
    assert len(known_architectures()) > 30
    assert all(figures.layers > 0 for figures in known_architectures().values())


def test_a_model_folder_and_an_adapter_on_it_have_their_own_figures(tmp_path: Path) -> None:
    config = dict(TINY) | {"num_hidden_layers": 3}
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "config.json").write_text(json.dumps(config))
    (tmp_path / "adapter").mkdir()
    inside = {"base_model_name_or_path": str(tmp_path / "whole"), "peft_type": "LORA"}
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps(inside))
    for name in ("whole", "adapter"):
        figures = architecture_of(str(tmp_path / name))
        assert figures is not None
        assert figures.layers == 3


def test_the_tiny_model_is_made_with_the_figures_that_are_planned_for_it(tmp_path: Path) -> None:
    texts = texts_of(sorted((Path(__file__).parents[2] / "examples").glob("*.jsonl")))
    folder = make_tiny(texts, tmp_path / "tiny")
    made = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    found, planned = from_config("tiny", made), from_config("tiny", TINY)
    assert found is not None
    assert planned is not None
    assert found.parameters == planned.parameters


def test_an_unknown_name_or_family_has_no_figures(tmp_path: Path) -> None:
    assert architecture_of("nobody/nothing") is None
    assert from_config("odd", {"model_type": "mamba", "hidden_size": 8}) is None
