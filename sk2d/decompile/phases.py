"""A trained phase that answers: model folder, prompt and tokenizer belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from sk2d.data.tokens import encode_prompt
from sk2d.errors import ConfigError, ModelError
from sk2d.hardware.machine import BF16_FROM
from sk2d.models.answers import Answer
from sk2d.models.bases import base_folder, model_folder
from sk2d.models.card import read_facts
from sk2d.models.generate import generate
from sk2d.prompts import Prompt, get_prompt

ROOM = 16
"""Tokens of a context that must be left for an answer to be worth asking for."""


@dataclass(frozen=True)
class Asking:
    """How models are asked.

    Args:
        batch_size: Prompts that are answered together.
        max_new_tokens: Longest answer, in tokens.
        prompt_lookup: Tokens that are guessed ahead from the prompt; 0 for none. One prompt is
            answered at a time then.
        device: Where models run; None takes a GPU where there is one.
    """

    batch_size: int = 4
    max_new_tokens: int = 1024
    prompt_lookup: int = 0
    device: str | None = None

    def place(self) -> torch.device:
        """Give the device of the models."""
        if self.device is not None:
            return torch.device(self.device)
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def dtype(self) -> torch.dtype:
        """Give the dtype of the weights: half precision of the kind that the GPU computes in."""
        device = self.place()
        if device.type == "cpu":
            return torch.float32
        new = torch.cuda.get_device_capability(device) >= BF16_FROM
        return torch.bfloat16 if new else torch.float16


def folder_of(model: str) -> Path:
    """Find the folder that a model's name or path means.

    Args:
        model: A model folder, a run folder, a name under `models/` or a hub name.

    Returns:
        The folder.
    """
    path = Path(model)
    return model_folder(path) if path.is_dir() else base_folder(model)


def prompt_for(model: str, phase: str, wanted: str | None) -> Prompt:
    """Find the prompt that a model was trained with.

    Args:
        model: Folder or name of the model.
        phase: skeleton or skin.
        wanted: Name of a prompt, for a folder that does not say.

    Returns:
        The prompt.

    Raises:
        ModelError: The folder is another phase's, or of another version of its prompt.
        ConfigError: The folder does not say and no prompt is named, or another one is.
    """
    facts = read_facts(folder_of(model))
    if facts is None:
        if wanted is None:
            raise ConfigError(
                f"{model} does not say which prompt it was trained with",
                where=f"--{phase}",
                remedy="Give --prompt NAME; SK2Decompile's released weights take assembly",
            )
        return get_prompt(wanted)
    if facts.phase != phase:
        what, remedy = f"it is a {facts.phase} model", f"Give it as --{facts.phase}"
        raise ModelError(what, where=f"--{phase} {model}", remedy=remedy)
    prompt = get_prompt(facts.prompt)
    if wanted is not None and wanted != facts.prompt:
        what = f"{model} was trained with the prompt {facts.prompt}"
        raise ConfigError(what, where="--prompt", remedy="Leave --prompt out")
    if prompt.hash != facts.prompt_hash:
        raise ModelError(
            f"it was trained with another wording of the prompt {facts.prompt} "
            f"({facts.prompt_hash}; this version has {prompt.hash})",
            where=f"--{phase} {model}",
            remedy="Train it again, or use the version of sk2d that it was trained with",
        )
    return prompt


class Phase:
    """A loaded model with its prompt.

    Args:
        model: The model on its device.
        tokenizer: Its tokenizer.
        prompt: The prompt that it was trained with.
        asking: How it is asked.
        adapter: Name of its adapter, where two phases share a base.
    """

    def __init__(
        self,
        model: nn.Module,
        tokenizer: PreTrainedTokenizerBase,
        prompt: Prompt,
        asking: Asking,
        adapter: str | None = None,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.prompt = prompt
        self.asking = asking
        self.adapter = adapter
        config: Any = model.config
        positions = getattr(config.get_text_config(), "max_position_embeddings", None)
        self.longest = int(positions or 2**31) - ROOM

    def answers(self, codes: Sequence[str]) -> Iterator[Answer | None]:
        """Answer texts, in batches.

        Args:
            codes: Bare texts.

        Yields:
            One answer each, in their order; None for a text that leaves no room for an answer.
        """
        if self.adapter is not None:
            cast("Any", self.model).set_adapter(self.adapter)
        prompts = [self.prompt.render(code) for code in codes]
        lengths = [len(encode_prompt(prompt, self.tokenizer)) for prompt in prompts]
        size = 1 if self.asking.prompt_lookup else self.asking.batch_size
        for start in range(0, len(prompts), size):
            places = range(start, min(start + size, len(prompts)))
            fitting = [place for place in places if lengths[place] <= self.longest]
            made = generate(
                self.model,
                self.tokenizer,
                [prompts[place] for place in fitting],
                stop=self.prompt.stop,
                max_new_tokens=self.asking.max_new_tokens,
                prompt_lookup=self.asking.prompt_lookup,
            )
            by_place = dict(zip(fitting, made, strict=True))
            yield from (by_place.get(place) for place in places)
