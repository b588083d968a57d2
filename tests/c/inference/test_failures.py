"""What cannot be inferred is told with its reason and line."""

import pytest

from sk2d.c.inference import infer
from sk2d.errors import Reason, SourceError, UserError

ROWS = {
    "not C": ("int f(void) {\n  return (;\n}", Reason.SYNTAX_ERROR, "line 2"),
    "cut off": ("int f(void) { return 1;", Reason.SYNTAX_ERROR, "line 1"),
    "#if left open": ("#if X\nint f(void) { return 1; }", Reason.SYNTAX_ERROR, "#endif"),
    "implicit int": ("f(a) { return a; }", Reason.UNSUPPORTED, "without a type"),
    "nested": (
        "int f(void) {\nint g(int a) { return a; }\nreturn g(1); }",
        Reason.UNSUPPORTED,
        "2",
    ),
    "#error": ("#error no\nint f(void) { return 1; }", Reason.UNSUPPORTED, "#error"),
    "void value": (
        "void g(void) {}\nint f(void) {\n  int x = g();\n  return x; }",
        Reason.TYPE_CONFLICT,
        "line 3",
    ),
    "struct and number": (
        "int f(T t) {\n  t.a = 1;\n  return t % 2; }",
        Reason.TYPE_CONFLICT,
        "line 3",
    ),
    "missing member": (
        "struct s { int a; };\nint f(struct s *p) { return p->b; }",
        Reason.TYPE_CONFLICT,
        "no member b",
    ),
    "wrong count": ("int f(int a) { return f(a, 1); }", Reason.TYPE_CONFLICT, "arguments"),
    "type and value": ("int f(void) { int T = 1; { T *x = 0; T y; } return T; }", None, ""),
    "contains itself": ("void f(T x) { x.a = x; }", Reason.TYPE_CONFLICT, "line 1"),
    "empty": ("  \n", Reason.EMPTY, ""),
    "NUL": ("int f(void) { return 1; }\0", Reason.NUL_BYTE, ""),
    "exploding macros": (
        "\n".join(
            [
                "#define A0 x x x x x x x x",
                *(f"#define A{n} " + f"A{n - 1} " * 8 for n in range(1, 9)),
            ]
        )
        + "\nint f(void) { A8; }",
        Reason.UNSUPPORTED,
        "grows",
    ),
}


@pytest.mark.parametrize("title", ROWS)
def test_a_failure_has_its_reason(title):
    code, reason, told = ROWS[title]
    with pytest.raises(SourceError) as caught:
        infer(code)
    assert told in str(caught.value)
    assert reason in (None, caught.value.reason)


def test_an_unknown_engine_is_refused_with_a_hint():
    with pytest.raises(UserError, match="Did you mean psychec"):
        infer("int f(void) { return 1; }", engine="psyche")


def test_deep_nesting_is_worked_on_or_told():
    deep = "int f(void) { return " + "(" * 10_000 + "1" + ")" * 10_000 + "; }"
    with pytest.raises(SourceError) as caught:
        infer(deep)
    assert caught.value.reason is Reason.TOO_DEEP
