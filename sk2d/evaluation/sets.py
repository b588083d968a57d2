"""Evaluation sets, in the formats in which they are released.

Every row becomes a `Function`: what to decompile, what the source was, and its test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.corpus.files import content_hash, read_rows
from sk2d.corpus.rows import ID, PREDICTED_CODE, PREDICTED_IR, row_id
from sk2d.errors import DataError, UserError, UserErrors

Row = Mapping[str, Any]
MOST_ERRORS: Final = 20
PSEUDO_COLUMNS: Final = {
    "pseudo_norm": "auto",
    "pseudo": "auto",
    "ida_pseudo": "ida",
    "ghidra_pseudo": "ghidra",
}
"""Columns of pseudo-code, with its dialect."""


@dataclass(frozen=True)
class Function:
    """One function of a set.

    Attributes:
        id: Its id, by which predictions name it.
        level: Optimisation level; "" where the set does not say.
        func_name: Its name.
        reference: C text of the function, with the includes and declarations that it needs.
        code: The function alone, which candidates are compared with.
        test: A program that asserts; None where the set has none that runs here.
        pseudo: Pseudo-code by the column that holds it.
        predicted: What the set itself says that a system answered, its C and its IR; None where
            it does not.
        where: The place of the row, `file:line`.
    """

    id: str
    level: str
    func_name: str
    reference: str
    code: str
    test: str | None
    pseudo: Mapping[str, str]
    predicted: tuple[str, str | None] | None
    where: str

    @property
    def before(self) -> str:
        """What stands before the function in its reference."""
        return self.reference.removesuffix(self.code)


@dataclass(frozen=True)
class EvaluationSet:
    """A set of functions.

    Attributes:
        name: What reports call it.
        format: The format that it was recognised by.
        hash: Hash of its rows.
        functions: The functions, in the order of the file.
        remarks: What a reader of numbers has to know.
    """

    name: str
    format: str
    hash: str
    functions: tuple[Function, ...]
    remarks: tuple[str, ...]

    @property
    def has_tests(self) -> bool:
        """Whether any function has a test."""
        return any(function.test is not None for function in self.functions)


@dataclass(frozen=True)
class _Format:
    """A released format: the columns that tell it, and how to read a row.

    Attributes:
        columns: Columns that all of its rows have.
        read: Gives id, level, name, text before the function, function, and test.
        remark: What a reader of numbers has to know.
    """

    columns: tuple[str, ...]
    read: Callable[[Row, str], tuple[str, str, str, str, str, str | None]]
    remark: str = ""


def _id(value: object, where: str) -> str:
    return row_id({ID: value}, where)


def _pair(row: Row, where: str) -> tuple[str, str, str, str, str, str | None]:
    level = str(row.get("opt") or "")
    identity = row.get("id")
    if identity is None and "task_id" in row:
        identity = f"{row['task_id']}/{level}"
    name = str(row["func_name"])
    before = str(row.get("deps") or "")
    return _id(identity, where), level, name, before, row["code"], row.get("test") or None


def _decompile_eval(row: Row, where: str) -> tuple[str, str, str, str, str, str | None]:
    level = str(row["opt"])
    name = str(row["func_name"]).partition("(")[0].split()[-1].lstrip("*")
    identity = _id(f"{row['index']}/{level}", where)
    return identity, level, name, str(row["func_dep"] or ""), row["func"], row["test"] or None


def _decompile_eval_1(row: Row, where: str) -> tuple[str, str, str, str, str, str | None]:
    identity = _id(f"{row['task_id']}/{row['type']}", where)
    return identity, str(row["type"]), "func0", "", row["c_func"], row["c_test"] or None


def _exebench(row: Row, where: str) -> tuple[str, str, str, str, str, str | None]:
    before = str(row.get("real_deps") or row.get("synth_deps") or "")
    level = str(row.get("opt") or "")
    return _id(row.get("path"), where), level, str(row["fname"]), before, row["func_def"], None


FORMATS: Final[Mapping[str, _Format]] = {
    "decompile-eval": _Format(
        ("index", "func_name", "func_dep", "func", "test", "opt"), _decompile_eval
    ),
    "decompile-eval-1": _Format(("task_id", "type", "c_func", "c_test"), _decompile_eval_1),
    "exebench": _Format(
        ("fname", "func_def"),
        _exebench,
        "ExeBench tests functions through a C++ program of its own, which is not run here: what "
        "compiles is counted, what passes is not",
    ),
    "pairs": _Format(("func_name", "code"), _pair),
}
"""By name: `decompile-eval` is HumanEval-, MBPP- and GitHub2025-Decompile, `decompile-eval-1` the
first release of HumanEval-Decompile, `pairs` our own rows and what has their columns
(BringUpBench, files of predictions with references)."""


def load_set(path: str | Path) -> EvaluationSet:
    """Read an evaluation set, whatever its format.

    Args:
        path: A `.jsonl`, `.json` or `.parquet` file, or a hub name.

    Returns:
        The set.

    Raises:
        UserErrors: Rows are malformed, or ids stand twice: all of them, up to twenty.
        DataError: There is no such file, it has no rows, or its format is not known.
    """  # noqa: DOC502
    functions: list[Function] = []
    errors: list[UserError] = []
    seen: dict[str, str] = {}
    name, skipped = "", 0
    for row, where in read_rows(path):
        name = name or _format_of(row, where)
        if str(row.get("language") or "c") != "c":
            skipped += 1
            continue
        try:
            function = _function(FORMATS[name], row, where)
            if function.id in seen:
                what = f"the id {function.id!r} stands at {seen[function.id]} already"
                raise DataError(what, where=where, remedy="Give each row an id of its own")
            seen[function.id] = where
            functions.append(function)
        except DataError as error:
            errors.append(error)
            if len(errors) == MOST_ERRORS:
                break
    if errors:
        raise UserErrors(errors)
    if not functions:
        raise DataError("there are no functions in C here", where=str(path))
    remarks = [FORMATS[name].remark] if FORMATS[name].remark else []
    if skipped:
        remarks.append(f"{skipped} rows in another language than C are left out")
    return EvaluationSet(
        Path(path).stem, name, content_hash(path), tuple(functions), tuple(remarks)
    )


def _format_of(row: Row, where: str) -> str:
    for name, each in FORMATS.items():
        if all(column in row for column in each.columns):
            return name
    known = "; ".join(f"{name}: {', '.join(each.columns)}" for name, each in FORMATS.items())
    raise DataError(
        f"no known format has the columns {', '.join(row) or '(none)'}",
        where=where,
        remedy=f"Known formats and their columns: {known}",
    )


def _function(format: _Format, row: Row, where: str) -> Function:
    missing = [column for column in format.columns if column not in row]
    if missing:
        raise DataError(f"the row has no `{missing[0]}`", where=where)
    identity, level, name, before, code, test = format.read(row, where)
    if not isinstance(code, str) or not code.strip():
        raise DataError("the row has no source", where=where)
    pseudo = {column: row[column] for column in PSEUDO_COLUMNS if row.get(column)}
    reference = f"{before}\n{code}" if before else code
    answer = row.get(PREDICTED_CODE)
    predicted = (answer, row.get(PREDICTED_IR)) if isinstance(answer, str) else None
    return Function(identity, level, name, reference, code, test, pseudo, predicted, where)
