"""Features of readability, counted by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from sk2d.metrics.readability import UnreadableError, features


def counted(body: str, *, head: str = "int f(int a, int b)") -> dict[str, float]:
    return features(f"{head} {{\n{body}\n}}\n", "f")


def test_every_feature_of_the_reference_is_equal(released: Callable[[str], Path]) -> None:
    for row in map(json.loads, released("r2i_cases.jsonl").open()):
        for system, code in row["candidates"].items():
            found, wanted = features(code, row["function"]), row["features"][system]
            assert found.keys() == wanted.keys()
            for name, value in wanted.items():
                assert math.isclose(found[name], value, abs_tol=1e-6), (row["id"], system, name)


@pytest.mark.parametrize(
    ("body", "feature", "value"),
    [
        ("if (a) return 1; else if (b) return 2; return 0;", "if_depth", 1),
        ("if (a) { if (b) return 1; } return 0;", "if_depth", 2),
        ("if (a) { return 1; } else { return 2; }", "branch_if", 2),
        ("if (a && b) { if (a || b || a) return 1; } return 0;", "cond_depth", 5),
        ("while (a && b) a--; return a;", "cond_depth", 0),
        ("if (!(a && b)) return 1; return 0;", "cond_depth", 0),
        ("for (;;) { if (a) break; if (b) break; } return a;", "if_in_loop", 1),
        ("while (a) { if (b) break; } return a;", "if_in_loop", 0),
        ("while (1) { while (2) { if (a) break; } if (b) break; } return 0;", "if_in_loop", 2),
        ("return (int)(char)a;", "cast", 1),
        ("return (int)a + (int)b;", "cast", 0),
        ("int c = (int)(char)a; return c;", "cast", 0),
        ("return strcmp(p, q) == 0;", "strcmp_not", 1),
        ("return !strcmp(p, q);", "strcmp_not", 1),
        ("return strcmp(p, q) < 0;", "strcmp_bare", 1),
        ("return strcmp(p, q) == a;", "strcmp_bare", 1),
        ("scanf(fmt, &a, &b); return a;", "ref_direct", 0),
        ("use(&a); return *p;", "ref_direct", 2),
        ("L: a++; goto L;", "label", 0),
        ("L: a++; return a;", "label", 1),
        ("a++; ++b; a--; return a;", "fix", 2 / 3),
        ("undefined4 x; undefined y; code *z; return 0;", "undefined", 2),
        ("switch (a) { case 1: return 1; default: return 2; }", "branch_case", 2),
        ("switch (a) { case 1 ... 5: return 1; } return b;", "branch_case", 1),
        ("int x = a, y; y = x; y += b; return y;", "assignment", 3),
        ("int x = a, y; y = x; y += b; return y;", "local", 2),
        ("if ((a, b) == 1) return 1; return 0;", "comma", 1),
        ("do a--; while (a); for (;a;) while (b) b--; return 0;", "loop_for", 3),
        ("do a--; while (a); for (;a;) while (b) b--; return 0;", "loop_while", 2),
        ("do a--; while (a); for (;a;) while (b) b--; return 0;", "prop_loop_for", 1 / 3),
        ("return a & b | ~a << 2;", "bitwise", 4),
        ('__asm__ volatile ("nop" : : "r"(a) : "memory"); return 0;', "asm", 1),
    ],
)
def test_feature(body: str, feature: str, value: float) -> None:
    assert counted(body)[feature] == pytest.approx(value)


def test_lines() -> None:
    code = "int f(int a)\n\n{\n  /* alone */\n  return a + 1; // sum\n}\n"
    found = features(code, "f")
    assert found["loc"] == 4
    assert found["lol"] == len(["int", "f", "int", "a", ""])


@pytest.mark.parametrize(
    "code",
    [
        "uint32_t f(undefined8 *p) { return (ulong)(*p) + (DWORD)(1); }",
        "static inline __attribute__((always_inline)) int f(int a) { return a; }",
        "int __fastcall f(_DWORD *a1) { return a1[2]; }",
        "int f(int a) { typeof(a) b = a; return b ?: 3; }",
        "int f(int n, ...) { va_list ap; va_start(ap, n); return va_arg(ap, int); }",
        "#define TWICE(x) ((x) * 2)\nint f(int a) { return TWICE(a); }",
        "int f(struct node *n) { return container_of(n)->next->value; }",
        "int f(a, b) int a; char *b; { return a + *b; }",
        'char *f(void) { return "\\q" "ok"; }',
        "int f(int a) { if (a) goto end; a = 1; end: }",
        "bool f(size_t n, FILE *out) { return fwrite(&n, sizeof(size_t), 1, out) == true; }",
        "typedef struct { int a; } T;\nint f(T *t) { T u = *t; return u.a; }",
    ],
)
def test_what_decompilers_and_gnu_c_write_can_be_read(code: str) -> None:
    assert features(code, "f")["token"] > 3


def test_a_type_in_a_cast_is_no_call() -> None:
    known = features("int f(int a) { return (unsigned)(a - 1); }", "f")
    unknown = features("int f(int a) { return (ulong)(a - 1); }", "f")
    assert known == unknown


@pytest.mark.parametrize(
    "code", ["", "int f(", "int g(void) { return 1; }", "f is a function", "\0"]
)
def test_what_is_no_c_or_lacks_the_function_is_said(code: str) -> None:
    with pytest.raises(UnreadableError):
        features(code, "f")
