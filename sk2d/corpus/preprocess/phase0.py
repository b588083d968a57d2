"""The real functions of phase 0; imported where they are used, so that a parent stays small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from sk2d.corpus.preprocess.tools import Tools, Verdict
from sk2d.errors import SourceError


def phase0_tools() -> Tools:
    """Give the functions of `sk2d.c` and `sk2d.sandbox`.

    Returns:
        The functions.
    """
    return Tools(
        normalize_all=_normalize_all,
        obfuscate=_obfuscate,
        restore=_restore,
        format_all=_format_all,
        infer=_infer,
        compile_all=_compile_all,
        function_name=_function_name,
    )


def tool_versions() -> dict[str, str]:
    """Give the versions of the programs that decide what comes out.

    Returns:
        Version by program.
    """
    from sk2d.hardware.probing import compiler_versions

    return {"clang-format": version("clang-format"), **compiler_versions(["gcc"])}


def _normalize_all(codes: Sequence[str], dialect: str, profile: str) -> Sequence[str | SourceError]:
    from sk2d.c.normalization import normalize_many

    return normalize_many(codes, dialect, profile)


def _obfuscate(code: str, pseudo: str | None) -> tuple[str, dict[str, str]]:
    from sk2d.c.rename import obfuscate

    return obfuscate(code, pseudo)


def _restore(ir: str, mapping: Mapping[str, str]) -> str:
    from sk2d.c.rename import restore

    return restore(ir, mapping)


def _format_all(codes: Sequence[str]) -> Sequence[str | SourceError]:
    from sk2d.c.layout import lay_out

    return lay_out(codes)


def _infer(code: str) -> str:
    from sk2d.c.inference import infer

    return infer(code)


def _compile_all(codes: Sequence[str]) -> Sequence[Verdict]:
    from sk2d import sandbox

    return sandbox.compile_many(codes)


def _function_name(code: str) -> str:
    from sk2d.c.functions import the_function
    from sk2d.c.parse import parse

    return the_function(parse(code)).name
