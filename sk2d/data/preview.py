"""Rows as they reach the loss: what is masked is dim, what is supervised is bright.

The supervised part also stands between ⟦ and ⟧, so that it is told apart without colours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from sk2d.data.batches import Example

MASKED, SUPERVISED = "dim", "bold green"
OPEN, CLOSE = "⟦", "⟧"
END = "■"  # stands for the end token

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def preview(examples: Sequence[Example], tokenizer: Any, *, cutoff: int) -> RenderableType:
    """Show rows, each with its counts.

    Args:
        examples: The rows.
        tokenizer: The tokenizer that made them.
        cutoff: The most tokens that a row may have.

    Returns:
        Something that rich prints.
    """
    blocks: list[RenderableType] = [
        Text.assemble("masked ", ("dim", MASKED), f", supervised {OPEN}", ("bright", SUPERVISED))
        + Text(f"{CLOSE}, end token {END}")
    ]
    for example in examples:
        blocks += [Rule(f"row {example.row}"), _row(example, tokenizer), _counts(example, cutoff)]
    return Group(*blocks)


def preview_text(prompt: str, answer: str) -> Text:
    """Show a row whose tokens are not known, since the tokenizer is elsewhere.

    Args:
        prompt: The rendered prompt, which is masked.
        answer: The answer, which is supervised together with the end token.

    Returns:
        Something that rich prints.
    """
    return _coloured(_visible(prompt), _visible(answer), ended=True)


def preview_question(title: str, prompt: str, reference: str) -> RenderableType:
    """Show a row of reinforcement learning: what is asked, and dim what answers are judged by.

    Args:
        title: What stands above it.
        prompt: The rendered prompt.
        reference: The true answer, which the model does not see.

    Returns:
        Something that rich prints.
    """
    shown = Text(_visible(prompt)).append(_visible(reference), style=MASKED)
    return Group(Rule(Text(_visible(title))), shown)


def _row(example: Example, tokenizer: Any) -> Text:
    prompt, answer = _parts(example)
    ended = bool(answer) and answer[-1] == tokenizer.eos_token_id
    shown = _decoded(tokenizer, answer[:-1] if ended else answer)
    return _coloured(_decoded(tokenizer, prompt), shown, ended=ended)


def _coloured(prompt: str, answer: str, *, ended: bool) -> Text:
    text = Text().append(prompt, style=MASKED).append(OPEN)
    text.append(answer + (END if ended else ""), style=SUPERVISED)
    return text.append(CLOSE)


def _counts(example: Example, cutoff: int) -> Text:
    prompt, answer = _parts(example)
    return Text(f"prompt {len(prompt)} tokens, supervised {len(answer)}, cutoff {cutoff}")


def _parts(example: Example) -> tuple[list[int], list[int]]:
    ids = [int(token) for token in example.input_ids]
    start = max(example.prompt_len, 1)
    return ids[:start], ids[start:]


def _decoded(tokenizer: Any, ids: list[int]) -> str:
    return _visible(tokenizer.decode(ids, clean_up_tokenization_spaces=False))


def _visible(text: str) -> str:
    """Put pictures in place of control characters, which a terminal would obey."""
    return _CONTROL.sub(lambda match: _picture(match[0]), text)


def _picture(character: str) -> str:
    return "␡" if character == "\x7f" else chr(0x2400 + ord(character))
