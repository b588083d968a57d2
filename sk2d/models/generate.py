"""Answers of a model, greedy or sampled, as text.

Shape letters: B prompts, P prompt positions (padded on the left), G generated positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerBase,
    StoppingCriteria,
    StoppingCriteriaList,
)

from sk2d.data.tokens import encode_prompt


class Answer(NamedTuple):
    """What a model answered.

    Attributes:
        text: The answer without end token, stop string and anything after them.
        tokens: The generated tokens, the end token among them, without padding.
        finished: False when the answer was cut off by `max_new_tokens`.
    """

    text: str
    tokens: tuple[int, ...]
    finished: bool


def end_ids(model: nn.Module, tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """Give every token that ends an answer: those of the generation config and the tokenizer's.

    Args:
        model: A causal LM.
        tokenizer: Its tokenizer.

    Returns:
        The ids, sorted, each once.
    """
    config = getattr(model, "generation_config", None)
    stated = getattr(config, "eos_token_id", None)
    ids = {*(stated if isinstance(stated, list) else [stated]), tokenizer.eos_token_id}
    return sorted(int(token) for token in ids if token is not None)


def _cut(text: str, stop: Sequence[str]) -> str | None:
    """Give the text before the first stop string, or None when it holds none."""
    found = [place for place in (text.find(string) for string in stop if string) if place >= 0]
    return text[: min(found)] if found else None


class _StopStrings(StoppingCriteria):
    """Ends each row at its own stop string, and remembers how long the row was then."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, stop: Sequence[str], prompt: int
    ) -> None:
        self.tokenizer = tokenizer
        self.stop = stop
        self.prompt = prompt
        # A token gives at least one byte, so a stop string ends within this many tokens.
        self.tail = max((len(string.encode()) for string in stop), default=0) + 4
        self.lengths: dict[int, int] = {}

    def __call__(self, input_ids: Tensor, scores: Tensor, **kwargs: Any) -> Tensor:
        """Tell which rows have met a stop string."""
        ids_BG = input_ids[:, self.prompt :]
        generated = ids_BG.shape[1]
        for row, text in enumerate(_decode(self.tokenizer, ids_BG[:, -self.tail :].tolist())):
            if row not in self.lengths and _cut(text, self.stop) is not None:
                self.lengths[row] = generated
        done = [row in self.lengths for row in range(len(ids_BG))]
        return torch.tensor(done, device=input_ids.device)


def _decode(tokenizer: PreTrainedTokenizerBase, rows: list[list[int]]) -> list[str]:
    settings: dict[str, Any] = {
        "skip_special_tokens": True,
        "clean_up_tokenization_spaces": False,
    }
    return [str(tokenizer.decode(row, **settings)) for row in rows]


def _left_padded(rows: list[list[int]], pad: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Give ids_BP and mask_BP; prompts end together, as generation wants them."""
    width = max(len(row) for row in rows)
    ids = [[pad] * (width - len(row)) + row for row in rows]
    mask = [[0] * (width - len(row)) + [1] * len(row) for row in rows]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


@contextmanager
def _answering(model: nn.Module, seed: int) -> Iterator[None]:
    """Put the model in eval mode with a seeded RNG; mode and global RNG state come back after."""
    device = next(model.parameters()).device
    devices = [device] if device.type == "cuda" else []
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad(), torch.random.fork_rng(devices):
            torch.manual_seed(seed)
            yield
    finally:
        model.train(was_training)


def _settings(
    ends: list[int], pad: int, max_new_tokens: int, temperature: float
) -> GenerationConfig:
    """Spell every setting out: what is left out would come from the model's own config."""
    sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
    return GenerationConfig(
        max_new_tokens=max_new_tokens,
        eos_token_id=ends,
        pad_token_id=pad,
        use_cache=True,
        num_beams=1,
        repetition_penalty=1.0,
        no_repeat_ngram_size=0,
        **(sampling if temperature > 0 else {"do_sample": False}),
    )


def _positions(model: nn.Module) -> int:
    """Give how long a sequence of the model may be; learned positions end there."""
    config: Any = model.config
    return int(getattr(config.get_text_config(), "max_position_embeddings", None) or 2**31)


def generate(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    prompts: list[str],
    *,
    stop: Sequence[str],
    max_new_tokens: int,
    temperature: float = 0.0,
    seed: int = 0,
    prompt_lookup: int = 0,
) -> list[Answer]:
    """Answer prompts in one batch.

    Args:
        model: A causal LM, with or without LoRA.
        tokenizer: Its tokenizer.
        prompts: Rendered prompts (`Prompt.render`).
        stop: Strings that end an answer; they are cut off.
        max_new_tokens: Most tokens of an answer.
        temperature: 0 takes the likeliest token; above it samples from the whole vocabulary.
        seed: Seed of the sampling, which leaves the global RNG as it was.
        prompt_lookup: Tokens that are guessed ahead where the prompt repeats itself, and checked in
            one pass (Saxena 2023, "Prompt Lookup Decoding"); 0 for none. One prompt at a time.

    Returns:
        One answer per prompt, in order.
    """
    assert not prompt_lookup or len(prompts) <= 1, "guessing ahead works for one prompt at a time"
    if not prompts:
        return []
    ends = end_ids(model, tokenizer)
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else ends[0]
    rows = [encode_prompt(prompt, tokenizer) for prompt in prompts]
    if len(rows) > 1 and max(map(len, rows)) + max_new_tokens > _positions(model):
        return _one_by_one(
            model, tokenizer, prompts, stop, max_new_tokens, temperature, seed, prompt_lookup
        )
    ids_BP, mask_BP = _left_padded(rows, pad, next(model.parameters()).device)
    causal_lm: Any = model
    stopper = _StopStrings(tokenizer, stop, ids_BP.shape[1])
    room = _positions(model) - ids_BP.shape[1]
    with _answering(model, seed):
        settings = _settings(ends, pad, max(1, min(max_new_tokens, room)), temperature)
        settings.prompt_lookup_num_tokens = prompt_lookup or None
        output_BT = causal_lm.generate(
            input_ids=ids_BP,
            attention_mask=mask_BP,
            generation_config=settings,
            stopping_criteria=StoppingCriteriaList([stopper] if stop else []),
        )
    answers_BG = output_BT[:, ids_BP.shape[1] :].tolist()
    return [
        _answer(tokenizer, ids, ends, stop, stopper.lengths.get(row))
        for row, ids in enumerate(answers_BG)
    ]


def _one_by_one(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    prompts: list[str],
    stop: Sequence[str],
    max_new_tokens: int,
    temperature: float,
    seed: int,
    prompt_lookup: int,
) -> list[Answer]:
    """Answer prompts alone: beside one that nearly fills the context, the others had no room."""
    return [
        generate(
            model,
            tokenizer,
            [prompt],
            stop=stop,
            max_new_tokens=max_new_tokens,
            temperature=temperature,
            seed=seed + place,
            prompt_lookup=prompt_lookup,
        )[0]
        for place, prompt in enumerate(prompts)
    ]


def _answer(
    tokenizer: PreTrainedTokenizerBase,
    ids: list[int],
    ends: list[int],
    stop: Sequence[str],
    stopped: int | None,
) -> Answer:
    """Cut one row of generated ids at its end token or stop string."""
    ended = next((place + 1 for place, token in enumerate(ids) if token in ends), None)
    length = min(place for place in (ended, stopped, len(ids)) if place is not None)
    if stopped is not None:  # tokens that were guessed ahead come together
        length = _first_stop(tokenizer, ids, length, stop)
    text = _decode(tokenizer, [ids[:length]])[0]
    cut = _cut(text, stop)
    finished = ended is not None or stopped is not None
    return Answer(text if cut is None else cut, tuple(ids[:length]), finished)


def _first_stop(
    tokenizer: PreTrainedTokenizerBase, ids: list[int], length: int, stop: Sequence[str]
) -> int:
    """Give how many tokens it takes until a stop string is complete."""
    while length > 1 and _cut(_decode(tokenizer, [ids[: length - 1]])[0], stop) is not None:
        length -= 1
    return length
