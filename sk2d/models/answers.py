"""An answer of a model, and what every way of answering shares: padding, modes, where answers end.

Shape letters: B prompts, P prompt positions (padded on the left).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from transformers import PreTrainedTokenizerBase


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


def context_length(model: nn.Module) -> int:
    """Give how long a sequence of a model may be; learned positions end there.

    Args:
        model: A causal LM.

    Returns:
        Tokens; a very large number when its config names none.
    """
    config: Any = model.config
    return int(getattr(config.get_text_config(), "max_position_embeddings", None) or 2**31)


def left_padded(rows: list[list[int]], pad: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Put prompts into one batch; they end together, as generation wants them.

    Args:
        rows: Ids of each prompt.
        pad: Id that fills the rows on the left.
        device: Where the batch goes.

    Returns:
        ids_BP, and mask_BP with 0 at padding.
    """
    width = max(len(row) for row in rows)
    ids = [[pad] * (width - len(row)) + row for row in rows]
    mask = [[0] * (width - len(row)) + [1] * len(row) for row in rows]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


@contextmanager
def answering(model: nn.Module, seed: int) -> Iterator[None]:
    """Put a model in eval mode with a seeded RNG; mode and global RNG state come back after.

    Args:
        model: A causal LM.
        seed: Seed of the global RNG meanwhile.

    Yields:
        Nothing.
    """
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


def decode(tokenizer: PreTrainedTokenizerBase, ids: list[int]) -> str:
    """Give the text of generated tokens.

    Args:
        tokenizer: The model's tokenizer.
        ids: Tokens.

    Returns:
        Their text, as it is; special tokens have none.
    """
    settings: dict[str, Any] = {
        "skip_special_tokens": True,
        "clean_up_tokenization_spaces": False,
    }
    return str(tokenizer.decode(ids, **settings))


def cut_at_stop(text: str, stop: Sequence[str]) -> str | None:
    """Cut a text at its first stop string.

    Args:
        text: Text of an answer.
        stop: Strings that end it.

    Returns:
        The text before, or None when it holds none of them.
    """
    found = [place for place in (text.find(string) for string in stop if string) if place >= 0]
    return text[: min(found)] if found else None


def tail_length(stop: Sequence[str]) -> int:
    """Give how many tokens at the end of an answer are enough to see a stop string in them.

    Args:
        stop: Strings that end an answer.

    Returns:
        Tokens. A token gives at least one byte, so a stop string ends within as many as it has
        bytes; the few more hold a character that the tail begins in the middle of.
    """
    return max((len(string.encode()) for string in stop), default=0) + 4


def to_answer(
    tokenizer: PreTrainedTokenizerBase,
    ids: list[int],
    ends: Sequence[int],
    stop: Sequence[str],
    stopped: int | None,
) -> Answer:
    """Cut one row of generated ids at its end token or stop string.

    Args:
        tokenizer: The model's tokenizer.
        ids: Generated tokens; what follows an end may be anything.
        ends: Tokens that end an answer.
        stop: Strings that end an answer.
        stopped: How many tokens there were when a stop string was seen; None when none was.

    Returns:
        The answer.
    """
    ended = next((place + 1 for place, token in enumerate(ids) if token in ends), None)
    length = min(place for place in (ended, stopped, len(ids)) if place is not None)
    if stopped is not None:  # tokens that were guessed ahead come together
        length = _first_stop(tokenizer, ids, length, stop)
    text = decode(tokenizer, ids[:length])
    cut = cut_at_stop(text, stop)
    finished = ended is not None or stopped is not None
    return Answer(text if cut is None else cut, tuple(ids[:length]), finished)


def _first_stop(
    tokenizer: PreTrainedTokenizerBase, ids: list[int], length: int, stop: Sequence[str]
) -> int:
    """Give how many tokens it takes until a stop string is complete."""
    while length > 1 and cut_at_stop(decode(tokenizer, ids[: length - 1]), stop) is not None:
        length -= 1
    return length
