"""Export: a folder that transformers and vLLM load as it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import torch

from sk2d.errors import ModelError
from sk2d.models.adapters import is_adapter
from sk2d.models.bases import base_folder
from sk2d.models.card import read_facts
from sk2d.models.folders import check_free, new_folder
from sk2d.models.load import load_full, load_tokenizer
from sk2d.models.merge import Dtype, MergeReport, merge
from sk2d.models.probes import try_folder
from sk2d.models.saving import save_model_folder, write_model

__all__ = ["Dtype", "ExportReport", "MergeReport", "export", "merge", "save_model_folder"]


class ExportReport(NamedTuple):
    """What an export did.

    Attributes:
        output: The folder.
        dtype: Dtype of its weights.
        prompt: Name of the model's prompt, or None when it is not known.
        answer: What the folder answered when it was loaded again, a few tokens.
        notes: Warnings.
    """

    output: Path
    dtype: str
    prompt: str | None
    answer: str
    notes: tuple[str, ...] = ()


def export(
    model: Path,
    output: Path,
    dtype: Dtype = "float32",
    force: bool = False,
    overwrite: bool = False,
) -> ExportReport:
    """Make a plain folder that transformers and vLLM load as it is, and try it.

    Args:
        model: Model folder (whole or adapter), or run folder.
        output: Folder to write.
        dtype: Dtype of the weights.
        force: Merge an adapter also into a base that is not its own.
        overwrite: Replace an output folder that is not empty.

    Returns:
        What was done.

    Raises:
        ModelError: The written folder does not answer; it is not kept.
    """
    check_free(output, overwrite=overwrite)
    folder = base_folder(str(model))
    facts = read_facts(folder)
    prompt = facts.prompt if facts else None
    if is_adapter(folder):
        report = merge(folder, None, output, dtype, force, overwrite)
        try:
            answer = try_folder(output, facts)
        except ModelError:
            shutil.rmtree(output)
            raise
        return ExportReport(output, dtype, prompt, answer, report.notes)
    whole = load_full(folder, getattr(torch, dtype), "sdpa")
    tokenizer = load_tokenizer(str(folder))
    with new_folder(output, overwrite=overwrite) as temporary:
        write_model(whole, tokenizer, temporary, facts, where=str(output))
        answer = try_folder(temporary, facts)
    return ExportReport(output, dtype, prompt, answer)
