"""What is logged of generated answers: the evaluation's own measures, as torchmetrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from lightning.pytorch.utilities.rank_zero import rank_zero_warn
from torch import Tensor
from torchmetrics import Metric, MetricCollection

from sk2d.c import infer
from sk2d.errors import JailError, SourceError
from sk2d.metrics.edits import edit_similarity, formatted
from sk2d.metrics.executability import header_of
from sk2d.metrics.identifiers import name_similarity
from sk2d.rewards.placeholders import placeholder_jaccard
from sk2d.sandbox import compile_c
from sk2d.sandbox.testing import compile_candidate
from sk2d.sandbox.toolchain import find_compiler

Value = Callable[[str, str], float | None]
"""Takes an answer and its reference; None where the answer cannot be judged."""


class AnswerMetric(Metric):
    """Mean of a value of each answer.

    Args:
        value: The value of one answer.
        kwargs: Arguments of torchmetrics.
    """

    higher_is_better = True
    is_differentiable = False
    full_state_update = False
    total: Tensor
    count: Tensor

    def __init__(self, value: Value, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.value = value
        self.add_state("total", torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("count", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, answers: Sequence[str], references: Sequence[str]) -> None:
        """Add answers.

        Args:
            answers: What the model wrote.
            references: What it should have written, in the same order.
        """
        for answer, reference in zip(answers, references, strict=True):
            value = self.value(answer, reference)
            if value is not None:
                self.total += value
                self.count += 1

    def compute(self) -> Tensor:
        """Give the mean, a scalar; NaN where no answer could be judged."""
        return (self.total / self.count).float()


def exact_match(answer: str, reference: str) -> float:
    """Tell whether an answer is its reference, but for white space at its ends."""
    return float(answer.strip() == reference.strip())


def near(answer: str, reference: str) -> float:
    """Give the edit similarity of the formatted texts."""
    first, second = formatted([answer, reference])
    return edit_similarity(first, second)


def names(answer: str, reference: str) -> float | None:
    """Give the F1 of the words of names."""
    return name_similarity(answer, reference)["all"]


def ir_compiles(answer: str, reference: str) -> float | None:
    """Tell whether an IR compiles with the header of its reference, as the reward asks."""
    try:
        header = infer(reference)
    except SourceError:
        return None
    return _judged(lambda: compile_c(header + answer).compiles)


def code_compiles(answer: str, reference: str) -> float | None:
    """Tell whether C compiles with its own header, as the evaluation asks."""
    try:
        header = header_of(answer)
    except SourceError:
        return 0.0
    return _judged(lambda: compile_candidate(answer, header=header).compiles)


def _judged(compiles: Callable[[], bool]) -> float | None:
    """Ask the compiler; a jail that fails must not end a training run."""
    try:
        return float(compiles())
    except JailError as error:
        rank_zero_warn(f"an answer could not be compiled, and is left out: {error}")
        return None


COMMON: Final[dict[str, Value]] = {"exact_match": exact_match, "edit_similarity": near}
OF_PHASE: Final[dict[str, dict[str, Value]]] = {
    "skeleton": {"compile_rate": ir_compiles, "placeholders": placeholder_jaccard},
    "skin": {"compile_rate": code_compiles, "names": names},
}
NAMES: Final = tuple(dict.fromkeys([*COMMON, *(n for each in OF_PHASE.values() for n in each)]))
"""All there are, in the order of columns."""


def answer_metrics(phase: str) -> MetricCollection:
    """Give what is logged of a phase's answers.

    Args:
        phase: skeleton or skin.

    Returns:
        Metrics by name; without a compiler on this machine there is no compile rate.
    """
    values = COMMON | OF_PHASE.get(phase, {})
    if find_compiler("gcc") is None and "compile_rate" in values:
        rank_zero_warn("there is no gcc here, so the compile rate of answers is not logged")
        values = {name: value for name, value in values.items() if name != "compile_rate"}
    metrics: dict[str, Metric | MetricCollection] = {
        name: AnswerMetric(value) for name, value in values.items()
    }
    return MetricCollection(metrics, compute_groups=False)
