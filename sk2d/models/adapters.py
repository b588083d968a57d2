"""LoRA adapters on disk: strict loading, which refuses what PEFT only warns about."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import Tensor
from transformers import PreTrainedModel

from sk2d.errors import ModelError
from sk2d.models.peft_library import (
    PeftConfig,
    PeftModel,
    get_peft_model,
    get_peft_model_state_dict,
    load_peft_weights,
    set_peft_model_state_dict,
)
from sk2d.models.peft_library import version as peft_version

ADAPTER_CONFIG = "adapter_config.json"


def is_adapter(folder: Path) -> bool:
    """Tell whether a folder holds an adapter (PEFT layout) rather than a whole model.

    Args:
        folder: A model folder.

    Returns:
        True when it has an adapter config.
    """
    return (folder / ADAPTER_CONFIG).is_file()


def read_adapter_config(folder: Path) -> dict[str, Any]:
    """Read an adapter's config.

    Args:
        folder: The adapter's folder.

    Returns:
        The JSON object.

    Raises:
        ModelError: When it cannot be read.
    """
    path = folder / ADAPTER_CONFIG
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot be read ({error})", where=str(path)) from error


def version_note(folder: Path) -> str | None:
    """Say so when an adapter was written by another version of PEFT than the one installed.

    Args:
        folder: The adapter's folder.

    Returns:
        The warning, or None when the versions agree or are not known.
    """
    written = read_adapter_config(folder).get("peft_version")
    if written in (None, peft_version):
        return None
    return f"the adapter was written by peft {written}, this is peft {peft_version}"


def _read_tensors(folder: Path) -> dict[str, Tensor]:
    try:
        return load_peft_weights(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelError(
            f"the adapter's tensors cannot be read ({str(error).splitlines()[0]})",
            where=str(folder),
            remedy="Save the adapter again, or take an earlier checkpoint",
        ) from error


def check_tensors(expected: dict[str, Tensor], found: dict[str, Tensor], folder: Path) -> None:
    """Refuse an adapter of which not every tensor has its place in the model, and the reverse.

    Args:
        expected: The adapter tensors that the model has places for.
        found: The tensors in the file.
        folder: The adapter's folder, for the message.

    Raises:
        ModelError: When names or shapes differ; the message shows one example.
    """
    missing, strange = sorted(expected.keys() - found), sorted(found.keys() - expected)
    if missing or strange:
        matched = len(expected.keys() & found.keys())
        example = f"{missing[0]} is missing" if missing else f"{strange[0]} has no place"
        if strange and missing:
            example = f"{strange[0]} has no place, the model has {missing[0]}"
        raise ModelError(
            f"{matched} of {len(expected)} adapter tensors match the base: for example {example}",
            where=str(folder),
            remedy="Use the base that the adapter was trained on, and the folder as it was written",
        )
    for name, tensor in found.items():
        if tensor.shape != expected[name].shape:
            shapes = f"{tuple(tensor.shape)}, the base needs {tuple(expected[name].shape)}"
            raise ModelError(
                f"{name} has the shape {shapes}",
                where=str(folder),
                remedy="Use the base that the adapter was trained on",
            )


def wrap(model: PreTrainedModel, config: PeftConfig) -> PeftModel:
    """Put adapters on a model and freeze the rest.

    Args:
        model: A causal LM, changed in place.
        config: What PEFT is to do.

    Returns:
        The PEFT model; its adapters are float32 also on a half-precision base.
    """
    with warnings.catch_warnings():
        # PEFT asks transformers for a property by the name that it had before 5.24.
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated")
        # Whether this is the right base is checked by its weights, not by its folder's name.
        warnings.filterwarnings("ignore", "The PEFT config's `base_model_name_or_path`")
        return get_peft_model(model, config, autocast_adapter_dtype=True)


def check_finite(tensors: Iterable[tuple[str, Tensor]], where: str, remedy: str) -> None:
    """Refuse weights that are not numbers.

    Args:
        tensors: Names and tensors.
        where: The folder, for the message.
        remedy: What to do about it.

    Raises:
        ModelError: At the first tensor with NaN or an infinite number in it.
    """
    for name, tensor in tensors:
        if tensor.is_floating_point() and not torch.isfinite(tensor).all():
            raise ModelError(f"{name} holds NaN or infinite numbers", where=where, remedy=remedy)


def attach_adapter(model: PreTrainedModel, folder: Path) -> PeftModel:
    """Put a saved adapter on its base; every tensor must find its place.

    Args:
        model: The base, changed in place.
        folder: The adapter's folder.

    Returns:
        The PEFT model, in eval mode.

    Raises:
        ModelError: When the adapter cannot be read or does not belong to this base.
    """
    tensors = _read_tensors(folder)
    check_finite(tensors.items(), str(folder), "Take an earlier checkpoint and a lower lr")
    try:
        config = PeftConfig.from_pretrained(str(folder))
        peft_model = wrap(model, config)
    except (OSError, TypeError, ValueError) as error:
        raise ModelError(
            f"the adapter does not fit the base ({str(error).splitlines()[0]})",
            where=str(folder),
            remedy="Use the base that the adapter was trained on",
        ) from error
    check_tensors(get_peft_model_state_dict(peft_model), tensors, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PEFT's own key check, made strict above
        set_peft_model_state_dict(peft_model, tensors)
    return peft_model.eval()
