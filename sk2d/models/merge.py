"""Merge an adapter into its base, and prove that the result is what the adapter was.

Shape letters: T positions, V vocabulary.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from sk2d.data.tokens import encode_prompt
from sk2d.errors import ModelError
from sk2d.models.adapters import attach_adapter, is_adapter, version_note
from sk2d.models.card import ModelFacts, read_facts
from sk2d.models.checkpoint_adapter import adapter_folder
from sk2d.models.fingerprint import check_fingerprint
from sk2d.models.folders import check_free, new_folder
from sk2d.models.load import adapter_base, load_full, load_model, load_tokenizer, match_vocabulary
from sk2d.models.peft_library import BaseTunerLayer, PeftModel
from sk2d.models.probes import PROBES, probe_prompt
from sk2d.models.saving import write_model

Dtype = Literal["float32", "float16", "bfloat16"]
# Largest difference between the logits of adapter and merged model, as a share of the largest
# logit; both run in float32, so what is left is the rounding of the stored weights.
LIMITS = {"float32": 1e-3, "float16": 0.05, "bfloat16": 0.1}


class MergeReport(NamedTuple):
    """What a merge did, and how it proved itself.

    Attributes:
        output: The folder.
        base: The base that was merged into.
        dtype: Dtype of the weights.
        tensors: Number of layers that the adapter changed.
        change: Largest change of a weight, as stored.
        logit_difference: Largest difference of the logits, as a share of the largest logit.
        notes: Warnings.
    """

    output: Path
    base: str
    dtype: str
    tensors: int
    change: float
    logit_difference: float
    notes: tuple[str, ...]


def merge(
    adapter: Path,
    base: str | None,
    output: Path,
    dtype: Dtype = "float32",
    force: bool = False,
    overwrite: bool = False,
) -> MergeReport:
    """Merge an adapter into its base in float32, cast, write, load again and compare.

    Args:
        adapter: The adapter's folder, the run folder around it, or a checkpoint of the run.
        base: The base; None is the one that the adapter names.
        output: Folder to write; nothing is left there when a check fails.
        dtype: Dtype of the written weights.
        force: Take a base or tokenizer that is not the adapter's own, with a note.
        overwrite: Replace an output folder that is not empty.

    Returns:
        What was done. Adapter, base or tokenizer that do not belong together, and a check that
        fails, are a `ModelError`.
    """
    check_free(output, overwrite=overwrite)
    with adapter_folder(adapter) as folder:
        return _merge(folder, adapter, base, output, dtype, force, overwrite)


def _merge(
    folder: Path,
    adapter: Path,
    base: str | None,
    output: Path,
    dtype: Dtype,
    force: bool,
    overwrite: bool,
) -> MergeReport:
    if not is_adapter(folder):
        raise ModelError(
            "this is a whole model, not an adapter",
            where=str(folder),
            remedy="Use: python cli.py export",
        )
    name = base or adapter_base(folder)
    facts = read_facts(folder)
    notes = [note for note in (version_note(folder), _check_base(facts, name, force)) if note]
    tokenizer, tokenizer_note = _check_tokenizer(folder, name, force)
    notes += [tokenizer_note] if tokenizer_note else []

    base_model = load_model(name, torch.float32, "sdpa")
    match_vocabulary(base_model, tokenizer)
    peft_model = attach_adapter(base_model, folder)
    prompts = [encode_prompt(probe_prompt(facts, code), tokenizer) for code in PROBES]
    wanted = _logits(peft_model, prompts)
    changes = list(_merge_layers(peft_model, getattr(torch, dtype), folder))
    whole: Any = peft_model.unload()
    merged_facts = dataclasses.replace(facts, merged=str(adapter)) if facts else None
    with new_folder(output, overwrite=overwrite) as temporary:
        whole = whole.to(getattr(torch, dtype))
        write_model(whole, tokenizer, temporary, merged_facts, where=str(output))
        difference = _compare(wanted, load_full(temporary, torch.float32, "sdpa"), prompts, dtype)
    return MergeReport(output, name, dtype, len(changes), max(changes), difference, tuple(notes))


def _check_base(facts: ModelFacts | None, base: str, force: bool) -> str | None:
    """Compare the base with the one of the training; give a note when that cannot be done."""
    if facts is None:
        return "the adapter has no sk2d.json: whether this is its base cannot be checked"
    try:
        check_fingerprint(facts.base_fingerprint, base)
    except ModelError as error:
        if not force:
            raise
        return f"merged by force although {error.what}"
    return None


def _check_tokenizer(
    folder: Path, base: str, force: bool
) -> tuple[PreTrainedTokenizerBase, str | None]:
    """Give the adapter's tokenizer, which must give the base's tokens the ids that they had."""
    own, theirs = load_tokenizer(str(folder)), load_tokenizer(base)
    own_ids, their_ids = own.get_vocab(), theirs.get_vocab()
    moved = [token for token, number in their_ids.items() if own_ids.get(token) != number]
    if not moved:
        return own, None
    what = f"the adapter's tokenizer differs from the base's in {len(moved)} tokens"
    if not force:
        raise ModelError(
            f"{what}, such as {moved[0]!r}",
            where=str(folder),
            remedy="Give the base that the adapter was trained on, or --force",
        )
    return own, f"merged by force although {what}"


@torch.no_grad()
def _logits(model: PreTrainedModel | PeftModel, prompts: list[list[int]]) -> list[Tensor]:
    """Give logits_TV of each prompt."""
    device = next(model.parameters()).device
    rows = (torch.tensor([ids], device=device) for ids in prompts)
    return [model(input_ids=ids, use_cache=False).logits[0].float() for ids in rows]


@torch.no_grad()
def _merge_layers(model: PeftModel, dtype: torch.dtype, folder: Path) -> Iterator[float]:
    """Merge layer by layer and give each one's largest change as stored; all 0 is an error."""
    largest = 0.0
    for module in model.modules():
        if isinstance(module, BaseTunerLayer):
            layer: Any = module.get_base_layer()
            weight: Tensor = layer.weight
            before = weight.to(dtype, copy=True)
            module.merge(safe_merge=True)
            change = float((weight.to(dtype).float() - before.float()).abs().max())
            largest = max(largest, change)
            yield change
    if largest == 0.0:
        raise ModelError(
            f"merging changes no weight as {str(dtype).removeprefix('torch.')} stores it: the "
            "adapter is untrained, or too small for this dtype",
            where=str(folder),
            remedy="Train it, take a later checkpoint, or use --dtype float32",
        )


def _compare(
    wanted: list[Tensor], merged: PreTrainedModel, prompts: list[list[int]], dtype: str
) -> float:
    """Compare the logits of the written model with those of base plus adapter."""
    found = _logits(merged, prompts)
    scale = max(float(logits_TV.abs().max()) for logits_TV in wanted)
    difference = max(float((a - b).abs().max()) for a, b in zip(wanted, found, strict=True)) / scale
    if not difference <= LIMITS[dtype]:  # also true for NaN
        raise ModelError(
            f"the merged model does not answer like base plus adapter: logits differ by "
            f"{difference:.2g} of their size, allowed is {LIMITS[dtype]:g}; nothing was written",
            where="merge",
            remedy="Use --dtype float32; if it differs there too, the adapter is of a kind that "
            "cannot be merged",
        )
    return difference
