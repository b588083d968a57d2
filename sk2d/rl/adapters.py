"""One reward, three callers: verl and TRL call it by their own conventions."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sk2d.corpus.rl_rows import phase_of
from sk2d.rewards.candidates import Reward, candidate_from
from sk2d.rl.rewarding import DEFAULT_EMBEDDER, build_reward
from sk2d.rl.scoring import scored


def trl_reward(reward: Reward) -> Callable[..., list[float | None]]:
    """Give a reward the shape that TRL's trainers call.

    Args:
        reward: The reward.

    Returns:
        A function of `completions` and of the rows' columns as lists, among them `reference`,
        `header` and `func_name`; it gives a number, or None, for each completion.
    """

    def rewarded(completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Score completions, plain texts or chats of one message."""
        texts = [text if isinstance(text, str) else text[-1]["content"] for text in completions]
        rows = [_row(columns, place, len(texts)) for place in range(len(texts))]
        found = [candidate_from(text, row) for text, row in zip(texts, rows, strict=True)]
        return [score.score for score in scored(reward, found)]

    return rewarded


def _row(columns: Mapping[str, Any], place: int, count: int) -> dict[str, Any]:
    return {
        key: values[place]
        for key, values in columns.items()
        if isinstance(values, list | tuple) and len(values) == count
    }


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Score one answer as verl calls a reward: by keyword, from threads.

    Args:
        data_source: Which rows it is from (see `sk2d.corpus.rl_rows.DATA_SOURCES`).
        solution_str: The answer.
        ground_truth: The reference.
        extra_info: The row's `header`, `func_name`, and whatever else it has.
        kwargs: `mode`, and for the Skin `embedder`.

    Returns:
        `score` (0 where it cannot be judged, since verl takes numbers only), `cannot_judge` (0 or
        1), `verdict`, and the parts.

    Raises:
        DataError: There is no reward for such rows.
    """  # noqa: DOC502
    phase = phase_of(data_source)
    reward = _reward(phase, kwargs.get("mode", "strict"), kwargs.get("embedder", DEFAULT_EMBEDDER))
    row = {"reference": ground_truth, **(extra_info or {})}
    (score,) = scored(reward, [candidate_from(solution_str, row)])
    failed = score.score is None
    found = {"score": 0.0 if failed else score.score, "cannot_judge": float(failed)}
    return {**found, "verdict": str(score.verdict), **score.parts}


_LOCK: Final = threading.Lock()


def _reward(phase: str, mode: str, embedder: str) -> Reward:
    with _LOCK:  # an embedder is loaded once, though threads ask at the same time
        return _built(phase, mode, embedder)


@functools.lru_cache(maxsize=8)
def _built(phase: str, mode: str, embedder: str) -> Reward:
    return build_reward(phase, mode, embedder)  # type: ignore[arg-type]  # it checks them
