"""The tensors of answers whose tokens are to be judged; a prompt is there once for all its answers.

Shape letters: B rows, T positions, N answer tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from sk2d.models.attention import causal_lm_of


class AnsweredPrompt(NamedTuple):
    """A prompt with some of its answers.

    Attributes:
        prompt: Token ids of the prompt.
        answers: Token ids of each answer, its end token among them.
        rows: Number of each answer within the step.
    """

    prompt: Sequence[int]
    answers: Sequence[Sequence[int]]
    rows: Sequence[int]


class AnswerTokens(NamedTuple):
    """One pass through the model, and where its answers' tokens are predicted.

    Attributes:
        inputs: Keyword arguments of the backbone; `input_ids` is (B, T).
        places_N: Positions of the flattened (B, T) whose hidden states predict the tokens.
        targets_N: The tokens.
        rows_N: Which answer of the step each token belongs to.
        columns_N: Its place in the answer, from 0.
    """

    inputs: dict[str, Any]
    places_N: Tensor
    targets_N: Tensor
    rows_N: Tensor
    columns_N: Tensor

    def to(self, device: torch.device) -> AnswerTokens:
        """Move the tensors.

        Args:
            device: Where to.

        Returns:
            The same tokens there.
        """
        moved = {
            key: value.to(device) if isinstance(value, Tensor) else value
            for key, value in self.inputs.items()
        }
        return AnswerTokens(moved, *(tensor.to(device) for tensor in self[1:]))


class _Layout:
    """Ids, positions and spans that grow row by row, and the places that predict."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.positions: list[int] = []
        self.bounds = [0]
        self.prefixes: list[tuple[int, int]] = []
        self.places: list[int] = []
        self.targets: list[int] = []
        self.rows: list[int] = []
        self.columns: list[int] = []

    def add_span(self, ids: Sequence[int], first: int, prefix: tuple[int, int]) -> int:
        """Put ids down; gives where they start."""
        start = len(self.ids)
        if ids:
            self.ids += ids
            self.positions += range(first, first + len(ids))
            self.bounds.append(len(self.ids))
            self.prefixes.append(prefix)
        return start

    def predict(self, answer: Sequence[int], row: int, last: int, start: int) -> None:
        """Note where an answer is predicted: its first token by the prompt's last position."""
        self.places += [last, *range(start, start + len(answer) - 1)]
        self.targets += answer
        self.rows += [row] * len(answer)
        self.columns += range(len(answer))

    def tokens(self, inputs: dict[str, Any]) -> AnswerTokens:
        """Give the finished batch."""
        numbers = (self.places, self.targets, self.rows, self.columns)
        return AnswerTokens(inputs, *map(torch.tensor, numbers))


def packed(prompts: Iterable[AnsweredPrompt]) -> AnswerTokens:
    """Lay prompts and answers out as one sequence; each answer continues its prompt alone.

    The last token of an answer predicts nothing and is left out.

    Args:
        prompts: Prompts with their answers, none of them empty.

    Returns:
        A pass of shape (1, T) for `sk2d_packed` attention.
    """
    layout = _Layout()
    for each in prompts:
        start = layout.add_span(each.prompt, 0, (0, 0))
        prefix = (start, start + len(each.prompt))
        for answer, row in zip(each.answers, each.rows, strict=True):
            own = layout.add_span(answer[:-1], len(each.prompt), prefix)
            layout.predict(answer, row, prefix[1] - 1, own)
    return layout.tokens(
        {
            "input_ids": torch.tensor([layout.ids]),
            "position_ids": torch.tensor([layout.positions]),
            # Models hand a mask of four dimensions on as it is, and this attention needs none.
            "attention_mask": torch.ones((1, 1, 1, 1), dtype=torch.bool),
            "use_cache": False,
            "sk2d_cu_seqlens": tuple(layout.bounds),
            "sk2d_prefixes": tuple(layout.prefixes),
        }
    )


def padded(prompts: Iterable[AnsweredPrompt], pad_id: int) -> AnswerTokens:
    """Lay each answer out behind a copy of its prompt, one row per answer, filled on the right.

    Args:
        prompts: Prompts with their answers, none of them empty.
        pad_id: Id of the filling.

    Returns:
        A pass of shape (B, T) for any attention.
    """
    rows = [(p.prompt, a, row) for p in prompts for a, row in zip(p.answers, p.rows, strict=True)]
    width = max(len(prompt) + len(answer) - 1 for prompt, answer, _ in rows)
    layout, lengths = _Layout(), []
    for number, (prompt, answer, row) in enumerate(rows):
        ids = [*prompt, *answer[:-1]]
        lengths.append(len(ids))
        layout.ids += ids + [pad_id] * (width - len(ids))
        first = number * width + len(prompt)
        layout.predict(answer, row, first - 1, first)
    positions_T = torch.arange(width)
    return layout.tokens(
        {
            "input_ids": torch.tensor(layout.ids).view(len(rows), width),
            "position_ids": positions_T.expand(len(rows), width).contiguous(),
            "attention_mask": (positions_T < torch.tensor(lengths)[:, None]).long(),
            "use_cache": False,
        }
    )


def hidden_states(model: nn.Module, tokens: AnswerTokens) -> Tensor:
    """Run the backbone and take what predicts the answers' tokens.

    Args:
        model: A causal LM, with or without LoRA.
        tokens: A pass, on the model's device.

    Returns:
        hidden_NH.
    """
    hidden_BTH: Tensor = causal_lm_of(model).base_model(**tokens.inputs)[0]
    return hidden_BTH.flatten(0, 1).index_select(0, tokens.places_N)


def micro_batches(
    prompts: Sequence[AnsweredPrompt], size: int
) -> Iterator[Sequence[AnsweredPrompt]]:
    """Cut the prompts of an update into passes.

    Args:
        prompts: Prompts with their answers.
        size: Prompts of a pass.

    Yields:
        So many prompts, the last time perhaps fewer.
    """
    for start in range(0, len(prompts), size):
        yield prompts[start : start + size]
