"""Reading rows of reinforcement learning: verl's columns, with upstream's or our own contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sk2d.corpus.rows import (
    CODE,
    CONTENT,
    DATA_SOURCE,
    DEPS,
    EXTRA_INFO,
    FUNC_NAME,
    GROUND_TRUTH,
    HEADER,
    INPUT,
    INSTRUCTION,
    IR,
    OUTPUT,
    PROGRAM,
    PROMPT,
    PSEUDO,
    REWARD_MODEL,
    ROLE,
    TEST,
    USER,
    group_of,
    row_id,
    whole_characters,
)
from sk2d.errors import DataError, did_you_mean
from sk2d.prompts import unwrap

DATA_SOURCES: Final = {
    "sk2d_skeleton": "skeleton",
    "sk2d_skin": "skin",
    "llm4decompile_exe": "skeleton",
}
"""Values of verl's column `data_source` -> phase; the last one is that of the released rows."""

_TRUTH: Final = f"{REWARD_MODEL}.{GROUND_TRUTH}"
_EXPECTED: Final = f"An RL row holds `{PROMPT}`, `{DATA_SOURCE}` and `{_TRUTH}`"
_MADE_BY: Final = "`python cli.py preprocess` makes RL rows of raw pairs: rl_skeleton.*, rl_skin.*"


@dataclass(frozen=True)
class RlRow:
    """One row of reinforcement learning: what the model reads, and what its answers are judged by.

    Args:
        id: The row's own id, or `STEM:LINE`.
        source: Bare code for the model, without any prompt.
        reference: The true answer.
        header: Declarations that the reference compiles with; None has them inferred.
        func_name: Name of the function in the source; None where the row has none.
        ir: The IR that an answer names; None where the row has none.
        test: A test program with assertions in `main`; None where the row has none.
        deps: Declarations that the test's unit begins with.
        phase: Whose row it is: `skeleton` or `skin`.
        group: Split key: rows of one function share it, so that they stay on one side.
        where: The place of the row, `file:line`.
    """

    id: str
    source: str
    reference: str
    header: str | None
    func_name: str | None
    ir: str | None
    test: str | None
    deps: str
    phase: str
    group: str
    where: str


def phase_of(data_source: str, where: str = "data_source") -> str:
    """Tell whose reward a row is for; checked before the first rollout (case E9).

    Args:
        data_source: Value of the column.
        where: The row's place, for the message.

    Returns:
        `skeleton` or `skin`.

    Raises:
        DataError: There is no reward for such rows.
    """
    if data_source not in DATA_SOURCES:
        known = ", ".join(DATA_SOURCES)
        raise DataError(
            f"there is no reward for {DATA_SOURCE} {data_source!r}",
            where=where,
            remedy=did_you_mean(data_source, DATA_SOURCES) or f"Known: {known}",
        )
    return DATA_SOURCES[data_source]


def rl_row(raw: Mapping[str, Any], where: str) -> RlRow:
    """Read a row in verl's columns.

    The prompt is a chat of one message by the user, or plain text; a published prompt around its
    code is taken off. What a Skin reads is the IR that it names, so a row of the Skin that gives
    none has its source for it.

    Args:
        raw: The row as it was read; further columns are allowed.
        where: Its place, `file:line`.

    Returns:
        The row.

    Raises:
        DataError: The row has another shape, lacks a column, holds something that is no text, or
            there is no reward for its `data_source`.
    """  # noqa: DOC502
    _refuse_other_shapes(raw, where)
    phase = phase_of(_text(raw, DATA_SOURCE, where), where)
    reference = _filled(_part(raw, REWARD_MODEL, where), GROUND_TRUTH, where, within=REWARD_MODEL)
    extra = _extra(raw, where)
    source = _source(raw, where)
    return RlRow(
        id=row_id(raw, where),
        source=source,
        reference=reference,
        header=extra[HEADER],
        func_name=extra[FUNC_NAME] or None,
        ir=extra[IR] or (source if phase == "skin" else None),
        test=extra[TEST] or None,
        deps=extra[DEPS] or "",
        phase=phase,
        group=group_of(extra, reference, where),
        where=where,
    )


def _refuse_other_shapes(raw: Mapping[str, Any], where: str) -> None:
    wanted = (PROMPT, DATA_SOURCE, REWARD_MODEL)
    if REWARD_MODEL not in raw and OUTPUT in raw and (INPUT in raw or INSTRUCTION in raw):
        raise DataError(
            f"this is a supervised row (`{INPUT}`, `{OUTPUT}`), not one of reinforcement learning",
            where=where,
            remedy=f"Train on it with a config of its phase. {_MADE_BY}",
        )
    if REWARD_MODEL not in raw and PSEUDO in raw and CODE in raw:
        raise DataError(
            f"this is a raw pair (`{PSEUDO}`, `{CODE}`), not a row of reinforcement learning",
            where=where,
            remedy=_MADE_BY,
        )
    for key in wanted:
        if raw.get(key) is None:
            raise DataError(f"`{key}` is missing", where=where, remedy=_near_key(key, raw))


def _near_key(key: str, raw: Mapping[str, Any]) -> str:
    names = [name for name in raw if isinstance(name, str) and raw[name] is not None]
    near = did_you_mean(key, [name for name in names if name != key])
    found = ", ".join(f"`{name}`" for name in names) or "none"
    return f"{_EXPECTED}; columns found: {found}" + (f". {near}" if near else "")


def _source(raw: Mapping[str, Any], where: str) -> str:
    prompt = raw[PROMPT]
    text = prompt if isinstance(prompt, str) else _filled(_message(prompt, where), CONTENT, where)
    source = unwrap(whole_characters(text, PROMPT, where))
    if not source.strip():
        raise DataError(f"`{PROMPT}` holds no code", where=where, remedy=_EXPECTED)
    return source


def _message(prompt: object, where: str) -> Mapping[str, Any]:
    """Give the only message of a chat."""
    if not isinstance(prompt, list) or not all(isinstance(one, Mapping) for one in prompt):
        raise DataError(
            f"`{PROMPT}` is neither text nor a chat but {_kind(prompt)}",
            where=where,
            remedy=f'Write [{{"{ROLE}": "{USER}", "{CONTENT}": ...}}], or plain text',
        )
    roles = [str(one.get(ROLE) or "a message without role") for one in prompt]
    if roles != [USER]:
        raise DataError(
            f"`{PROMPT}` is a chat of {', '.join(roles) or 'no message'}",
            where=where,
            remedy=f"Keep one message, of the {USER}, with the code; the model's own prompt is put "
            "around it",
        )
    message: Mapping[str, Any] = prompt[0]
    return message


def _kind(value: object) -> str:
    if isinstance(value, list):
        other = next(one for one in value if not isinstance(one, Mapping))
        return f"list of {type(other).__name__}"
    return type(value).__name__


def _extra(raw: Mapping[str, Any], where: str) -> dict[str, str | None]:
    """Read the texts of `extra_info`; those that it lacks are None."""
    given = _part(raw, EXTRA_INFO, where) if raw.get(EXTRA_INFO) is not None else {}
    keys = (HEADER, FUNC_NAME, IR, TEST, DEPS, PROGRAM)
    return {
        key: None if given.get(key) is None else _text(given, key, where, within=EXTRA_INFO)
        for key in keys
    }


def _part(raw: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    part = raw[key]
    if not isinstance(part, Mapping):
        kind = type(part).__name__
        raise DataError(f"`{key}` is no object but {kind}", where=where, remedy=_EXPECTED)
    return part


def _filled(part: Mapping[str, Any], key: str, where: str, within: str = PROMPT) -> str:
    if part.get(key) is None:
        raise DataError(f"`{within}.{key}` is missing", where=where, remedy=_EXPECTED)
    text = _text(part, key, where, within=within)
    if not text.strip():
        remedy = "Fill it, or leave the row out"
        raise DataError(f"`{within}.{key}` is empty", where=where, remedy=remedy)
    return text


def _text(part: Mapping[str, Any], key: str, where: str, within: str = "") -> str:
    name = f"{within}.{key}" if within else key
    value = part[key]
    if not isinstance(value, str):
        kind = type(value).__name__
        raise DataError(f"`{name}` is not text but {kind}", where=where, remedy=_EXPECTED)
    return whole_characters(value, name, where)
