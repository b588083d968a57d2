"""A set of four functions, with answers of every kind, written for these tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sk2d.evaluation.evaluating import Evaluation, Plan
from sk2d.frontends.flatline import Flatline

ASSERT = "#include <assert.h>\n"
ROWS: list[dict[str, Any]] = [
    {
        "id": f"twice/{level}",
        "opt": level,
        "func_name": "twice",
        "code": "int twice(int value) { return value * 2; }",
        "test": ASSERT + "int main(void) { assert(twice(4) == 8); return 0; }",
        "ghidra_pseudo": "int twice(int param_1)\n\n{\n  return param_1 * 2;\n}\n",
    }
    for level in ("O0", "O2")
]
ROWS += [
    {
        "id": "largest/O0",
        "opt": "O0",
        "func_name": "largest",
        "code": "int largest(int *items, int count)\n{\n  int best = items[0];\n"
        "  for (int i = 1; i < count; i++)\n    if (items[i] > best)\n      best = items[i];\n"
        "  return best;\n}",
        "test": ASSERT
        + "int main(void) { int a[] = {3, 9, 4}; assert(largest(a, 3) == 9); return 0; }",
        "ghidra_pseudo": "int largest(int *param_1,int param_2)\n\n{\n  int local_c;\n"
        "  local_c = *param_1;\n  return local_c;\n}\n",
    },
    {
        "id": "reset/O3",
        "opt": "O3",
        "func_name": "reset",
        "code": "void reset(char *text) { text[0] = 0; }",
        "test": ASSERT + 'int main(void) { char t[] = "ab"; reset(t); assert(!t[0]); return 0; }',
    },
]
ANSWERS = [
    {"id": "twice/O0", "code": "int twice(int value) { return value * 2; }"},
    {"id": "twice/O2", "code": "int twice(int value) { return value + 2; }"},
    {"id": "largest/O0", "code": "int largest(int *items, int n) { return items + n * items; }"},
]
"""Right, wrong, not compiling, and one missing."""
TWENTY = [ROWS[0] | {"id": f"twice/{n}"} for n in range(20)]
BLIND = ROWS[0] | {"id": "blind", "test": ASSERT + "int main(void) { twice(1); return 0; }"}


@dataclass
class Folder:
    """Writes files of rows and evaluates them.

    Args:
        path: Where.
    """

    path: Path

    def rows(self, name: str, rows: Sequence[Mapping[str, Any]]) -> Path:
        path = self.path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def plan(self, output: str = "out", **settings: Any) -> Plan:
        given = {
            "set": self.rows("set.jsonl", ROWS),
            "predictions": {"mine": self.rows("mine.jsonl", ANSWERS)},
        }
        return Plan(output=self.path / output, **given | settings)

    def evaluate(self, plan: Plan | None = None) -> dict[str, Any]:
        return Evaluation(plan or self.plan(), {}).run(lambda: None, lambda *told: None)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What an evaluation of the four functions finds; flatline is a part where it is there."""
    return Folder(tmp_path_factory.mktemp("evaluation")).evaluate()


@pytest.fixture(scope="session")
def has_flatline() -> bool:
    with Flatline() as frontend:
        return frontend.missing() is None


Maker = Callable[..., Plan]
