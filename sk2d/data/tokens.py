"""Text to token ids: the same ids for training, reinforcement learning and inference.

Prompt and target are tokenised apart and their ids joined, as they are when a model answers: a
tokenizer that merges over the boundary would else show it, in training, a prompt that it is never
asked with. Ids of special tokens always come from the tokenizer.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from sk2d.errors import ModelError

IGNORED = -100  # label of a token that does not reach the loss

TooLong = Literal["drop", "cut_prompt"]


class Joined(NamedTuple):
    """A prompt and its target as one sequence.

    Args:
        input_ids: Ids of the prompt, then those of the target with its end token.
        prompt_len: How many of them belong to the prompt.
        cut: Whether the prompt lost tokens on its left.
    """

    input_ids: list[int]
    prompt_len: int
    cut: bool


def encode_prompts(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """Encode whole prompts, many at once.

    The texts are data: a special token's spelling inside them becomes ordinary tokens. What the
    tokenizer puts before a text by itself (BOS, or nothing) stands before each, once, also when
    the text already began with the spelling of BOS; no end token follows.

    Args:
        texts: Prompts with the code in them.
        tokenizer: A Hugging Face tokenizer.

    Returns:
        The ids of each prompt.
    """
    prefix = prefix_ids(tokenizer)
    bare = [_without_bos(text, tokenizer.bos_token) for text in texts]
    return [prefix + ids for ids in _plain_ids(bare, tokenizer)]


def encode_prompt(text: str, tokenizer: Any) -> list[int]:
    """Encode one whole prompt; see `encode_prompts`.

    Args:
        text: Prompt with the code in it.
        tokenizer: A Hugging Face tokenizer.

    Returns:
        Its ids.
    """
    return encode_prompts([text], tokenizer)[0]


def encode_targets(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """Encode targets, many at once; each ends with exactly one end token.

    Args:
        texts: Texts that the model is to answer.
        tokenizer: A Hugging Face tokenizer.

    Returns:
        The ids of each target and its end token.
    """
    end = end_id(tokenizer)
    return [[*ids, end] for ids in _plain_ids(texts, tokenizer)]


def encode_target(text: str, tokenizer: Any) -> list[int]:
    """Encode one target; see `encode_targets`.

    Args:
        text: Text that the model is to answer.
        tokenizer: A Hugging Face tokenizer.

    Returns:
        Its ids and one end token.
    """
    return encode_targets([text], tokenizer)[0]


def end_id(tokenizer: Any) -> int:
    """Give the id of the token that ends an answer.

    Args:
        tokenizer: A Hugging Face tokenizer.

    Returns:
        The tokenizer's EOS id.

    Raises:
        ModelError: The tokenizer has no EOS token.
    """
    if tokenizer.eos_token_id is None:
        raise ModelError(
            "the tokenizer has no end token (eos_token), so a model could not learn to stop",
            where=_name(tokenizer),
            remedy="Set eos_token in its tokenizer_config.json",
        )
    return int(tokenizer.eos_token_id)


def pad_id(tokenizer: Any) -> int:
    """Give the id that fills short rows; it is masked by position, so it may equal the end token.

    Args:
        tokenizer: A Hugging Face tokenizer.

    Returns:
        The tokenizer's pad id, or its end token's where it has none.
    """
    pad = tokenizer.pad_token_id
    return end_id(tokenizer) if pad is None else int(pad)


def prefix_ids(tokenizer: Any) -> list[int]:
    """Give what the tokenizer puts before a text by itself: usually one BOS, or nothing.

    Args:
        tokenizer: A Hugging Face tokenizer.

    Returns:
        The ids before the text.
    """
    probe = "int"
    plain = tokenizer(probe, add_special_tokens=False)["input_ids"]
    whole = tokenizer(probe)["input_ids"]
    starts = range(len(whole) - len(plain) + 1)
    start = next((at for at in starts if whole[at : at + len(plain)] == plain), 0)
    return list(whole[:start])


def join(
    prompt_ids: Sequence[int],
    target_ids: Sequence[int],
    max_len: int,
    too_long: TooLong = "drop",
    keep: int = 0,
) -> Joined | None:
    """Join a prompt and its target, and deal with what is too long.

    The target is never cut: a cut answer has no end token, and teaches a model not to stop.

    Args:
        prompt_ids: Ids of the prompt.
        target_ids: Ids of the target with its end token.
        max_len: The most tokens that a row may have.
        too_long: "drop" leaves a row out that does not fit; "cut_prompt" cuts its prompt on the
            left, behind the first `keep` ids, as long as those, and at least one id, stay.
        keep: How many ids at the start of the prompt (BOS) are not cut away.

    Returns:
        The row, or None when it does not fit.
    """
    room = max_len - len(target_ids)
    if len(prompt_ids) <= room:
        return Joined([*prompt_ids, *target_ids], len(prompt_ids), cut=False)
    if too_long == "drop" or room < max(keep, 1):
        return None
    tail = prompt_ids[len(prompt_ids) - (room - keep) :]
    return Joined([*prompt_ids[:keep], *tail, *target_ids], room, cut=True)


def build(
    prompt: str,
    target: str,
    tokenizer: Any,
    max_len: int,
    too_long: TooLong = "drop",
) -> tuple[list[int], list[int]] | None:
    """Build the ids and labels of one supervised row.

    Args:
        prompt: The whole prompt, as `Prompt.render` gives it.
        target: The answer, as `Prompt.target` gives it.
        tokenizer: A Hugging Face tokenizer.
        max_len: The most tokens that a row may have.
        too_long: What happens to longer ones; see `join`.

    Returns:
        Ids and labels of equal length, -100 on the prompt; None when the row does not fit.
    """
    joined = join(
        encode_prompt(prompt, tokenizer),
        encode_target(target, tokenizer),
        max_len,
        too_long,
        len(prefix_ids(tokenizer)),
    )
    if joined is None:
        return None
    ids, prompt_len, _ = joined
    return ids, [IGNORED] * prompt_len + ids[prompt_len:]


def tokenizer_hash(tokenizer: Any) -> str:
    """Give a hash that changes when the ids of a text may change.

    Args:
        tokenizer: A fast Hugging Face tokenizer.

    Returns:
        Hex digits of a SHA-256.

    Raises:
        ModelError: The tokenizer is none of the fast ones, whose rules can be read.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ModelError(
            "the tokenizer is not a fast one",
            where=_name(tokenizer),
            remedy="Convert it to a tokenizer.json",
        )
    rules = json.loads(backend.to_str())
    # Both change when somebody pads or truncates, and neither changes an id here.
    rules["padding"] = rules["truncation"] = None
    special = [tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id]
    return hashlib.sha256(json.dumps([rules, special], sort_keys=True).encode()).hexdigest()


def _name(tokenizer: Any) -> str:
    return str(getattr(tokenizer, "name_or_path", "") or type(tokenizer).__name__)


def _without_bos(text: str, bos: str | None) -> str:
    while bos and text.startswith(bos):
        text = text.removeprefix(bos)
    return text


def _plain_ids(texts: Sequence[str], tokenizer: Any) -> list[list[int]]:
    """Encode texts without adding a special token or finding one in them."""
    if not texts:
        return []
    markers = _unmarked_specials(tokenizer)
    pieces = [_cut_inside(text, markers) for text in texts]
    encoded = tokenizer(
        list(chain.from_iterable(pieces)),
        add_special_tokens=False,
        split_special_tokens=True,
        return_attention_mask=False,
        verbose=False,
    )
    ids: Iterator[list[int]] = iter(encoded["input_ids"])
    return [list(chain.from_iterable(next(ids) for _ in parts)) for parts in pieces]


def _unmarked_specials(tokenizer: Any) -> re.Pattern[str] | None:
    """Match control tokens that are not marked special, so that the tokenizer finds them in text.

    `split_special_tokens` covers only marked ones; DeepSeek-Coder's <|EOT|> is not marked.
    """
    added = getattr(tokenizer, "added_tokens_decoder", {}).values()
    found = [token.content for token in added if not token.special]
    control = [re.escape(text) for text in found if re.fullmatch(r"<.+>", text)]
    return re.compile("|".join(sorted(control, key=len, reverse=True))) if control else None


def _cut_inside(text: str, markers: re.Pattern[str] | None) -> list[str]:
    """Cut a text behind the first character of each marker, so that none is left whole."""
    if markers is None:
        return [text]
    cuts = [0, *(match.start() + 1 for match in markers.finditer(text)), len(text)]
    return [text[start:end] for start, end in zip(cuts, cuts[1:], strict=False)]
