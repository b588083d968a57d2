"""Both phases in memory: two adapters on one base, side by side, or one after the other."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

import psutil
import torch

from sk2d.decompile.phases import Asking, Phase, folder_of
from sk2d.models.adapters import attach_adapter, is_adapter
from sk2d.models.bases import weight_files
from sk2d.models.card import read_facts
from sk2d.models.load import adapter_base, load_model, load_tokenizer, match_vocabulary
from sk2d.prompts import Prompt

SHARE = 0.8
"""Of the free memory that weights may take; answering takes some, too."""


class Phases:
    """Loads phases when they are asked for.

    Args:
        models: Folder or name of each phase's model, with its prompt.
        asking: How they are asked.
    """

    def __init__(self, models: Mapping[str, tuple[str, Prompt]], asking: Asking) -> None:
        self.models = models
        self.asking = asking
        self._loaded: dict[str, Phase] = {}
        self.shares_base = len(models) > 1 and share_a_base([name for name, _ in models.values()])
        self.in_turn = len(models) > 1 and not self.shares_base and not self._fit_together()

    def get(self, name: str) -> Phase:
        """Give a phase, loaded; where memory is short the other one is dropped first.

        Args:
            name: skeleton or skin.

        Returns:
            The phase.
        """
        if name not in self._loaded:
            if self.in_turn:
                self._loaded.clear()
                gc.collect()
                torch.cuda.empty_cache()
            self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> None:
        names = list(self.models) if self.shares_base else [name]
        first = folder_of(self.models[names[0]][0])
        if not self.shares_base:
            model: Any = self._plain(str(first))
            self._add(name, model, str(first), None)
            return
        model = attach_adapter(self._plain(adapter_base(first)), first)
        self._add(names[0], model, str(first), model.active_adapter)
        for other in names[1:]:
            folder = str(folder_of(self.models[other][0]))
            model.load_adapter(folder, adapter_name=other)
            self._add(other, model, folder, other)

    def _plain(self, base: str) -> Any:
        model = load_model(base, self.asking.dtype())
        match_vocabulary(model, load_tokenizer(base))
        return model

    def _add(self, name: str, model: Any, folder: str, adapter: str | None) -> None:
        ready = model.to(self.asking.place()).eval()
        prompt = self.models[name][1]
        tokenizer = load_tokenizer(folder)
        self._loaded[name] = Phase(ready, tokenizer, prompt, self.asking, adapter)

    def _fit_together(self) -> bool:
        device = self.asking.place()
        free = torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else 0
        free = free or psutil.virtual_memory().available
        return sum(weight_bytes(name) for name, _ in self.models.values()) < SHARE * free


def share_a_base(models: list[str]) -> bool:
    """Tell whether models are adapters of the same base.

    Args:
        models: Their folders or names.

    Returns:
        Whether all are, by the fingerprints that they carry.
    """
    folders = [folder_of(model) for model in models]
    if not all(map(is_adapter, folders)):
        return False
    facts = [read_facts(folder) for folder in folders]
    bases = {each.base_fingerprint if each else None for each in facts}
    return len(bases) == 1 and None not in bases


def weight_bytes(model: str) -> int:
    """Estimate what a model takes when it is loaded, from its files.

    Args:
        model: Folder or name.

    Returns:
        Bytes; for an adapter those of its base.
    """
    folder = folder_of(model)
    while is_adapter(folder):
        folder = folder_of(adapter_base(folder))
    return sum(file.stat().st_size for file in weight_files(folder))
