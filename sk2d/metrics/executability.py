"""Does a candidate compile, and does it do what the source does?

The candidate is a unit of its own, with what it lacks declared before it; the test is another
unit, which begins with the reference's includes and prototype. Both run in the jail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sk2d.c.functions import function_definitions, rename_function
from sk2d.c.inference import infer
from sk2d.c.normalization import shim
from sk2d.c.parse import parse
from sk2d.c.reference_tests import run_test_against
from sk2d.errors import DataError, SourceError
from sk2d.sandbox import TEST_FLAGS, TestVerdict, compile_candidate


@dataclass(frozen=True)
class Task:
    """What a candidate has to be.

    Attributes:
        func_name: What the function is called.
        reference: C text of the true function, with its includes.
        test: A program that asserts; None where there is none.
        flags: How candidates are compiled.
    """

    func_name: str
    reference: str
    test: str | None = None
    flags: Sequence[str] = TEST_FLAGS


@dataclass(frozen=True)
class Execution:
    """What became of a candidate.

    Attributes:
        compiles: Whether it compiles with its header.
        passes: Whether it passes its test; None where there is no test.
        reason: Why not, from the closed lists of the jail and of `sk2d.errors`.
        message: What the compiler or the program wrote.
    """

    compiles: bool
    passes: bool | None
    reason: str | None = None
    message: str = ""

    @property
    def wrong(self) -> bool:
        """Whether it compiles and fails its test."""
        return self.compiles and self.passes is False


def execute(code: str, task: Task, *, pseudo: bool = False) -> Execution:
    """Compile a candidate and run its test.

    A function of another name is renamed first, where the text defines one function only: its
    identifiers, and nothing else.

    Args:
        code: C text, of a model or a decompiler; untrusted.
        task: What it has to be.
        pseudo: Whether it is a decompiler's text, before which the shim stands.

    Returns:
        What became of it.

    Raises:
        SourceError: The reference cannot be worked on.
        DataError: The test does not compile.
        JailError: The jail failed; nothing is known of the candidate.
    """  # noqa: DOC502
    tested = None if task.test is None else False
    try:
        code = named(code, task.func_name)
        header = header_of(code, pseudo=pseudo)
    except SourceError as error:
        return Execution(False, tested, str(error.reason), str(error))
    if task.test is None:
        alone = compile_candidate(code, header=header, flags=task.flags)
        reason = None if alone.reason is None else str(alone.reason)
        return Execution(alone.compiles, None, reason, "" if alone.compiles else alone.message)
    verdict = run_test_against(
        code,
        task.test,
        reference=task.reference,
        func_name=task.func_name,
        header=header,
        flags=task.flags,
    )
    return _of_test(verdict)


def _of_test(verdict: TestVerdict) -> Execution:
    if verdict.passed is None:
        said = verdict.message.strip().splitlines() or ["the compiler does not say why"]
        raise DataError(f"the test does not compile: {said[0]}")
    reason = None if verdict.reason is None else str(verdict.reason)
    message = "" if verdict.passed else verdict.message
    return Execution(verdict.compiles, verdict.passed, reason, message)


def named(code: str, func_name: str) -> str:
    """Give a text's only function the name that a test calls.

    Args:
        code: C text.
        func_name: The name.

    Returns:
        The text; as it is where it defines the name already, or several functions.

    Raises:
        SourceError: The text defines no function, or cannot be worked on.
    """  # noqa: DOC502
    defined = {function.name for function in function_definitions(parse(code))}
    if func_name in defined or len(defined) > 1:
        return code
    return rename_function(code, func_name)


def header_of(code: str, *, pseudo: bool = False) -> str:
    """Give what has to stand before a text so that it may compile.

    Args:
        code: C text.
        pseudo: Whether it is a decompiler's text, before which the shim stands.

    Returns:
        The shim and the inferred declarations; the declarations are left out where none suit, and
        the compiler has the last word.

    Raises:
        SourceError: The text cannot be worked on.
    """  # noqa: DOC502
    start = shim() if pseudo else ""
    try:
        return start + infer(code, shim=pseudo)
    except SourceError:
        parse(code)
        return start
