"""The steps of phase 0 over a chunk of rows: each takes the rows that the one before let through.

What costs a process (clang-format, the compiler) is done once for the whole chunk; what is plain
Python is done row by row under a limit of CPU time. A row that fails is kept with its reason.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sk2d.c.tokens import clean_source
from sk2d.corpus.files import row_of
from sk2d.corpus.preprocess.cpu_limit import cpu_limit
from sk2d.corpus.preprocess.filters import FILTERS, Texts
from sk2d.corpus.preprocess.identity import identify
from sk2d.corpus.preprocess.layout import bare
from sk2d.corpus.preprocess.records import Item, Record, shown
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.preprocess.tools import Tools, Verdict
from sk2d.corpus.rows import (
    CODE,
    CODE_FORMAT,
    COMPILE_REASON,
    COMPILES,
    HEADER,
    IR,
    MAPPING,
    PSEUDO,
    PSEUDO_NORM,
    WARNINGS,
    row_id,
)
from sk2d.errors import DataError, JailError, Reason, SourceError

# Columns that the steps make for later steps and for the outputs.
CLEAN_CODE = "clean_code"
FUNCTION = "function"

Step = Callable[[Sequence[Record], Settings, Tools], None]


def read_record(item: Item, columns: Sequence[str] = (PSEUDO, CODE)) -> Record:
    """Judge what stands at the place of a row.

    Args:
        item: Line or value with its place.
        columns: Columns that have to hold text.

    Returns:
        The record, refused already where this is no row.
    """
    record = Record(item.where)
    try:
        record.row = row_of(item.content, item.where)
        row_id(record.row, item.where)
    except DataError as error:
        record.text = "" if record.row else shown(item.content)
        record.refuse("read", Reason.MALFORMED, str(error))
        return record
    problems = (_column_problem(record.row, column, item.where) for column in columns)
    problem = next(filter(None, problems), None) or _unwritable(record.row, item.where)
    if problem:
        record.refuse("read", *problem)
    if problem and problem[0] is Reason.MALFORMED:
        record.row, record.text = {}, shown(item.content)
    return record


def _unwritable(row: Mapping[str, Any], where: str) -> tuple[Reason, str] | None:
    """Find what could be read, from Parquet or an escape, and cannot be written as JSON."""
    for column, value in row.items():
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return Reason.NOT_TEXT, f"{where}: `{column}` holds half of a surrogate pair"
        except (TypeError, ValueError) as error:
            return Reason.MALFORMED, f"{where}: `{column}` cannot be written as JSON ({error})"
    return None


def _column_problem(row: Mapping[str, Any], column: str, where: str) -> tuple[Reason, str] | None:
    value = row.get(column)
    if value is None:
        return Reason.MISSING_FIELD, f"{where}: `{column}` is missing"
    if not isinstance(value, str):
        kind = type(value).__name__
        return Reason.MISSING_FIELD, f"{where}: `{column}` is not text but {kind}"
    try:
        clean_source(value).encode("utf-8")
    except UnicodeEncodeError:
        return Reason.NOT_TEXT, f"{where}: `{column}` holds half of a surrogate pair"
    except SourceError as error:
        return error.reason, f"{where}: `{column}`: {error}"
    return None


def each(step: str, records: Sequence[Record], work: Callable[[Record], None]) -> None:
    """Do one step of every row; whatever goes wrong costs this row alone, and is counted.

    Args:
        step: Name of the step.
        records: The rows.
        work: The step.
    """
    for record in records:
        guarded(step, record, work)


def guarded(step: str, record: Record, work: Callable[[Record], None]) -> None:
    """Do one step of one row.

    Args:
        step: Name of the step.
        record: The row.
        work: The step.

    Raises:
        JailError: The jail failed, which is not the row's fault.
    """
    try:
        with cpu_limit():
            work(record)
    except SourceError as error:
        record.refuse(step, error.reason, str(error))
    except JailError:
        raise
    except Exception as error:  # a mistake of ours: told in the reject and in the report
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
        record.refuse(step, Reason.STEP_CRASHED, told)


def normalize(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Normalise the pseudo-code.

    Profile `upstream` formats first, so it gets the whole chunk for one clang-format; the other is
    plain Python, and has a limit of time for each row.

    Args:
        records: Rows with `pseudo`.
        settings: Dialect and profile.
        tools: The function.
    """

    def work(some: Sequence[Record]) -> None:
        """Do some rows together."""
        codes = [record.row[PSEUDO] for record in some]
        texts = tools.normalize_all(codes, settings.dialect, settings.profile)
        for record, text in zip(some, texts, strict=True):
            if isinstance(text, str):
                record.made[PSEUDO_NORM] = text
            else:
                record.refuse("normalize", text.reason, str(text))

    if settings.profile == "upstream":
        work(records)
    else:
        each("normalize", records, lambda record: work([record]))


def obfuscate(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Replace the source's names by placeholders.

    Args:
        records: Rows with `code`, normalised.
        settings: Not used.
        tools: The function.
    """

    def work(record: Record) -> None:
        """Do one row."""
        code = bare(clean_source(record.row[CODE]))
        record.made[CLEAN_CODE] = clean_source(code)
        record.made[FUNCTION] = tools.function_name(code)
        ir, mapping = tools.obfuscate(code, record.made.get(PSEUDO_NORM))
        record.made |= {IR: ir, MAPPING: dict(mapping)}

    each("obfuscate", records, work)


def format_texts(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Format pseudo-code, IR and source of all rows with one clang-format.

    Args:
        records: Rows with `pseudo_norm` and `ir`.
        settings: Not used.
        tools: The function.
    """
    columns = {PSEUDO_NORM: PSEUDO_NORM, IR: IR, CLEAN_CODE: CODE_FORMAT}
    format_columns(records, columns, tools)
    for record in records:
        del record.made[CLEAN_CODE]


def format_columns(records: Sequence[Record], columns: Mapping[str, str], tools: Tools) -> None:
    """Format texts that the steps before have made.

    Args:
        records: The rows.
        columns: Name of the formatted column by name of the column that is formatted.
        tools: The function.
    """
    places = [(record, column) for record in records for column in columns if column in record.made]
    formatted = tools.format_all([record.made[column] for record, column in places])
    for (record, column), text in zip(places, formatted, strict=True):
        if isinstance(text, str):
            record.made[columns[column]] = text
        elif record.reject is None:
            record.refuse("format", text.reason, f"{column}: {text}")


def infer(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Declare what the IR needs.

    Args:
        records: Rows with a formatted IR.
        settings: Whether a row without a header is kept.
        tools: The function.
    """

    def work(record: Record) -> None:
        """Do one row."""
        try:
            record.made[HEADER] = tools.infer(record.made[IR])
        except SourceError as error:
            _not_compiling("infer", record, error.reason, str(error), settings)

    each("infer", records, work)


def _not_compiling(
    step: str, record: Record, reason: Reason, message: str, settings: Settings
) -> None:
    if settings.require_compiling:
        record.refuse(step, reason, message)
    record.made |= {HEADER: "", COMPILES: False, COMPILE_REASON: str(reason), WARNINGS: {}}


def compile_check(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Prove the headers: compile header and IR of all rows in one jail.

    Args:
        records: Rows with a header.
        settings: Whether a row that does not compile is kept.
        tools: The function.
    """
    proven = [record for record in records if COMPILES not in record.made]
    texts = [f"{record.made[HEADER].rstrip()}\n{record.made[IR]}\n" for record in proven]
    verdicts = tools.compile_all(texts) if texts else []
    for record, verdict in zip(proven, verdicts, strict=True):
        if verdict.compiles:
            warnings = dict(sorted(verdict.warnings.items()))
            record.made |= {COMPILES: True, COMPILE_REASON: None, WARNINGS: warnings}
        else:
            reason, message = verdict_reason(verdict)
            _not_compiling("compile", record, reason, message, settings)


def verdict_reason(verdict: Verdict) -> tuple[Reason, str]:
    """Find the reason of the closed list for a text that does not compile.

    Args:
        verdict: What the compiler said.

    Returns:
        The reason and the message.
    """
    known = {str(reason): reason for reason in (Reason.NOT_COMPILING, Reason.COMPILE_TIMEOUT)}
    reason = known.get(verdict.reason or "", Reason.NOT_COMPILING)
    lines = verdict.message.splitlines()
    errors = (line for line in lines if "error: " in line)
    message = next(errors, lines[0] if lines else "the compiler says nothing")
    told = "" if verdict.reason in known or not verdict.reason else f"{verdict.reason}: "
    return reason, f"{told}{message}"


def apply_filters(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Leave out the rows that a named filter refuses.

    Args:
        records: Formatted rows.
        settings: Filters and their bounds.
        tools: Not used.
    """
    for record in records:
        made = record.made
        texts = Texts(made[FUNCTION], made.get(PSEUDO_NORM, made[IR]), made[IR])
        for name in settings.filters:
            if FILTERS[name].refuses(texts, settings):
                record.refuse("filter", FILTERS[name].reason, f"filter {name}")
                break


def add_identity(records: Sequence[Record], settings: Settings, tools: Tools) -> None:
    """Work out what deduplication, split and audit compare.

    Args:
        records: Rows with all texts.
        settings: Not used.
        tools: The function that gives the source back.
    """
    each("identify", records, lambda record: identify(record, tools))


STEPS: Final[Mapping[str, Step]] = {
    "normalize": normalize,
    "obfuscate": obfuscate,
    "format": format_texts,
    "infer": infer,
    "compile": compile_check,
    "filter": apply_filters,
    "identify": add_identity,
}
"""The steps of a whole run in their order, after `read`."""


def process(items: Sequence[Item], settings: Settings, tools: Tools) -> list[Record]:
    """Take a chunk of rows through all steps.

    Args:
        items: What stands in the input.
        settings: The choices of the run.
        tools: The functions.

    Returns:
        One record per item, in order.
    """
    records = [read_record(item) for item in items]
    for step in STEPS.values():
        going_on = [record for record in records if record.reject is None]
        if going_on:
            step(going_on, settings, tools)
    return records
