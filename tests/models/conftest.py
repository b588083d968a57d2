"""Tiny models of several families, made on the spot, and batches written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from sk2d.models.attention import PACKED_ATTENTION

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


@pytest.fixture
def documents() -> list[list[int]]:
    """Three documents of different length; the longest is longer than starcoder2's window."""
    generator = torch.Generator().manual_seed(1)
    return [torch.randint(2, VOCABULARY, (n,), generator=generator).tolist() for n in (5, 11, 7)]


@pytest.fixture
def model_of() -> Callable[..., PreTrainedModel]:
    """Give `make_model`."""
    return make_model


@pytest.fixture
def batch() -> Callable[..., dict[str, Any]]:
    """Give `batch_of`."""
    return batch_of
