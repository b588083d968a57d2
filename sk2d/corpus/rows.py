"""Column names of every kind of row, the reading of a supervised row, the making of both kinds.

The constants here are the single source of column names; SFT rows are in alpaca's columns, RL rows
in verl's. `rl_rows` reads the latter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from sk2d.errors import DataError, did_you_mean
from sk2d.prompts import unwrap

# Supervised rows.
INSTRUCTION, INPUT, OUTPUT, SYSTEM = "instruction", "input", "output", "system"

# Raw pairs, and what preprocessing adds to them.
ID, PROGRAM, OPT, FUNC_NAME = "id", "program", "opt", "func_name"
PSEUDO, CODE, TEST, DEPS = "pseudo", "code", "test", "deps"
PSEUDO_NORM, IR, HEADER, MAPPING, COMPILES = "pseudo_norm", "ir", "header", "mapping", "compiles"
CODE_FORMAT, COMPILE_REASON, WARNINGS, SPLIT = "code_format", "compile_reason", "warnings", "split"

# What upstream's scripts call the IR before it is formatted.
CODE_NORM = "code_norm"

# What the two models answered.
PREDICTED_IR, PREDICTED_CODE = "predicted_ir", "predicted_code"

# RL rows.
DATA_SOURCE, PROMPT, ABILITY, REWARD_MODEL, EXTRA_INFO = (
    "data_source",
    "prompt",
    "ability",
    "reward_model",
    "extra_info",
)
GROUND_TRUTH, STYLE, INDEX = "ground_truth", "style", "index"
ROLE, CONTENT, USER = "role", "content", "user"

_EXPECTED = "A supervised row holds `input` (or `instruction`) and `output`"


@dataclass(frozen=True)
class SftRow:
    """One supervised row: what the model reads and what it is to answer.

    Args:
        id: The row's own id, or `STEM:LINE`.
        source: Bare code for the model, without any prompt.
        target: Bare code of the answer; empty only where no answer was asked for.
        group: Split key: rows of one function share it, so that they stay on one side.
        where: The place of the row, `file:line`.
    """

    id: str
    source: str
    target: str
    group: str
    where: str


def sft_row(raw: Mapping[str, Any], where: str, *, need_target: bool = True) -> SftRow:
    """Read a supervised row in alpaca's or `instruction`/`output` columns.

    The code stands in `input`; where `input` is empty it stands in `instruction`, as in
    Neo111x/decompile_LLM. With both, `instruction` is wording, in whose place the model's own
    prompt comes. A published prompt around the code is taken off.

    Args:
        raw: The row as it was read; further columns are allowed.
        where: Its place, `file:line`.
        need_target: Whether a row without an answer is a mistake.

    Returns:
        The row.

    Raises:
        DataError: The row has another shape, lacks a column, or holds something that is no text.
    """
    _refuse_other_shapes(raw, where)
    if _text(raw, SYSTEM, where).strip():
        raise DataError(
            f"`{SYSTEM}` holds text, for which the prompts have no place",
            where=where,
            remedy=f"Empty `{SYSTEM}`, or move its text away",
        )
    wrapped = _text(raw, INPUT, where)
    key = INPUT if wrapped.strip() or not _text(raw, INSTRUCTION, where).strip() else INSTRUCTION
    source = unwrap(_text(raw, key, where))
    if not source.strip():
        raise DataError(f"`{key}` holds no code", where=where, remedy=_EXPECTED)
    target = _target(raw, where, need_target)
    return SftRow(row_id(raw, where), source, target, group_of(raw, target or source, where), where)


def _refuse_other_shapes(raw: Mapping[str, Any], where: str) -> None:
    if REWARD_MODEL in raw or (PROMPT in raw and DATA_SOURCE in raw):
        raise DataError(
            f"this is an RL row (`{REWARD_MODEL}`, `{PROMPT}`), not a supervised one",
            where=where,
            remedy=f"Use it for reinforcement learning. {_EXPECTED}",
        )
    if PSEUDO in raw and CODE in raw and OUTPUT not in raw:
        raise DataError(
            f"this is a raw pair (`{PSEUDO}`, `{CODE}`), not a supervised row",
            where=where,
            remedy="Make rows of it with `python cli.py preprocess`, and train on those",
        )
    if INPUT not in raw and INSTRUCTION not in raw:
        raise DataError(f"`{INPUT}` is missing", where=where, remedy=_near_key(INPUT, raw))


def _near_key(key: str, raw: Mapping[str, Any]) -> str:
    near = did_you_mean(key, [name for name in raw if isinstance(name, str)])
    found = ", ".join(f"`{name}`" for name in raw) or "none"
    return f"{_EXPECTED}; columns found: {found}" + (f". {near}" if near else "")


def _text(raw: Mapping[str, Any], key: str, where: str) -> str:
    value = raw.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        kind = type(value).__name__
        raise DataError(f"`{key}` is not text but {kind}", where=where, remedy=_EXPECTED)
    return whole_characters(value, key, where)


def whole_characters(text: str, key: str, where: str) -> str:
    """Refuse text that no file can hold.

    Args:
        text: The text.
        key: Its column, for the message.
        where: The place of the row, `file:line`.

    Returns:
        The same text.

    Raises:
        DataError: It holds half of a surrogate pair.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"`{key}` holds half of a surrogate pair at character {error.start + 1}",
            where=where,
            remedy="Write the character whole, or leave the row out",
        ) from error
    return text


def _target(raw: Mapping[str, Any], where: str, need_target: bool) -> str:
    if OUTPUT not in raw and need_target:
        raise DataError(f"`{OUTPUT}` is missing", where=where, remedy=_near_key(OUTPUT, raw))
    target = _text(raw, OUTPUT, where)
    if not target.strip() and need_target:
        raise DataError(f"`{OUTPUT}` is empty", where=where, remedy="Fill it, or leave the row out")
    return target


def row_id(raw: Mapping[str, Any], where: str) -> str:
    """Give the id of a row of any kind.

    Args:
        raw: The row as it was read.
        where: Its place, `file:line`.

    Returns:
        Its column `id`, or `STEM:LINE` where it has none.

    Raises:
        DataError: The column `id` holds neither text nor a whole number.
    """
    value = raw.get(ID)
    if value is None or value == "":
        place, _, line = where.rpartition(":")
        return f"{PurePath(place).stem}:{line}"
    if isinstance(value, bool) or not isinstance(value, str | int):
        kind = type(value).__name__
        raise DataError(
            f"`{ID}` is neither text nor a number but {kind}",
            where=where,
            remedy="Give the row a text as its id, or none",
        )
    return whole_characters(str(value), ID, where)


def group_of(raw: Mapping[str, Any], code: str, where: str) -> str:
    """Give the split key of a row: rows of one function share it.

    Program and name tell a function at any level of optimisation; a bare name is found in many
    programs. Without both, equal answers up to white space are the same function.

    Args:
        raw: Its columns `program` and `func_name`, where it has them.
        code: The answer.
        where: The place of the row, `file:line`.

    Returns:
        The key.
    """
    program, name = _text(raw, PROGRAM, where), _text(raw, FUNC_NAME, where)
    if program and name:
        return f"{program}:{name}"
    return hashlib.sha256(" ".join(code.split()).encode("utf-8")).hexdigest()[:24]


def make_sft_row(raw: Mapping[str, Any], where: str, source: str, target: str) -> dict[str, str]:
    """Make a supervised row in alpaca's columns, with bare code, as `sft_row` reads it.

    Args:
        raw: The raw pair that it comes from; its names keep the rows of a function together.
        where: The place of that pair.
        source: Code for the model.
        target: Code of the answer.

    Returns:
        The row.
    """
    return {
        ID: row_id(raw, where),
        INSTRUCTION: "",
        INPUT: source,
        OUTPUT: target,
        SYSTEM: "",
        PROGRAM: _name(raw, PROGRAM),
        FUNC_NAME: _name(raw, FUNC_NAME),
    }


def make_rl_row(
    prompt: str,
    ground_truth: str,
    *,
    id: str,
    phase: str,
    index: int,
    split: str,
    header: str,
    name: str,
) -> dict[str, Any]:
    """Make an RL row in verl's columns.

    Args:
        prompt: The whole text that the model is asked with.
        ground_truth: Code of the answer.
        id: Id of the raw pair that it comes from.
        phase: `skeleton` or `skin`.
        index: Number of the row in its file.
        split: `train` or `val`.
        header: Declarations that the ground truth compiles with; empty where none are needed.
        name: Name of the function in the source.

    Returns:
        The row.
    """
    return {
        ID: id,
        DATA_SOURCE: f"sk2d_{phase}",
        PROMPT: [{ROLE: USER, CONTENT: prompt}],
        ABILITY: "decompile",
        REWARD_MODEL: {STYLE: "rule", GROUND_TRUTH: ground_truth},
        EXTRA_INFO: {INDEX: index, SPLIT: split, HEADER: header, FUNC_NAME: name},
    }


def _name(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""
