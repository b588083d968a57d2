"""Does this compiler judge as the one did with which verdicts were recorded?

gcc 14 takes for errors what earlier versions warned of; three functions tell whether the flags keep
that from changing results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sk2d.metrics.executability import Task, execute
from sk2d.sandbox import TEST_FLAGS

_REFERENCE = "int func0(long long a, int b) { return (int)a + b; }"
_TEST = "#include <assert.h>\nint main(void) { assert(func0(2, 3) == 5); return 0; }\n"


@dataclass(frozen=True)
class Canary:
    """A function and what became of it with gcc 12.2.

    Attributes:
        name: What it is an example of.
        code: C text.
        compiles: Whether it compiled.
        passes: Whether it passed its test.
    """

    name: str
    code: str
    compiles: bool
    passes: bool


CANARIES = (
    Canary(
        "a callee that is declared nowhere",
        "int func0(long long a, int b) { return helper(a, b); }\n"
        "int helper(long long a, int b) { return a + b; }\n",
        compiles=True,
        passes=True,
    ),
    Canary(
        "a pointer kept in an integer",
        "int func0(long long a, int b)\n"
        "{ long long v1 = malloc(8); memset(v1, 0LL, 8); return a + b; }\n",
        compiles=True,
        passes=True,
    ),
    Canary(
        "a pointer added to a pointer",
        "int func0(long long a, int b) { char *p = 0, *q = 0; return p + q; }\n",
        compiles=False,
        passes=False,
    ),
)


def ask_canaries(flags: Sequence[str] = TEST_FLAGS) -> list[dict[str, Any]]:
    """Compile and run the three functions.

    Args:
        flags: How candidates are compiled.

    Returns:
        For each its name, what was recorded with the default flags, what was found, and whether
        both are the same; None for that where other flags are set.

    Raises:
        JailError: The jail failed.
    """  # noqa: DOC502
    found = []
    for canary in CANARIES:
        task = Task("func0", _REFERENCE, _TEST, tuple(flags))
        execution = execute(canary.code, task)
        verdict = {"compiles": execution.compiles, "passes": execution.passes}
        recorded = {key: value for key, value in asdict(canary).items() if key in verdict}
        same = verdict == recorded if tuple(flags) == TEST_FLAGS else None
        found.append({"name": canary.name, "recorded": recorded, "found": verdict, "same": same})
    return found
