"""Answers of a model, greedy or sampled, as text.

Shape letters: B prompts, P prompt positions (padded on the left), G generated positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerBase,
    StoppingCriteria,
    StoppingCriteriaList,
)

from sk2d.data.tokens import encode_prompt
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


class _StopStrings(StoppingCriteria):
    """Ends each row at its own stop string, and remembers how long the row was then."""

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, stop: Sequence[str], prompt: int
    ) -> None:
        self.tokenizer = tokenizer
        self.stop = stop
        self.prompt = prompt
        self.tail = tail_length(stop)
        self.lengths: dict[int, int] = {}

    def __call__(self, input_ids: Tensor, scores: Tensor, **kwargs: Any) -> Tensor:
        """Tell which rows have met a stop string."""
        ids_BG = input_ids[:, self.prompt :]
        generated = ids_BG.shape[1]
        for row, tail in enumerate(ids_BG[:, -self.tail :].tolist()):
            text = decode(self.tokenizer, tail)
            if row not in self.lengths and cut_at_stop(text, self.stop) is not None:
                self.lengths[row] = generated
        done = [row in self.lengths for row in range(len(ids_BG))]
        return torch.tensor(done, device=input_ids.device)


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
    if len(rows) > 1 and max(map(len, rows)) + max_new_tokens > context_length(model):
        return _one_by_one(
            model, tokenizer, prompts, stop, max_new_tokens, temperature, seed, prompt_lookup
        )
    ids_BP, mask_BP = left_padded(rows, pad, next(model.parameters()).device)
    causal_lm: Any = model
    stopper = _StopStrings(tokenizer, stop, ids_BP.shape[1])
    room = context_length(model) - ids_BP.shape[1]
    with answering(model, seed):
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
        to_answer(tokenizer, ids, ends, stop, stopper.lengths.get(row))
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
