"""The figures of a model that memory and time depend on, without loading or fetching it.

They come from the `config.json` of a model folder, or from `configs/models/` for the known bases.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from sk2d.corpus.files import shipped
from sk2d.models.adapters import is_adapter
from sk2d.models.bases import local_folder

FOLDER: Final = "configs/models"


@dataclass(frozen=True)
class Linear:
    """One linear layer of a block.

    Args:
        name: Its short name, as adapters are put on it.
        inputs: Length of its input.
        outputs: Length of its output.
        bias: Whether it adds one.
    """

    name: str
    inputs: int
    outputs: int
    bias: bool = False

    @property
    def parameters(self) -> int:
        """Number of its weights."""
        return self.inputs * self.outputs + (self.outputs if self.bias else 0)


@dataclass(frozen=True)
class Architecture:
    """A decoder-only transformer.

    Args:
        name: Name of the base.
        family: Hugging Face's `model_type`.
        hidden: Hidden size.
        layers: Number of blocks.
        heads: Attention heads.
        kv_heads: Heads of keys and values.
        head_dim: Length of a head.
        intermediate: Width of the feed-forward layer.
        vocab: Rows of the embedding.
        tied: Whether the output layer is the embedding.
        positions: Rows of a learned table of positions; 0 where positions are computed.
        context: Longest sequence.
        gated: Whether the feed-forward layer has a gate.
        norm_parts: Vectors per norm: 2 with a bias, else 1.
        linears: The linear layers of a block.
        trained_in: dtype that the weights are stored in.
    """

    name: str
    family: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    tied: bool
    positions: int
    context: int
    gated: bool
    norm_parts: int
    linears: tuple[Linear, ...]
    trained_in: str

    @property
    def block_linear_parameters(self) -> int:
        """Weights of the linear layers of all blocks."""
        return self.layers * sum(layer.parameters for layer in self.linears)

    @property
    def embedding_parameters(self) -> int:
        """Weights of the embedding; the output layer has as many again where it is not tied."""
        return self.vocab * self.hidden

    @property
    def parameters(self) -> int:
        """All weights."""
        norms = (2 * self.layers + 1) * self.norm_parts * self.hidden
        ends = self.embedding_parameters * (1 if self.tied else 2) + self.positions * self.hidden
        return self.block_linear_parameters + norms + ends

    def lora_parameters(self, rank: int, targets: str | list[str]) -> int:
        """Count the weights of adapters.

        Args:
            rank: Rank of the two factors.
            targets: `all-linear`, or names of linear layers.

        Returns:
            Their number in all blocks.
        """
        chosen = [x for x in self.linears if targets == "all-linear" or x.name in targets]
        return self.layers * rank * sum(layer.inputs + layer.outputs for layer in chosen)


def _llama(config: Mapping[str, Any], bias_qkv: bool = False) -> dict[str, Any]:
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or hidden // heads
    inner = config["intermediate_size"]
    bias = bool(config.get("attention_bias", False))
    mlp_bias = bool(config.get("mlp_bias", False))
    queries, keys = heads * head_dim, kv_heads * head_dim
    return {
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "gated": True,
        "norm_parts": 1,
        "positions": 0,
        "linears": (
            Linear("q_proj", hidden, queries, bias or bias_qkv),
            Linear("k_proj", hidden, keys, bias or bias_qkv),
            Linear("v_proj", hidden, keys, bias or bias_qkv),
            Linear("o_proj", queries, hidden, bias),
            Linear("gate_proj", hidden, inner, mlp_bias),
            Linear("up_proj", hidden, inner, mlp_bias),
            Linear("down_proj", inner, hidden, mlp_bias),
        ),
    }


def _qwen2(config: Mapping[str, Any]) -> dict[str, Any]:
    return _llama(config, bias_qkv=True)


def _starcoder2(config: Mapping[str, Any]) -> dict[str, Any]:
    found = _llama(config)
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    bias = bool(config.get("use_bias", True))
    attention = [Linear(x.name, x.inputs, x.outputs, bias) for x in found["linears"][:4]]
    feed = [Linear("c_fc", hidden, inner, bias), Linear("c_proj", inner, hidden, bias)]
    return found | {"gated": False, "norm_parts": 2, "linears": (*attention, *feed)}


def _gpt(config: Mapping[str, Any]) -> dict[str, Any]:
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    kv_heads = 1 if config.get("multi_query") else heads
    head_dim, inner = hidden // heads, config["intermediate_size"]
    return {
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "gated": False,
        "norm_parts": 2,
        "positions": config["max_position_embeddings"],
        "linears": (
            Linear("c_attn", hidden, hidden + 2 * kv_heads * head_dim, True),
            Linear("c_proj", hidden, hidden, True),
            Linear("c_fc", hidden, inner, True),
            Linear("c_proj", inner, hidden, True),
        ),
    }


FAMILIES: Final = {
    "llama": _llama,
    "mistral": _llama,
    "qwen2": _qwen2,
    "starcoder2": _starcoder2,
    "gpt_bigcode": _gpt,
    "gpt2": _gpt,
}
# GPT-2's names for what all others call otherwise.
OLD_NAMES: Final = {
    "n_embd": "hidden_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_inner": "intermediate_size",
    "n_positions": "max_position_embeddings",
}
# What transformers takes for a key that a config.json leaves out.
TIED_BY_DEFAULT: Final = ("gpt2", "gpt_bigcode", "starcoder2")


def from_config(name: str, config: Mapping[str, Any]) -> Architecture | None:
    """Read the figures out of a `config.json`.

    Args:
        name: Name of the base.
        config: Its contents.

    Returns:
        The figures, or None for a family that is not known.
    """
    family = config.get("model_type", "")
    if family not in FAMILIES:
        return None
    keys = {OLD_NAMES.get(key, key): value for key, value in config.items()}
    keys["intermediate_size"] = keys.get("intermediate_size") or 4 * keys["hidden_size"]
    return Architecture(
        name=name,
        family=family,
        hidden=keys["hidden_size"],
        layers=keys["num_hidden_layers"],
        heads=keys["num_attention_heads"],
        intermediate=keys["intermediate_size"],
        vocab=keys["vocab_size"],
        tied=keys.get("tie_word_embeddings", family in TIED_BY_DEFAULT),
        context=keys.get("max_position_embeddings", 0),
        trained_in=str(keys.get("dtype") or keys.get("torch_dtype") or "float32"),
        **FAMILIES[family](keys),
    )


@functools.cache
def known_architectures() -> dict[str, Architecture]:
    """Read the figures of the known bases.

    Returns:
        Figures by name in lower case.
    """
    folder = shipped(FOLDER)
    found: dict[str, Architecture] = {}
    for path in sorted(folder.glob("*.yaml")) if folder else ():
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")).values():
            for name in entry["names"]:
                figures = from_config(name, entry["config"])
                assert figures is not None, f"{path} names a family that is not known"
                found[name.lower()] = figures
    return found


def architecture_of(base: str) -> Architecture | None:
    """Find the figures of a base, without fetching it.

    Args:
        base: Folder, name under `models/`, or hub name; an adapter has those of its own base.

    Returns:
        The figures, or None where neither the model nor its figures are on this machine.
    """
    folder = local_folder(base)
    if folder is not None and is_adapter(folder):
        config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
        inside = config.get("base_model_name_or_path")
        return architecture_of(inside) if inside else None
    if folder is not None and (folder / "config.json").is_file():
        return from_config(base, json.loads((folder / "config.json").read_text(encoding="utf-8")))
    if base == "tiny":
        return from_config(base, TINY)
    return known_architectures().get(base.lower())


# What `make_tiny` makes when its folder is not there yet.
TINY: Final = {
    "model_type": "llama",
    "hidden_size": 128,
    "intermediate_size": 336,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "vocab_size": 1024,
    "max_position_embeddings": 2048,
    "tie_word_embeddings": True,
}
