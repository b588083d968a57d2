"""`rollouts.jsonl`: every answer that a run was trained on, with its verdict and each part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sk2d.corpus.files import atomic_file

if TYPE_CHECKING:  # rollouts need torch, which a reader of the journal need not have
    from sk2d.rl.rollouts import Rollout

ROLLOUTS = "rollouts.jsonl"
LEFT_OUT = "left_out.jsonl"
"""Rows that the reward cannot be used for, with the reason."""


def records(
    step: int, rollouts: Sequence[Rollout], advantages: Sequence[float]
) -> list[dict[str, Any]]:
    """Make the lines of a step, one for each prompt.

    Args:
        step: Number of the step, from 1.
        rollouts: Its answers, those of a prompt together.
        advantages: The (mean) advantage of each.

    Returns:
        Plain values.
    """
    pairs = zip(rollouts, advantages, strict=True)
    return [
        _record(step, list(group)) for _, group in groupby(pairs, key=lambda pair: pair[0].group)
    ]


def _record(step: int, group: Sequence[tuple[Rollout, float]]) -> dict[str, Any]:
    row = group[0][0].row
    return {
        "step": step,
        "id": row.id,
        "func_name": row.func_name,
        "source": row.source,
        "reference": row.reference,
        "answers": [_answer(rollout, advantage) for rollout, advantage in group],
    }


def _answer(rollout: Rollout, advantage: float) -> dict[str, Any]:
    answer, score = rollout.answer, rollout.score
    return {
        "answer": answer.text,
        "tokens": len(answer.tokens),
        "finished": answer.finished,
        "score": score.score,
        "verdict": str(score.verdict),
        "parts": dict(score.parts),
        "message": score.message,
        "advantage": round(advantage, 6),
    }


def append(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Add the lines of a step.

    Args:
        path: The journal.
        lines: What `records` made.
    """
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def cut_after(path: Path, step: int) -> None:
    """Drop the lines after a step, which a resumed run writes again, and half a line at the end.

    Args:
        path: The journal; it need not exist.
        step: Last step that is kept.
    """
    if not path.is_file():
        return
    with path.open("rb") as old, atomic_file(path) as new:
        for line in old:
            if not line.endswith(b"\n") or json.loads(line)["step"] > step:
                break
            new.write(line)
