"""The functions of evaluation files, which must not be in a training corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sk2d.corpus.files import read_rows
from sk2d.corpus.preprocess.identity import canonical, digest, sketch_of
from sk2d.corpus.preprocess.layout import meaning
from sk2d.corpus.rows import CODE, FUNC_NAME, GROUND_TRUTH, OUTPUT, PROGRAM, REWARD_MODEL
from sk2d.errors import DataError, SourceError


@dataclass(frozen=True)
class EvaluationFunction:
    """One function of an evaluation file.

    Args:
        where: Its place, `file:line`.
        keys: Whatever it may be recognised by exactly: hashes, and `program:name`.
        sketch: Its sketch, for what is nearly the same.
    """

    where: str
    keys: tuple[str, ...]
    sketch: bytes


def evaluation_functions(
    path: str, function_name: Callable[[str], str]
) -> Iterator[EvaluationFunction]:
    """Read an evaluation file.

    Args:
        path: A file of raw pairs, supervised rows or RL rows.
        function_name: Source -> name of the function that it defines.

    Yields:
        The function of each row.
    """
    for row, where in read_rows(path):
        code = _code(row, where)
        try:
            name = function_name(code)
        except SourceError:
            name = ""  # tokens can be compared nonetheless
        tokens = canonical(meaning(code), name)
        program, func_name = row.get(PROGRAM), row.get(FUNC_NAME)
        told = (f"{program}:{func_name}",) if program and func_name else ()
        yield EvaluationFunction(where, (digest(tokens), *told), sketch_of(tokens))


def _code(row: Mapping[str, Any], where: str) -> str:
    """Take the answer out of a row of any kind."""
    model = row.get(REWARD_MODEL)
    values = (row.get(CODE), row.get(OUTPUT), (model or {}).get(GROUND_TRUTH))
    code = next((value for value in values if isinstance(value, str) and value.strip()), None)
    if code is None:
        raise DataError(
            f"this row of an evaluation file has no text in `{CODE}`, `{OUTPUT}` or "
            f"`{REWARD_MODEL}.{GROUND_TRUTH}`",
            where=where,
            remedy="Give a file whose rows hold the functions that are to be kept out",
        )
    return code
