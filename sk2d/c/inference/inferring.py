"""`infer`: the declarations that a piece of C needs to compile alone."""

from __future__ import annotations

from typing import Final

from sk2d.c.inference.engine import infer_header
from sk2d.c.tokens import clean_source
from sk2d.errors import UserError, did_you_mean

ENGINES: Final = ("sk2d", "psychec")
"""The engines that `infer` may use."""


def infer(code: str, *, shim: bool = False, engine: str = "sk2d") -> str:
    """Find a header that makes a piece of C compile alone.

    The header declares the types, constants, objects and functions that the code uses and does not
    declare itself, with the types that their uses tell. Names of the C and POSIX library get their
    true declarations unless the code uses them as something else. `header + code` is meant to
    compile with `sandbox.COMPILE_FLAGS`; whoever has to be sure compiles it.

    The header depends on the code alone.

    Args:
        code: A function, with declarations around it or without.
        shim: Whether the decompilers' shim stands before the header, so that its names are known.
        engine: `sk2d`, or `psychec` where that is installed (it knows no shim).

    Returns:
        The header.

    Raises:
        SourceError: `syntax_error`, or no declarations could make the code compile
            (`type_conflict`, `name_clash`), or it uses what no header can give (`unsupported`).
        UserError: There is no such engine, or it is not installed.
    """  # noqa: DOC502, DOC503
    if engine not in ENGINES:
        raise UserError(
            f"there is no engine {engine!r} for type inference, only {' and '.join(ENGINES)}",
            where="engine",
            remedy=did_you_mean(engine, ENGINES),
        )
    text = clean_source(code)
    if engine == "psychec":
        from sk2d.c.inference.psychec import infer_with_psychec

        return infer_with_psychec(text)
    return infer_header(text, shim=shim)
