"""The adapters of a checkpoint as a model folder, so that what reads adapters reads checkpoints.

A checkpoint holds only the trained weights; the rest of the model is not loaded for this.
"""

from __future__ import annotations

import contextlib
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM

from sk2d.errors import ModelError
from sk2d.models.adapters import check_tensors, is_adapter
from sk2d.models.bases import base_folder, model_folder
from sk2d.models.card import FACTS, ModelFacts, read_facts
from sk2d.models.load import adapter_base, load_tokenizer
from sk2d.models.lora import LoraSettings, add_lora
from sk2d.models.peft_library import PeftModel
from sk2d.models.saving import write_model
from sk2d.models.strategies.checkpoint_folder import RUN, is_checkpoint_folder, is_intact_folder

SUFFIX = ".ckpt"
PREFIX = "model."  # of the model in its module
WHOLE = "Use the run's model/ folder with: python cli.py export"


def is_checkpoint(path: Path) -> bool:
    """Tell whether a path is a run's checkpoint, file or folder.

    Args:
        path: Any path.

    Returns:
        Whether it is.
    """
    return is_checkpoint_folder(path) or (path.is_file() and path.suffix == SUFFIX)


@contextlib.contextmanager
def adapter_folder(path: Path) -> Iterator[Path]:
    """Give the model folder that a path means; that of a checkpoint is made for a while.

    Args:
        path: A model folder, a run folder, or a checkpoint.

    Yields:
        A folder with an adapter or a whole model.
    """
    if not is_checkpoint(path):
        yield model_folder(path)
        return
    checkpoint = _read(path)
    with tempfile.TemporaryDirectory(prefix="sk2d-adapter-") as temporary:
        _write(checkpoint, Path(temporary), path)
        yield Path(temporary)


def _read(path: Path) -> dict[str, Any]:
    remedy = "Take another checkpoint of the run"
    if path.is_dir() and not is_intact_folder(path):
        raise ModelError("the checkpoint is damaged", where=str(path), remedy=remedy)
    file = path / RUN if path.is_dir() else path
    try:
        found = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise ModelError("the checkpoint is damaged", where=str(path), remedy=remedy) from error
    if not isinstance(found, dict) or "model" not in found.get("sk2d", {}):
        what = "this is no checkpoint that says what it is of"
        raise ModelError(what, where=str(path), remedy=WHOLE)
    return found


def _write(checkpoint: dict[str, Any], folder: Path, path: Path) -> None:
    """Write the adapters of a checkpoint in PEFT's layout."""
    lora = checkpoint["hyper_parameters"].get("lora")
    if lora is None:
        what = "the checkpoint is of a whole model, not of an adapter"
        raise ModelError(what, where=str(path), remedy=WHOLE)
    facts = _facts(checkpoint, folder)
    model = _empty(facts.base, LoraSettings(**lora))
    weights = {
        name.removeprefix(PREFIX): weight for name, weight in checkpoint["state_dict"].items()
    }
    places: dict[str, Tensor] = {
        name: weight for name, weight in model.named_parameters() if weight.requires_grad
    }
    check_tensors(places, weights, path)
    tokenizer = load_tokenizer(facts.base)
    write_model(model, tokenizer, folder, facts, where=str(path), weights=weights)


def _facts(checkpoint: dict[str, Any], folder: Path) -> ModelFacts:
    (folder / FACTS).write_text(checkpoint["sk2d"]["model"], encoding="utf-8")
    facts = read_facts(folder)
    assert facts is not None, "it was just written"
    return facts


def _empty(base: str, lora: LoraSettings) -> PeftModel:
    """Build a base with adapters, without memory for a single weight."""
    folder = base_folder(base)
    while is_adapter(folder):  # a base that is an adapter is merged when it is loaded
        folder = base_folder(adapter_base(folder))
    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    with torch.device("meta"):
        return add_lora(AutoModelForCausalLM.from_config(config), lora)
