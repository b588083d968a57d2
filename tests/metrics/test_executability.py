"""Candidates are compiled by themselves, named as the test calls them, and run against it."""

from __future__ import annotations

import pytest

from sk2d.c.tokens import significant
from sk2d.errors import DataError
from sk2d.metrics.executability import Task, execute, named

REFERENCE = "#include <stdlib.h>\nint f(int n) { return n ? n * 2 : 0; }\n"
TEST = "#include <assert.h>\nint main(void) { assert(f(4) == 8); return 0; }\n"
TASK = Task("f", REFERENCE, TEST)


@pytest.mark.parametrize(
    ("code", "compiles", "passes", "reason"),
    [
        (REFERENCE, True, True, None),
        ("int f(int n) { return n + n; }", True, True, None),
        ("int other(int n) { return n << 1; }", True, True, None),
        ("int f(int n) { return 0; }", True, False, "assertion"),
        ("int f(int n) { exit(0); }", True, False, "exited_early"),
        ("uint32_t f(undefined4 n) { return (uint)n * 2; }", True, True, None),
        ("int f(int n) { return n + ; }", False, False, "syntax_error"),
        ("int a(int n) { return n; }\nint b(int n) { return n; }", True, False, "no_function"),
        ("", False, False, "empty"),
        ("I cannot decompile this.", False, False, "syntax_error"),
        ("int f(int n) { return twice(n); }", True, False, "link_error"),
    ],
)
def test_verdicts(code: str, compiles: bool, passes: bool, reason: str | None) -> None:
    found = execute(code, TASK, pseudo="undefined" in code)
    assert (found.compiles, found.passes, found.reason) == (compiles, passes, reason)
    assert found.wrong == (compiles and not passes)


def test_without_a_test_only_the_compiler_speaks() -> None:
    found = execute("int f(int n) { return n->x; }", Task("f", REFERENCE))
    assert (found.compiles, found.passes) == (False, None)
    assert execute("int f(int n) { return 0; }", Task("f", REFERENCE)).passes is None


def test_a_broken_test_is_the_rows_fault() -> None:
    with pytest.raises(DataError, match="the test does not compile"):
        execute(REFERENCE, Task("f", REFERENCE, "int main(void) { nonsense }"))


@pytest.mark.parametrize(
    ("code", "old"),
    [
        ("int f(int n){ if (n) return f(n-1); float offset=1; return offset; }", "f"),
        ("int a(int a_len) { return a_len; }", "a"),
        ("int id(struct node *n) { n->list_new_id = 1; return n->id; }", "id"),
        ('int sum(int d) { return printf("sum(%d)", d); }', "sum"),
        ("int g(int n) { int (*self)(int) = &g; return n ? self(n - 1) : 0; }", "g"),
    ],
)
def test_f1_renaming_touches_the_function_alone(code: str, old: str) -> None:
    before, after = significant(code), significant(named(code, "func0"))
    assert len(before) == len(after)
    changed = {(one, other) for one, other in zip(before, after, strict=True) if one != other}
    assert changed == {(old, "func0")}


def test_f6_flags_decide_what_compiles() -> None:
    code = "int f(int a) { long long v = malloc(8); return helper(a) * (v != 0); }\n"
    code += "int helper(int a) { return a * 2; }"
    assert execute(code, TASK).passes is True
    strict = Task("f", REFERENCE, TEST, ("-std=gnu17", "-Werror=int-conversion"))
    assert execute(code, strict).compiles is False
