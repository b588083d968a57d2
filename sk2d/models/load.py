"""Load a base for training or inference: model and tokenizer, or a clear reason why not."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from safetensors import SafetensorError
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from sk2d.errors import ModelError
from sk2d.models.adapters import attach_adapter, is_adapter, read_adapter_config, version_note
from sk2d.models.attention import ATTENTION_CHOICES, PACKED_ATTENTION
from sk2d.models.bases import base_folder, resolve_base, weight_files
from sk2d.models.card import read_facts
from sk2d.models.fingerprint import check_fingerprint
from sk2d.models.peft_library import PeftModel
from sk2d.models.quantization import Quantization, loading_arguments, settle

__all__ = [
    "adapter_base",
    "load_full",
    "load_model",
    "load_tokenizer",
    "match_vocabulary",
    "resolve_base",
]
CPU = torch.device("cpu")
_LOADING_ERRORS = (OSError, ValueError, KeyError, RuntimeError, SafetensorError)


def load_tokenizer(base: str) -> PreTrainedTokenizerBase:
    """Load a base's tokenizer; all special ids come from it.

    Args:
        base: Folder, name under `models/`, or hub name. An adapter without a tokenizer has its
            base's.

    Returns:
        The tokenizer. One without a pad token pads with its end token, which is harmless here:
        labels are masked by length, not by id.

    Raises:
        ModelError: When it cannot be loaded or has no end token.
    """
    folder = base_folder(base)
    if is_adapter(folder) and not (folder / "tokenizer_config.json").is_file():
        return load_tokenizer(adapter_base(folder))
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
    except _LOADING_ERRORS as error:
        raise ModelError(
            f"its tokenizer cannot be loaded ({_first_line(error)})",
            where=base,
            remedy="Put the base's tokenizer.json and tokenizer_config.json into the folder",
        ) from error
    # How it was loaded is no trait of it, and would be written into every folder it is saved to.
    for trace in ("is_local", "local_files_only"):
        tokenizer.init_kwargs.pop(trace, None)
    if tokenizer.eos_token_id is None:
        raise ModelError(
            "its tokenizer has no end token, so answers could not end",
            where=base,
            remedy="Set eos_token in its tokenizer_config.json",
        )
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(
    base: str,
    dtype: torch.dtype = torch.float32,
    attention: ATTENTION_CHOICES = "auto",
    quantization: Quantization | None = None,
    device: torch.device = CPU,
) -> PreTrainedModel:
    """Load a causal LM; an adapter is merged into its base, in float32, and said.

    Args:
        base: Folder, name under `models/`, or hub name.
        dtype: Dtype of the weights.
        attention: auto packs documents with torch's kernels where the model can do that; sdpa
            is torch's kernels without packing; flash2 is FlashAttention-2.
        quantization: Put the linear layers in 4 (nf4) or 8 bits (int8).
        device: Where quantised weights are put; others stay on the CPU.

    Returns:
        The model, in eval mode.
    """
    folder = base_folder(base)
    if not is_adapter(folder):
        return load_full(folder, dtype, attention, quantization, device)
    name = adapter_base(folder)
    if (facts := read_facts(folder)) is not None:
        check_fingerprint(facts.base_fingerprint, name)
    console = Console(stderr=True)
    console.print(f"{folder} is an adapter: merging it into its base {name}")
    if note := version_note(folder):
        console.print(f"Warning: {note}")
    model: Any = merged(attach_adapter(load_model(name, torch.float32, attention), folder))
    if quantization is None:
        return model.to(dtype)
    # Quantising is part of reading a folder, so what was merged is written to one first.
    with tempfile.TemporaryDirectory() as whole:
        model.to(dtype).save_pretrained(whole)
        del model
        return load_full(Path(whole), dtype, attention, quantization, device)


def merged(model: PeftModel) -> PreTrainedModel:
    """Add the adapters to the weights and take the wrapping off.

    Args:
        model: A float32 base with an adapter.

    Returns:
        The plain model.
    """
    return model.merge_and_unload(safe_merge=True)


def adapter_base(folder: Path) -> str:
    """Give the base that an adapter says it was trained on.

    Args:
        folder: The adapter's folder.

    Returns:
        Name or folder as it was written down.

    Raises:
        ModelError: When it says nothing.
    """
    facts = read_facts(folder)
    base = facts.base if facts else read_adapter_config(folder).get("base_model_name_or_path")
    if not base:
        raise ModelError(
            "the adapter does not say which base it was trained on",
            where=str(folder),
            remedy="Merge it first: python cli.py merge --base BASE",
        )
    return base


def load_full(
    folder: Path,
    dtype: torch.dtype = torch.float32,
    attention: ATTENTION_CHOICES = "auto",
    quantization: Quantization | None = None,
    device: torch.device = CPU,
) -> PreTrainedModel:
    """Load a whole model from a folder.

    Args:
        folder: A folder in Hugging Face layout.
        dtype: Dtype of the weights.
        attention: As for `load_model`.
        quantization: As for `load_model`.
        device: As for `load_model`.

    Returns:
        The model, in eval mode.

    Raises:
        ModelError: When it cannot be loaded, or weights are missing from its files.
    """
    if attention == "flash2":
        _check_flash2()
    if not weight_files(folder):
        raise ModelError(
            "the folder has no weights, or not all files of its index",
            where=str(folder),
            remedy="Copy or download the model again",
        )
    quantized = loading_arguments(quantization, dtype, device)
    kernels = {"auto": None, "sdpa": "sdpa", "flash2": "flash_attention_2"}[attention]
    try:
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            folder,
            dtype=dtype,
            attn_implementation=kernels,
            local_files_only=True,
            output_loading_info=True,
            **quantized,
        )
    except _LOADING_ERRORS as error:
        raise ModelError(
            f"the model cannot be loaded ({_first_line(error)})",
            where=str(folder),
            remedy="Check that it is a causal LM that the installed transformers knows, and that "
            "all its files are whole",
        ) from error
    model, report = loaded
    if report["missing_keys"]:  # transformers would fill them with random numbers
        some = sorted(report["missing_keys"])[0]
        raise ModelError(
            f"{len(report['missing_keys'])} weights are missing from its files, such as {some}",
            where=str(folder),
            remedy="Copy or download the model again",
        )
    if attention == "auto" and model.config.get_text_config()._attn_implementation == "sdpa":
        model.set_attn_implementation(PACKED_ATTENTION)
    settle(model)
    return model


def match_vocabulary(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, grow: bool = False
) -> None:
    """Make sure that every token has a row in the embedding; rows too many are left alone.

    Many models round their embedding up, so it is never cut to the tokenizer's length.

    Args:
        model: The model, changed in place when it grows.
        tokenizer: Its tokenizer.
        grow: Add rows for new tokens instead of refusing.

    Raises:
        ModelError: When a token has no row and `grow` is off.
    """
    embedding: Any = model.get_input_embeddings()
    rows = embedding.weight.shape[0]
    highest = max(tokenizer.get_vocab().values())
    if highest < rows:
        return
    if not grow:
        raise ModelError(
            f"the tokenizer has ids up to {highest}, the model only {rows} rows",
            where=tokenizer.name_or_path,
            remedy="Use the tokenizer that belongs to the model",
        )
    model.resize_token_embeddings(highest + 1)


def _check_flash2() -> None:
    """Refuse FlashAttention-2 where it cannot run."""
    where, remedy = "model.attention", "Use auto"
    if not torch.cuda.is_available():
        raise ModelError("flash2 needs a CUDA GPU, and there is none", where=where, remedy=remedy)
    major, minor = torch.cuda.get_device_capability()
    if major < 8:
        raise ModelError(
            f"flash2 needs a GPU of capability 8.0 or more, this one has {major}.{minor}",
            where=where,
            remedy=remedy,
        )
    if importlib.util.find_spec("flash_attn") is None:
        raise ModelError(
            "flash2 needs the package flash-attn, which is not installed",
            where=where,
            remedy=f"Install it (pip install flash-attn). {remedy} otherwise",
        )


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
