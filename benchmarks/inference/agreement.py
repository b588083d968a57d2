"""How often the class of an inferred declaration is the class of the true one.

The sources are single functions, so the true declarations of what they leave open are not at hand.
Two ways round: parameters and local variables whose declarations are taken out and inferred again,
and functions that other functions of the same program call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.inference.classes import Class, Declared, declared
from benchmarks.inference.hidden import KNOWN, Variable, hide, signatures, variables
from benchmarks.inference.samples import Program
from sk2d.c.parse import parse_valid
from sk2d.errors import SourceError

Infer = Callable[[str], str]

LEAST: Final = 0.90


@dataclass
class Agreement:
    """How often two classes agree.

    Args:
        title: What was compared.
        counts: How often each pair of the true and the inferred class came up.
        undecided: Results that no caller uses, so that nothing can be known about them.
        different: The places where the two differ.
    """

    title: str
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    undecided: int = 0
    different: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All that was compared."""
        return sum(self.counts.values())

    @property
    def share(self) -> float:
        """Share in which the two agree."""
        agreeing = sum(n for (true, inferred), n in self.counts.items() if true == inferred)
        return agreeing / self.total if self.total else 1.0

    def add(self, where: str, true: Class, inferred: str) -> None:
        """Count a comparison.

        Args:
            where: Program and name.
            true: Class of the true declaration.
            inferred: Class of the inferred one, or what came instead.
        """
        if true not in KNOWN:
            return
        self.counts[(true, inferred)] += 1
        if true != inferred:
            self.different.append(f"{where}: {true}, inferred {inferred}")

    def figures(self) -> dict[str, Any]:
        """Give everything as plain data.

        Returns:
            What JSON can hold.
        """
        counts = {f"{true} as {inferred}": n for (true, inferred), n in self.counts.items()}
        return {
            "title": self.title,
            "total": self.total,
            "share": self.share,
            "counts": counts,
            "undecided": self.undecided,
            "different": self.different,
        }


def hidden_one_by_one(programs: Sequence[Program], infer: Infer) -> Agreement:
    """Take out one declaration at a time, as if the name were a global variable.

    Args:
        programs: Programs with their functions.
        infer: The function under test.

    Returns:
        How often the class is found again.
    """
    result = Agreement("one hidden declaration")
    for where, code in _functions(programs):
        tree = parse_valid(code)
        for variable in variables(tree):
            header = _header(hide(tree, [variable]), infer)
            result.add(f"{where} {variable.name}", variable.true, _inferred(header, variable))
    return result


def hidden_together(programs: Sequence[Program], infer: Infer) -> Agreement:
    """Take out all declarations of a function at once, which is harder.

    Args:
        programs: Programs with their functions.
        infer: The function under test.

    Returns:
        How often the classes are found again.
    """
    result = Agreement("all declarations hidden")
    for where, code in _functions(programs):
        tree = parse_valid(code)
        hidden = variables(tree)
        header = _header(hide(tree, hidden), infer) if hidden else None
        for variable in hidden:
            result.add(f"{where} {variable.name}", variable.true, _inferred(header, variable))
    return result


def calls(programs: Sequence[Program], infer: Infer) -> tuple[Agreement, Agreement]:
    """Compare what a caller alone tells about a function with the definition of that function.

    Args:
        programs: Programs with their functions.
        infer: The function under test.

    Returns:
        How often the classes of results agree, and those of parameters.
    """
    results = Agreement("results of called functions")
    parameters = Agreement("parameters of called functions")
    for program in programs:
        functions = list(_functions([program]))
        true = {name: sig for _, code in functions for name, sig in signatures(code).items()}
        for where, code in functions:
            header = _header(code, infer)
            for name in sorted(true.keys() & (header.functions.keys() if header else set())):
                _compare_call(f"{where} {name}", true[name], header, name, results, parameters)
    return results, parameters


def _compare_call(
    where: str,
    true: Any,
    header: Declared,
    name: str,
    results: Agreement,
    parameters: Agreement,
) -> None:
    inferred = header.functions[name]
    if inferred.result == "void" and true.result in KNOWN:
        results.undecided += 1
    else:
        results.add(where, true.result, inferred.result)
    own = inferred.parameters or ()
    for index, kind in enumerate(true.parameters or ()):
        found = own[index] if index < len(own) else "nothing"
        parameters.add(f"{where} parameter {index + 1}", kind, found)


def _functions(programs: Sequence[Program]) -> Iterator[tuple[str, str]]:
    for program in programs:
        for code in program.sources:
            try:
                names = list(signatures(code))
            except SourceError:
                continue
            if len(names) == 1:
                yield f"{program.name}:{names[0]}", code


def _header(code: str, infer: Infer) -> Declared | None:
    try:
        return declared(infer(code))
    except Exception:  # No header, for whatever reason, agrees with nothing; `rates` says why.
        return None


def _inferred(header: Declared | None, variable: Variable) -> str:
    if header is None:
        return "nothing"
    if variable.name in header.functions:
        return "pointer"
    return header.variables.get(variable.name, "nothing")
