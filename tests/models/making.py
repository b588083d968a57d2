"""Tiny models of several families, batches written by hand, adapters made on the spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from peft import PeftModel
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from sk2d.models.attention import PACKED_ATTENTION
from sk2d.models.card import ModelFacts
from sk2d.models.fingerprint import fingerprint
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.lora import LoraSettings, add_lora
from sk2d.models.saving import save_model_folder
from sk2d.prompts import get_prompt

VOCABULARY = 160

SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "vocab_size": VOCABULARY,
    "bos_token_id": None,
    "eos_token_id": 1,
    "pad_token_id": 0,
}
# What a family needs beside the common sizes.
FAMILIES: dict[str, dict[str, Any]] = {
    "llama": {},
    "qwen2": {"tie_word_embeddings": True},
    "starcoder2": {"sliding_window": 4},
    "mistral": {"sliding_window": None},
    "phi3": {},
    "gpt_neox": {},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128},
    "gemma2": {"head_dim": 8, "query_pre_attn_scalar": 8},
}


def make_model(family: str, *, attention: str = PACKED_ATTENTION, **more: Any) -> PreTrainedModel:
    """Give a seeded tiny model in eval mode; weights are large enough for clear differences."""
    torch.manual_seed(0)
    config = AutoConfig.for_model(family, **{**SIZES, **FAMILIES[family], **more})
    model = AutoModelForCausalLM.from_config(config, attn_implementation=attention)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(4.0)
    return model.eval()


def batch_of(documents: list[list[int]], *, prompt: int = 2, packed: bool = True) -> dict[str, Any]:
    """Give documents as one packed or padded batch; the first `prompt` tokens are masked."""
    lengths = [len(document) for document in documents]
    width = sum(lengths) if packed else max(lengths)
    rows = [sum(documents, [])] if packed else documents
    labels = [[-100] * prompt + document[prompt:] for document in documents]
    labels = [sum(labels, [])] if packed else labels
    positions = [list(range(length)) for length in lengths]
    positions = [sum(positions, [])] if packed else positions
    mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]

    def padded(values: list[list[int]], filler: int) -> torch.Tensor:
        return torch.tensor([row + [filler] * (width - len(row)) for row in values])

    bounds = torch.tensor([0, *lengths]).cumsum(0).to(torch.int32)
    return {
        "input_ids_BT": padded(rows, 0),
        "position_ids_BT": padded(positions, 0),
        "labels_BT": padded(labels, -100),
        "attention_mask_BT": None if packed else torch.tensor(mask),
        "cu_seqlens": bounds if packed else None,
        "step_tokens": sum(len(document) - prompt for document in documents),
        "rows": list(range(len(documents))),
        "counted": True,
    }


TEXTS = [
    "int add(int a, int b) {\n  return a + b;\n}\n",
    "void copy(char *to, const char *from) {\n  while ((*to++ = *from++)) {\n  }\n}\n",
    "# This is the pseudo code:\n# What is the source code?\n",
    "long fact(long n) {\n  if (n < 2) return 1;\n  return n * fact(n - 1);\n}\n",
]


def facts_for(base: Path | str, **more: Any) -> ModelFacts:
    """Give facts of a skeleton model trained from a base."""
    prompt = get_prompt("skeleton")
    values = {"phase": "skeleton", "prompt": prompt.name, "prompt_hash": prompt.hash}
    values |= {"base": str(base), "base_fingerprint": fingerprint(base)}
    return ModelFacts(**(values | {"versions": {"sk2d": "0"}, "training": {"steps": 3}} | more))


def trained_adapter(base: Path | str, size: float = 0.05, **settings: Any) -> PeftModel:
    """Give a base with adapters that change something, as training would have left them."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(6)
        model = add_lora(load_model(str(base)), LoraSettings(rank=4, alpha=8, **settings))
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.copy_(torch.randn(parameter.shape, generator=generator) * size)
    return model


def save_adapter(base: Path | str, folder: Path, size: float = 0.05, **more: Any) -> Path:
    """Write an adapter folder for a base."""
    model, tokenizer = trained_adapter(base, size), load_tokenizer(str(base))
    return save_model_folder(model, tokenizer, folder, facts_for(base, **more))


PROMPTS = [
    "int add(int a, int b) {\n",
    "x",
    "long fact(long n) {\n  if (n < 2) return 1;\n  return n * fact(n - 1);\n}\n# What",
    "void copy(char *to, const char *from)",
]
"""Prompts of uneven lengths, for answers."""
