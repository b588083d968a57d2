"""Does the code compile? Asked with the shim and an inferred header before it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sk2d.c.inference import infer
from sk2d.c.normalization import shim
from sk2d.decompile.naming import own_name
from sk2d.decompile.records import Decompiled, Verdict
from sk2d.errors import Reason, SourceError
from sk2d.sandbox import compile_many

NO_FUNCTION = Verdict(False, str(Reason.NO_FUNCTION), "the text is not one function in C")


def program(definitions: str, code: str) -> str:
    """Put before a function what it needs to compile.

    Args:
        definitions: C that defines its data.
        code: The function.

    Returns:
        One translation unit.

    Raises:
        SourceError: No declarations make it compile.
    """  # noqa: DOC502
    text = definitions + code
    return shim() + infer(text, shim=True) + text + "\n"


def judge(functions: Sequence[Decompiled]) -> list[Decompiled]:
    """Compile functions, each by itself, in the jail.

    Args:
        functions: Functions with their code; those without keep the verdict that they have.

    Returns:
        The same with verdicts, in their order.
    """
    units: dict[int, str] = {}
    judged = list(functions)
    for place, function in enumerate(functions):
        if not function.code:
            continue
        if own_name(function.code) is None:
            judged[place] = dataclasses.replace(function, verdict=NO_FUNCTION)
            continue
        try:
            units[place] = program(function.definitions, function.code)
        except SourceError as error:
            verdict = Verdict(False, str(error.reason), str(error))
            judged[place] = dataclasses.replace(function, verdict=verdict)
    for place, found in zip(units, compile_many(list(units.values())), strict=True):
        reason = None if found.reason is None else str(found.reason)
        message = "" if found.compiles else found.message.strip()
        verdict = Verdict(found.compiles, reason, message)
        judged[place] = dataclasses.replace(functions[place], verdict=verdict)
    return judged
