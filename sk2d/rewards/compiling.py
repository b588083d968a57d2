"""Compiling many units at once, for rewards: order kept, failures of the jail told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from sk2d.errors import JailError
from sk2d.sandbox import CompileVerdict, compile_many
from sk2d.sandbox.compiling import TEXTS_AT_ONCE


def compile_units(units: Iterable[str], workers: int) -> Iterator[CompileVerdict | None]:
    """Compile units in as many jails as there are workers, while later ones are still being made.

    All units have been asked for when it returns; verdicts can be taken while later units are
    being compiled.

    Args:
        units: C texts, each complete.
        workers: Jails side by side.

    Returns:
        A verdict for each unit, in order; None where the jail failed twice. Taking one raises
        `UserError` where there is no gcc.
    """
    pool = ThreadPoolExecutor(workers)
    try:
        jobs = [pool.submit(_compile_chunk, chunk) for chunk in _chunks(units)]
    finally:
        pool.shutdown(wait=False)
    return (verdict for job in jobs for verdict in job.result())


def _chunks(units: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    for unit in units:
        chunk.append(unit)
        if len(chunk) == TEXTS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _compile_chunk(units: Sequence[str]) -> list[CompileVerdict | None]:
    try:
        return list(compile_many(units))
    except JailError:
        return [_compile_again(unit) for unit in units]


def _compile_again(unit: str) -> CompileVerdict | None:
    try:
        return compile_many([unit])[0]
    except JailError:
        return None
