import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sk2d.c.parse import parse, syntax_error
from sk2d.c.reference_tests import declarations_of, run_test_against
from sk2d.c.tokens import significant
from sk2d.errors import SourceError

REFERENCE = """#include <stdio.h>
#define LIMIT 3
typedef struct pair { int a, b; } pair;
enum kind { ONE = 1 };
static int twice(int n) { return 2 * n; }
// says what it does
char *(*table(void))[2];
int shared;
pair *func0(pair *p, int (*by)(int))
{
    p->a = twice(by(p->a));
    return p;
}
"""
TEST = """#include <assert.h>
#include <stddef.h>
static int next(int n) { return n + ONE; }
int main(void) {
    pair p = {LIMIT, 4};
    assert(func0(&p, next)->a == 8);
}
"""


def test_bodies_become_prototypes_and_the_rest_stays() -> None:
    text = declarations_of(REFERENCE, "func0")
    kept = REFERENCE.replace("static int twice(int n) { return 2 * n; }", "")
    kept = kept.replace("{\n    p->a = twice(by(p->a));\n    return p;\n}", ";")
    assert significant(text) == significant(kept)
    assert syntax_error(parse(text)) is None


def test_a_reference_passes_its_own_test_and_a_wrong_function_does_not() -> None:
    verdict = run_test_against(REFERENCE, TEST, reference=REFERENCE, func_name="func0")
    assert verdict.passed, verdict
    wrong = REFERENCE.replace("2 * n", "3 * n")
    verdict = run_test_against(wrong, TEST, reference=REFERENCE, func_name="func0")
    assert verdict.reason == "assertion"


def test_the_candidates_own_types_do_not_reach_the_test() -> None:
    candidate = "typedef struct { char a; } pair; pair *func0(pair *p, void *by) { return p; }"
    verdict = run_test_against(candidate, TEST, reference=REFERENCE, func_name="func0")
    assert verdict.reason == "assertion"


@pytest.mark.parametrize("text", ["int func0(int);", "int func1(int a) { return a; }", "int x;"])
def test_a_reference_without_the_function_has_a_reason(text: str) -> None:
    with pytest.raises(SourceError, match="no_function"):
        declarations_of(text, "func0")


@pytest.mark.parametrize(
    "every", [12, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_every_released_reference_passes_in_two_units(
    every: int, released: Callable[[str], Path]
) -> None:
    lines = released("humaneval_decompile.jsonl").read_text().splitlines()
    rows = {row["code"]: row for row in map(json.loads, lines)}
    assert len(rows) == 86
    for row in list(rows.values())[::every]:
        code, name = row["code"], row["func_name"]
        verdict = run_test_against(code, row["test"], reference=code, func_name=name)
        assert verdict.passed, (row["task_id"], verdict)
