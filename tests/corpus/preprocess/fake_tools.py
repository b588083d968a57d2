"""Steps that are quick and that fail on demand: a word in the code says how."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sk2d.c.tokens import significant
from sk2d.corpus.preprocess.tools import Tools
from sk2d.errors import JailError, Reason, SourceError

NAME = re.compile(r"(\w+)\(")


@dataclass(frozen=True)
class FakeVerdict:
    compiles: bool
    reason: str | None = None
    message: str = ""
    warnings: Mapping[str, int] = field(default_factory=dict)


def normalize_all(codes: Sequence[str], dialect: str, profile: str) -> list[str | SourceError]:
    bad = SourceError(Reason.SYNTAX_ERROR, "no valid C")
    return [bad if "BAD_PSEUDO" in code else code.replace("__int64", "long long") for code in codes]


def obfuscate(code: str, pseudo: str) -> tuple[str, dict[str, str]]:
    if "CRASH" in code:
        raise ZeroDivisionError("a mistake of ours")
    name = function_name(code)
    return code.replace(name, "func1"), {"func1": name}


def restore(ir: str, mapping: Mapping[str, str]) -> str:
    return ir.replace("func1", mapping["func1"]) + (" /**/ lost" if "LOSSY" in ir else "")


def format_all(codes: Sequence[str]) -> list[str | SourceError]:
    late = SourceError(Reason.FMT_TIMEOUT, "too slow")
    return [late if "SLOW" in code else re.sub(r"([;{}]) *", r"\1\n", code) for code in codes]


def infer(code: str) -> str:
    if "CLASH" in code:
        raise SourceError(Reason.TYPE_CONFLICT, "no one type")
    if "ALWAYS_DIES" in code:
        os.kill(os.getpid(), signal.SIGKILL)
    return "int shared;\n"


def compile_all(codes: Sequence[str]) -> list[FakeVerdict]:
    if len(codes) > 1 and any("DIES_IN_COMPANY" in code for code in codes):
        os.kill(os.getpid(), signal.SIGKILL)
    if any("JAIL" in code for code in codes):
        raise JailError("the jail is broken")
    return [verdict(code) for code in codes]


def verdict(code: str) -> FakeVerdict:
    if "NOT_C" in code:
        return FakeVerdict(False, "not_compiling", "expected ';'")
    return FakeVerdict(True, None, "", {"int-conversion": 2} if "WARNS" in code else {})


def function_name(code: str) -> str:
    found = NAME.search(code)
    if not found:
        raise SourceError(Reason.NO_FUNCTION, "no function")
    return found[1]


TOOLS = Tools(normalize_all, obfuscate, restore, format_all, infer, compile_all, function_name)


def function(name: str, *words: str, seed: int = 0) -> str:
    """A function of some lines, of which words and seed make every token differ."""
    body = " ".join(f"v{seed} += {seed * 7 + n} * w{seed}_{n};" for n in range(12))
    marks = " ".join(f"{word} = 1;" for word in words)
    return f"int {name}(int v{seed}) {{ {body} {marks} return v{seed}; }}"


def pair(
    name: str, *words: str, seed: int = 0, opt: str = "O0", **more: object
) -> dict[str, object]:
    """A raw pair; the pseudo-code differs with the level."""
    pseudo = function("sub_1", f"level_{opt}", seed=seed)
    code = function(name, *words, seed=seed)
    told = {"id": f"{name}:{opt}", "program": "p", "opt": opt, "func_name": name}
    return {**told, "pseudo": pseudo, "code": code, **more}


def tokens(code: str) -> list[str]:
    return significant(code)
