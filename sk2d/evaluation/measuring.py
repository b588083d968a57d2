"""One answer measured: verdict of compiler and test, nearness of the text, features."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sk2d import __version__
from sk2d.c import infer, obfuscate
from sk2d.errors import SourceError
from sk2d.evaluation.sets import Function
from sk2d.metrics.edits import edit_similarity, formatted
from sk2d.metrics.executability import Execution, Task, execute
from sk2d.metrics.identifiers import name_similarity
from sk2d.metrics.nodes import exact_nodes
from sk2d.metrics.readability import UnreadableError, features
from sk2d.rewards.structure import Structure, structure

MISSING: Final = "missing"


@dataclass(frozen=True)
class Question:
    """An answer to measure.

    Attributes:
        code: C text; untrusted.
        pseudo: Whether it is a decompiler's text, before which the shim stands.
        function: What it answers.
        flags: How it is compiled.
        before: What stands before it when it is compiled, and is no part of the answer.
        ir: What the Skeleton model made of it, where that is known.
    """

    code: str
    pseudo: bool
    function: Function
    flags: tuple[str, ...]
    before: str = ""
    ir: str | None = None

    def key(self, compiler: str) -> str:
        """Give a hash of all that the measures depend on.

        Args:
            compiler: The compiler's version.

        Returns:
            Hex digits.
        """
        asked = self.function
        parts: list[Any] = [self.before, self.code, self.pseudo, asked.func_name]
        parts += [
            asked.reference,
            asked.code,
            asked.test,
            self.ir,
            dict(asked.pseudo) if self.ir else None,
        ]
        text = json.dumps([*parts, self.flags, compiler, __version__])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Measures:
    """What was measured of an answer.

    Attributes:
        execution: What compiler and test say.
        edit: Edit similarity of the formatted texts.
        edit_raw: The same of the texts as they stand.
        exact: Whether the formatted texts are equal.
        nodes: The reference's nodes that it has too, and all of them, by kind.
        names: F1 of the words of names, by kind.
        features: Features of readability; None where it cannot be read.
        ir: How the Skeleton's IR compares with that of the source; None where there is none.
        row_broken: Whether the row itself cannot be worked on, so that no answer could be right.
    """

    execution: Execution
    edit: float
    edit_raw: float
    exact: bool
    nodes: dict[str, tuple[int, int]]
    names: dict[str, float | None]
    features: dict[str, float] | None
    ir: Structure | None = None
    row_broken: bool = False

    def plain(self) -> dict[str, Any]:
        """Give it as plain values."""
        return dataclasses.asdict(self)


def measure(question: Question) -> Measures:
    """Measure an answer.

    Args:
        question: The answer, and what it should be.

    Returns:
        Its measures.

    Raises:
        SourceError: The reference cannot be worked on.
        DataError: The test does not compile.
        JailError: The jail failed.
    """  # noqa: DOC502
    function, code = question.function, question.code
    task = Task(function.func_name, function.reference, function.test, question.flags)
    execution = execute(question.before + code, task, pseudo=question.pseudo)
    measures = _of_texts(code, function, execution)
    if question.ir is None:
        return measures
    return dataclasses.replace(measures, ir=_structure(question.ir, function))


def _structure(ir: str, function: Function) -> Structure | None:
    """Compare with the IR of the source; None where the source has none or no header for it."""
    try:
        reference = obfuscate(function.code, next(iter(function.pseudo.values()), None)).ir
        header = infer(reference)
    except SourceError:
        return None
    return structure(ir, reference, header)


def _of_texts(code: str, function: Function, execution: Execution) -> Measures:
    nice, wanted = formatted([code, function.code])
    name = function.func_name
    try:
        counted: dict[str, float] | None = features(code, name)
    except UnreadableError:
        counted = None
    return Measures(
        execution,
        edit=edit_similarity(nice, wanted),
        edit_raw=edit_similarity(code, function.code),
        exact=nice == wanted,
        nodes=exact_nodes(code, function.code),
        names=name_similarity(code, function.code, name),
        features=counted,
    )


def missing(function: Function, why: str = "no answer") -> Measures:
    """Give the measures of an answer that is not there: it failed.

    Args:
        function: What was asked.
        why: Why there is none.

    Returns:
        Measures of nothing.
    """
    none = Execution(False, None if function.test is None else False, MISSING, why)
    try:
        return _of_texts("", function, none)
    except SourceError:
        return broken(MISSING, why, function)


def measures_of(plain: dict[str, Any]) -> Measures:
    """Read what `Measures.plain` gave.

    Args:
        plain: Plain values.

    Returns:
        The measures.
    """
    nodes: dict[str, Sequence[int]] = plain["nodes"]
    pairs = {kind: (same, there) for kind, (same, there) in nodes.items()}
    ir = plain["ir"] and Structure(**plain["ir"])
    execution = Execution(**plain["execution"])
    return Measures(**plain | {"nodes": pairs, "execution": execution, "ir": ir})


def broken(reason: str, message: str, function: Function) -> Measures:
    """Give the measures where the row itself cannot be worked on.

    Args:
        reason: What is wrong with it, in a word.
        message: What is wrong with it.
        function: The row.

    Returns:
        Measures of nothing, with the reason.
    """
    tested = None if function.test is None else False
    execution = Execution(False, tested, reason, message)
    return Measures(execution, 0.0, 0.0, False, {}, {}, None, row_broken=True)
