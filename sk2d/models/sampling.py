"""Several answers of each prompt: the prompt is run once, and rows that have ended leave the batch.

Shape letters: B prompts, P prompt positions (padded on the left), T positions so far, G generated
positions, R rows (an answer each) in the batch, V vocabulary.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase

from sk2d.data.tokens import encode_prompts, pad_id
from sk2d.errors import ModelError
from sk2d.models.answers import (
    Answer,
    answering,
    context_length,
    cut_at_stop,
    decode,
    end_ids,
    left_padded,
    tail_length,
    to_answer,
)
from sk2d.models.attention import causal_lm_of
from sk2d.models.growing_cache import growing_cache

# Ended rows are taken out when at most this share of the batch goes on, as that copies the cache.
COMPACT_AT = 0.75
NOT_FINITE = -1  # in the place of a token


def draw(logits_RV: Tensor, temperature: float, uniform_R: Tensor) -> Tensor:
    """Draw a token of each row by the inverse of its cumulative distribution.

    Args:
        logits_RV: Logits in any precision.
        temperature: What they are divided by; 0 takes the likeliest token.
        uniform_R: Numbers in [0, 1), float64: float32 sums of a large vocabulary lose its tail.

    Returns:
        tokens_R; a token of probability 0 is never among them. -1 where logits are not finite.
    """
    logits_RV = logits_RV.float()
    highest_R1, likeliest_R1 = logits_RV.max(dim=-1, keepdim=True)
    tokens_R1 = likeliest_R1
    if temperature > 0:
        weights_RV = ((logits_RV - highest_R1) / temperature).exp_()
        sums_RV = weights_RV.cumsum(dim=-1, dtype=torch.float64)
        # The first place whose sum is above the number, so its own weight is above 0.
        drawn_R1 = torch.searchsorted(sums_RV, uniform_R[:, None] * sums_RV[:, -1:], right=True)
        drawn_R1.clamp_(max=logits_RV.shape[-1] - 1)
        # Rounding, and sums that a GPU adds up in several parts, may miss by one.
        tokens_R1 = torch.where(weights_RV.gather(1, drawn_R1) > 0, drawn_R1, likeliest_R1)
    return tokens_R1.where(highest_R1.isfinite(), NOT_FINITE).squeeze(1)


class _Batch:
    """The rows that a model is answering, with their cache."""

    def __init__(self, model: nn.Module, prompts: list[list[int]], pad: int) -> None:
        self.causal_lm = causal_lm_of(model)
        self.device = next(model.parameters()).device
        self.ids_RT, mask_RT = left_padded(prompts, pad, self.device)
        self.positions_RT = (mask_RT.cumsum(dim=-1) - 1).clamp_(min=0)
        # Attention is faster without a mask, and nothing is padded in prompts of one length.
        self.mask_RT = mask_RT if len({len(ids) for ids in prompts}) > 1 else None
        self.cache: Any = growing_cache(self.causal_lm.config)
        known = inspect.signature(self.causal_lm.forward).parameters
        self.settings: dict[str, Any] = {"use_cache": True}
        # transformers has called it `cache` since 5.24.
        self.settings["cache" if "cache" in known else "past_key_values"] = self.cache
        if "logits_to_keep" in known:
            self.settings["logits_to_keep"] = 1
        self.takes_positions = "position_ids" in known

    def prefill(self, copies: int) -> Tensor:
        """Run each prompt once, and let it be so many rows; gives logits_RV of what comes next."""
        logits_BV = self.logits()
        return logits_BV[self.select([b for b in range(len(logits_BV)) for _ in range(copies)])]

    def logits(self) -> Tensor:
        """Run the tokens that are not in the cache yet; gives logits_RV of what comes next."""
        positions = {"position_ids": self.positions_RT} if self.takes_positions else {}
        output = self.causal_lm(
            input_ids=self.ids_RT, attention_mask=self.mask_RT, **positions, **self.settings
        )
        return output.logits[:, -1]

    def select(self, places: list[int]) -> Tensor:
        """Keep the rows at these places, which it gives as a tensor; one may be there twice."""
        places_R = torch.tensor(places, device=self.device)
        self.cache.reorder_cache(places_R)
        self.positions_RT = self.positions_RT[places_R]
        self.mask_RT = None if self.mask_RT is None else self.mask_RT[places_R]
        return places_R

    def append(self, tokens_R: Tensor) -> None:
        """Put a token behind each row."""
        self.ids_RT = tokens_R[:, None]
        self.positions_RT = self.positions_RT[:, -1:] + 1
        if self.mask_RT is not None:
            self.mask_RT = torch.cat([self.mask_RT, torch.ones_like(self.ids_RT)], dim=-1)


class _Endings:
    """Tells where an answer ends."""

    def __init__(
        self, model: nn.Module, tokenizer: PreTrainedTokenizerBase, stop: Sequence[str]
    ) -> None:
        self.tokenizer = tokenizer
        self.ids = end_ids(model, tokenizer)
        self.stop = stop
        self.tail = tail_length(stop)
        # Bytes of a character that is not whole are shown as the replacement character.
        last = {string[-1] for string in stop if string}
        self.last = {*last, "\ufffd"} if last else last
        self.completing: dict[int, bool] = {}

    def stops(self, ids: list[int]) -> bool:
        """Tell whether the newest token completes a stop string; few can, so few are looked at."""
        token = ids[-1]
        if token not in self.completing:
            # Twice, as a tokenizer may strip the space at the start of what it decodes.
            text = decode(self.tokenizer, [token, token])
            self.completing[token] = not self.last.isdisjoint(text)
        if not self.completing[token]:
            return False
        return cut_at_stop(decode(self.tokenizer, ids[-self.tail :]), self.stop) is not None


class _Row:
    """An answer as it grows."""

    def __init__(self, endings: _Endings) -> None:
        self.endings = endings
        self.ids: list[int] = []
        self.stopped: int | None = None
        self.open = True

    def take(self, token: int) -> None:
        """Take the next token; after the end of the answer it is of no use."""
        if not self.open:
            return
        if token == NOT_FINITE:
            raise ModelError(
                f"token {len(self.ids) + 1} of an answer has logits that are NaN or infinite",
                remedy="Use bfloat16 or float32 in place of float16, or an earlier checkpoint",
            )
        self.ids.append(token)
        if self.endings.stops(self.ids):
            self.stopped = len(self.ids)
        self.open = self.stopped is None and token not in self.endings.ids

    def answer(self) -> Answer:
        """Give the whole answer."""
        endings = self.endings
        return to_answer(endings.tokenizer, self.ids, endings.ids, endings.stop, self.stopped)


def _grow(batch: _Batch, rows: list[_Row], numbers_GR: Tensor, temperature: float) -> None:
    """Sample rows to their ends, or as long as there are random numbers."""
    places = list(range(len(rows)))  # which row stands where in the batch
    logits_RV = batch.prefill(len(rows) // len(batch.ids_RT))
    for step in range(len(numbers_GR)):
        if step:
            logits_RV = batch.logits()
        tokens_R = draw(logits_RV, temperature, numbers_GR[step])
        for row, token in zip(places, tokens_R.tolist(), strict=True):
            rows[row].take(token)
        live = [place for place, row in enumerate(places) if rows[row].open]
        if not live:
            return
        if len(live) <= COMPACT_AT * len(places):
            live_R = batch.select(live)
            tokens_R, numbers_GR = tokens_R[live_R], numbers_GR[:, live_R]
            places = [places[place] for place in live]
        batch.append(tokens_R)


def _batches(lengths: list[int], longest: int) -> list[list[int]]:
    """Part prompts into those that leave room for whole answers, and each other alone.

    Beside one that nearly fills the context, the others had no room.
    """
    fitting = [place for place, length in enumerate(lengths) if length <= longest]
    alone = [[place] for place, length in enumerate(lengths) if length > longest]
    return [fitting, *alone] if fitting else alone


def sample_groups(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[str],
    *,
    per_prompt: int,
    stop: Sequence[str],
    max_new_tokens: int,
    temperature: float = 1.0,
    seed: int = 0,
) -> list[list[Answer]]:
    """Answer each prompt several times; all answers are sampled in one batch.

    The answers are those of `generate`, only faster. NaN or infinite logits are a `ModelError`.

    Args:
        model: A causal LM, with or without LoRA.
        tokenizer: Its tokenizer.
        prompts: Rendered prompts (`Prompt.render`).
        per_prompt: Answers of each prompt.
        stop: Strings that end an answer; they are cut off.
        max_new_tokens: Most tokens of an answer.
        temperature: 0 takes the likeliest token; above it samples from the whole vocabulary.
        seed: Seed of the sampling, which leaves the global RNG as it was.

    Returns:
        The answers of each prompt, in order.
    """
    if not prompts:
        return []
    ids = encode_prompts(prompts, tokenizer)
    endings = _Endings(model, tokenizer, stop)
    groups = [[_Row(endings) for _ in range(per_prompt)] for _ in ids]
    numbers_GBN = _random_numbers(model, seed, (max_new_tokens, len(ids), per_prompt))
    positions = context_length(model)
    with answering(model, seed):
        for places in _batches([len(row) for row in ids], positions - max_new_tokens):
            batch = _Batch(model, [ids[place] for place in places], pad_id(tokenizer))
            room = max(1, positions - batch.ids_RT.shape[1])
            _grow(
                batch,
                [row for place in places for row in groups[place]],
                numbers_GBN[:room, places].flatten(1),
                temperature,
            )
    return [[row.answer() for row in group] for group in groups]


def _random_numbers(model: nn.Module, seed: int, shape: tuple[int, ...]) -> Tensor:
    """Draw all numbers beforehand: a row's do not depend on what became of the others."""
    device = next(model.parameters()).device
    generator = torch.Generator(device).manual_seed(seed)
    return torch.rand(shape, generator=generator, device=device, dtype=torch.float64)
