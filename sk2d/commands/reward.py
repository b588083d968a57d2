"""`reward`: score candidates from the shell with the very code that RL uses."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from sk2d.c.inference import infer
from sk2d.corpus.files import read_rows
from sk2d.corpus.rows import CODE, DEPS, FUNC_NAME, HEADER, ID, IR, TEST
from sk2d.errors import DataError, SourceError
from sk2d.rewards.candidates import Candidate, Score, candidate_from
from sk2d.rewards.structure import Weights
from sk2d.rl.rewarding import DEFAULT_EMBEDDER, RewardMode, RewardPhase, build_reward

CANDIDATE, REFERENCE = "candidate", "reference"
BATCH = 256
"""Rows that are judged together; their scores are printed as soon as they are there."""


def reward(
    input: Path,
    mode: RewardMode = "strict",
    phase: RewardPhase | None = None,
    embedder: str = DEFAULT_EMBEDDER,
    warnings_weight: float = 0.0,
    tests_weight: float = 0.0,
    workers: int | None = None,
) -> None:
    """Score candidates, one JSON line for each row: `id, score, verdict, parts, seconds, message`.

    Rows hold `id, candidate, reference, func_name` and `header`; where `header` is missing or null
    it is inferred from the reference. Further columns: `ir` for the Skin, `test` and `deps`. A
    score of null means that it cannot be judged here, because the jail or the embedder failed.

    Args:
        input: The rows (.jsonl, .json or .parquet).
        mode: How strictly; lexical is for the Skin only. docs/rewards.md tells them apart.
        phase: Whose reward: that of the structure (skeleton) or that of the names (skin). Without
            it, skeleton; skin for lexical.
        embedder: For the Skin: minilm, a model folder, or the address of an endpoint.
        warnings_weight: Taken off for each kind of warning that the reference does not cause.
        tests_weight: Paid for a passed test, for rows that have one.
        workers: Compilers side by side; without it, one per core.
    """
    weights = Weights(warnings=warnings_weight, tests=tests_weight)
    whose = phase or ("skin" if mode == "lexical" else "skeleton")
    judge = build_reward(whose, mode, embedder, weights, workers)
    rows = _rows(input, infers=whose == "skeleton")
    while batch := list(islice(rows, BATCH)):
        scores = judge([candidate for _, candidate in batch])
        for (name, _), score in zip(batch, scores, strict=True):
            sys.stdout.write(json.dumps(as_json(name, score)) + "\n")
        sys.stdout.flush()


def as_json(name: Any, score: Score) -> dict[str, Any]:
    """Write a score as the command prints it.

    Args:
        name: The row's id.
        score: Its score.

    Returns:
        Plain values.
    """
    return {
        "id": name,
        "score": score.score,
        "verdict": str(score.verdict),
        "parts": dict(score.parts),
        "seconds": score.seconds,
        "message": score.message,
    }


def _rows(path: Path, infers: bool) -> Iterator[tuple[Any, Candidate]]:
    for number, (row, where) in enumerate(read_rows(path)):
        yield row.get(ID, number), candidate_of(row, where, infers=infers)


def candidate_of(row: Mapping[str, Any], where: str, *, infers: bool) -> Candidate:
    """Read a row.

    Args:
        row: Its columns.
        where: Its place, for the message.
        infers: Whether a header is needed, so that one that cannot be inferred is an error.

    Returns:
        What is to be judged.

    Raises:
        DataError: A column is missing or no text, or no header can be inferred.
    """
    for key in (CANDIDATE, REFERENCE):
        if not isinstance(row.get(key), str):
            near = f"; there is `{CODE}`" if key == CANDIDATE and CODE in row else ""
            raise DataError(
                f"`{key}` is missing or no text{near}",
                where=where,
                remedy="A row holds id, candidate, reference, header and func_name",
            )
    for key in (HEADER, FUNC_NAME, IR, TEST, DEPS):
        if row.get(key) is not None and not isinstance(row[key], str):
            raise DataError(f"`{key}` is no text", where=where, remedy="Give text, or null")
    if infers and row.get(HEADER) is None:
        row = {**row, HEADER: _inferred(row[REFERENCE], where)}
    return candidate_from(row[CANDIDATE], row)


def _inferred(reference: str, where: str) -> str:
    try:
        return infer(reference)
    except SourceError as error:
        raise DataError(
            f"no header can be inferred from the reference: {error}",
            where=where,
            remedy="Give one as `header`",
        ) from error
