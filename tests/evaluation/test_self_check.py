"""Tests that cannot fail are found and named."""

from __future__ import annotations

import pytest

from sk2d.errors import DataError, SourceError
from sk2d.evaluation.self_check import Excluded, excluded_rows, refuse_a_blind_set
from sk2d.evaluation.sets import EvaluationSet, Function
from sk2d.evaluation.stubs import stub
from sk2d.metrics.executability import Task, execute

P = "float p(float x) { return x - (int)x; }"


def asserting(condition: str, before: str = "") -> str:
    head = "#include <assert.h>\n#include <stdlib.h>\nint main(void) { "
    return f"{head}{before} assert({condition}); return 0; }}"


F7 = asserting("abs(p(1.33) - 0.33) < 1e-4")
GOOD = asserting("p(1.5f) == 0.5f")


@pytest.mark.parametrize(
    ("code", "name", "test"),
    [
        (P, "p", GOOD),
        ("void f(int *a) { *a = 1; }", "f", asserting("a", "int a = 0; f(&a);")),
        ("#include <stdlib.h>\nvoid *f(int n) { return malloc(n); }", "f", asserting("f(3)")),
        (
            "typedef struct { int a, b; } T;\nT f(int n) { T t = {n, n}; return t; }",
            "f",
            asserting("f(3).b == 3"),
        ),
        (
            "static int g(int a) { return a; }\nint f(int n) { return g(n) + 1; }",
            "f",
            asserting("f(1) == 2"),
        ),
    ],
)
def test_stubs_compile_and_fail_a_good_test(code: str, name: str, test: str) -> None:
    task = Task(name, code, test)
    assert execute(code, task).passes
    nothing, gone = execute(stub(code, name), task), execute(stub(code, name, leaves=True), task)
    assert (nothing.compiles, nothing.passes) == (True, False)
    assert (gone.compiles, gone.passes, gone.reason) == (True, False, "exited_early")


def test_a_function_that_is_not_there_cannot_be_emptied() -> None:
    with pytest.raises(SourceError):
        stub("int g(void) { return 1; }", "f")


def test_f7_a_test_that_cannot_fail_is_named() -> None:
    tasks = {"blind": Task("p", P, F7), "good": Task("p", P, GOOD)}
    tasks["broken"] = Task("p", P.replace("x;", "x - 1;"), GOOD)
    references = {name: execute(task.reference, task) for name, task in tasks.items()}
    stubs = {name: execute(stub(task.reference, "p"), task) for name, task in tasks.items()}
    found = {each.id: each.reason for each in excluded_rows(references, stubs)}
    assert found == {"blind": "accepts_stub", "broken": "reference_fails"}


def functions(count: int) -> EvaluationSet:
    rows = (Function(str(n), "O0", "p", P, P, GOOD, {}, None, f"set:{n}") for n in range(count))
    return EvaluationSet("set", "pairs", "", tuple(rows), ())


def test_above_five_per_cent_a_set_is_refused() -> None:
    one = Excluded("3", "accepts_stub", "")
    refuse_a_blind_set(functions(20), [one])
    with pytest.raises(DataError, match=r"1 of 19 rows .* 3 \(accepts_stub\)"):
        refuse_a_blind_set(functions(19), [one])
