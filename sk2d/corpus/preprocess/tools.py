"""The functions that the steps of phase 0 are made of; tests put others in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sk2d.errors import SourceError


class Verdict(Protocol):
    """What the compiler said about a text; `sandbox.CompileVerdict` is one."""

    @property
    def compiles(self) -> bool:
        """Whether it compiles."""

    @property
    def reason(self) -> str | None:
        """Why it does not."""

    @property
    def message(self) -> str:
        """The compiler's first message."""

    @property
    def warnings(self) -> Mapping[str, int]:
        """Number of warnings by kind."""


@dataclass(frozen=True)
class Tools:
    """The functions themselves, importable by name, because workers are processes of their own.

    Args:
        normalize_all: Pseudo-codes, dialect, profile -> each normalised, or why it could not be.
        obfuscate: Source, normalised pseudo-code or None -> IR, and name by placeholder.
        restore: IR, name by placeholder -> source.
        format_all: Functions -> each formatted, or why it could not be.
        infer: IR -> header.
        compile_all: Headers with IR -> verdicts, in order.
        function_name: Source -> name of the function that it defines.
    """

    normalize_all: Callable[[Sequence[str], str, str], Sequence[str | SourceError]]
    obfuscate: Callable[[str, str | None], tuple[str, dict[str, str]]]
    restore: Callable[[str, Mapping[str, str]], str]
    format_all: Callable[[Sequence[str]], Sequence[str | SourceError]]
    infer: Callable[[str], str]
    compile_all: Callable[[Sequence[str]], Sequence[Verdict]]
    function_name: Callable[[str], str]
