"""Function definitions are found in every dress, and renamed at their own tokens only."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sk2d.c.functions import function_definitions, rename_function, the_function
from sk2d.c.parse import parse
from sk2d.c.tokens import significant, string_literals
from sk2d.errors import Reason, SourceError, UserError
from tests.c.c_programs import Program, programs
from tests.c.test_c_programs import sample, wrong

# One row = code, the names of its functions, the parameters of the first.
DEFINITIONS = [
    ("int f(int a, char *b) { return a; }", ["f"], ("a", "b")),
    ("int f(void) { return 0; }", ["f"], ()),
    ("int f() { return 0; }", ["f"], ()),
    ("int f(int, char *b, ...) { return 0; }", ["f"], ("b",)),
    ("char *pick(a, b) int a; char *b; { return a ? b : 0; }", ["pick"], ("a", "b")),
    ("int pick(a, b) int a; char *b; { return a; }", ["pick"], ("a", "b")),
    ("f(a) { return a; }", ["f"], ("a",)),
    ("main() { return 0; }", ["main"], ()),
    ("int (*f(int a))(int) { return 0; }", ["f"], ("a",)),
    ("int (*f(a, b))(void) int a; char b; { return 0; }", ["f"], ("a", "b")),
    ("int (f)(int a) { return a; }", ["f"], ("a",)),
    ("int (*f(void))[3] { return 0; }", ["f"], ()),
    ("int f(int (*g)(int x), T h[]) { return 0; }", ["f"], ("g", "h")),
    ("struct s { int a; } f(int a) { struct s x = {a}; return x; }", ["f"], ("a",)),
    ("static inline __attribute__((always_inline)) int f(int a) { return a; }", ["f"], ("a",)),
    ("int f(int a) __attribute__((noinline)) { return a; }", ["f"], ("a",)),
    ("int Cdecl CompareFrequency(char *a) { return *a; }", ["CompareFrequency"], ("a",)),
    ("static INLINE int f(void) { return 0; }", ["f"], ()),
    ("BOOL WINAPI f(HANDLE h) { return 0; }", ["f"], ("h",)),
    ("EXPORT(int) f(int a) { return a; }", ["f"], ("a",)),
    ("asmlinkage long f(int a) { return a; }", ["f"], ("a",)),
    ("int __init f(struct x *a __unused) { return 0; }", ["f"], ("a",)),
    ("int f(int a) NOEXCEPT { return a; }", ["f"], ("a",)),
    ("LIBAPI const char *f(int a) { return 0; }", ["f"], ("a",)),
    ("#ifdef A\nint f(int a) { return a; }\n#endif", ["f"], ("a",)),
    ("#if 0\nint f(int a) { return a; }\n#endif", [], None),
    ("#if 0\nint g(void);\n#else\nint f(int a) { return a; }\n#endif", ["f"], ("a",)),
    ("#ifdef A\nint f(int a)\n#else\nint f(long a)\n#endif\n{ return a; }", ["f"], ("a",)),
    ('extern "C" { int f(int a) { return a; } }', ["f"], ("a",)),
    ('extern "C" int f(int a) { return a; }', ["f"], ("a",)),
    ('MODULE("x");\nint f(int a) { return a; }\nEXPORT_SYMBOL(f);', ["f"], ("a",)),
    ("int g(int); typedef int (*h)(int); int f(int a) { return a; }", ["f"], ("a",)),
    ("int f(int a) { int g(int b) { return b; } return g(a); }", ["f"], ("a",)),
    ("int f(int a) { return a; } static int g(int b) { return b; }", ["f", "g"], ("a",)),
    ("int f(int a); int x = sizeof(int (*)(int));", [], None),
    ("struct s { int (*f)(int a); };", [], None),
    ("T x(y);", [], None),
]


@pytest.mark.parametrize(("code", "names", "parameters"), DEFINITIONS)
def test_definitions_are_found(
    code: str, names: list[str], parameters: tuple[str, ...] | None
) -> None:
    found = function_definitions(parse(code))
    assert [function.name for function in found] == names
    if parameters is not None:
        assert found[0].parameters == parameters


def test_places_are_bytes_of_the_definition() -> None:
    code = "/* → */ int x;\nstatic int f(int a) { return a; }\nint y;"
    tree = parse(code)
    found = the_function(tree)
    assert tree.source[found.start : found.end].decode() == "static int f(int a) { return a; }"
    assert tree.source[found.name_start : found.name_start + 1] == b"f"
    assert tree.source[found.body_start : found.body_start + 2] == b"{ "
    assert found.static


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("int x;", Reason.NO_FUNCTION),
        ("/* int f(void) { } */", Reason.NO_FUNCTION),
        ("int f(int a);", Reason.NO_FUNCTION),
        ("int f(void) { return 0; } int g(void) { return 1; }", Reason.SEVERAL_FUNCTIONS),
        ("int f(void) { return 0; ", Reason.SYNTAX_ERROR),
    ],
)
def test_no_or_several_functions_have_reasons(code: str, reason: Reason) -> None:
    with pytest.raises(SourceError) as caught:
        the_function(parse(code))
    assert caught.value.reason == reason


def test_a9_old_style_definition_returning_a_pointer_is_a_function() -> None:
    found = the_function(parse("char *pick(a, b) int a; char *b; { return a ? b : 0; }"))
    assert (found.name, found.parameters) == ("pick", ("a", "b"))


# One row = code with a function `f`, and the same with `f` renamed to `func0`.
RENAMED = [
    (
        "int f(int n){ if (n) return f(n-1); float offset=1; return offset; }",
        "int func0(int n){ if (n) return func0(n-1); float offset=1; return offset; }",
    ),
    ("int f(int f_len) { return f_len; }", "int func0(int f_len) { return f_len; }"),
    (
        'int f(list *n) { printf("f(%d) sum", n->f); return n->f_id; } /* f */',
        'int func0(list *n) { printf("f(%d) sum", n->f); return n->f_id; } /* f */',
    ),
    (
        "int f(int); int (*p)(int) = &f; int f(int a) { return g(f, *f, (f)(a)); }",
        "int func0(int); int (*p)(int) = &func0; "
        "int func0(int a) { return g(func0, *func0, (func0)(a)); }",
    ),
    (
        "int f(int a) { { int f = 1; f++; } goto f; f: return f(a); }",
        "int func0(int a) { { int f = 1; f++; } goto f; f: return func0(a); }",
    ),
    ("int f(int f) { return f; }", "int func0(int f) { return f; }"),
    (
        "int f(struct f *a) { struct f b = {.f = 1}; return a->f + b.f; }",
        "int func0(struct f *a) { struct f b = {.f = 1}; return a->f + b.f; }",
    ),
    (
        "#define AGAIN(x) f(x)\nint f(int a) { return AGAIN(a); }",
        "#define AGAIN(x) func0(x)\nint func0(int a) { return AGAIN(a); }",
    ),
    ("char *f(a) char *a; { return f(a); }", "char *func0(a) char *a; { return func0(a); }"),
    (
        'int f(void) { puts("→ f"); return f(); }',
        'int func0(void) { puts("→ f"); return func0(); }',
    ),
    ("int func0(int a) { return a; }", "int func0(int a) { return a; }"),
]


@pytest.mark.parametrize(("code", "expected"), RENAMED)
def test_f1_only_the_tokens_of_the_function_change(code: str, expected: str) -> None:
    assert rename_function(code, "func0") == expected
    assert string_literals(expected) == string_literals(code)


def test_a_function_is_chosen_by_name_where_there_are_several() -> None:
    code = "int f(int a) { return g(a); } int g(int a) { return a; }"
    assert rename_function(code, "h", "g") == code.replace("g(", "h(")
    with pytest.raises(SourceError) as caught:
        rename_function(code, "h")
    assert caught.value.reason == Reason.SEVERAL_FUNCTIONS
    with pytest.raises(SourceError) as caught:
        rename_function(code, "h", "nothing")
    assert caught.value.reason == Reason.NO_FUNCTION


@pytest.mark.parametrize("new", ["", "1a", "a b", "while", "__attribute__", "a;", "f(", "a\n"])
def test_a_new_name_has_to_be_an_identifier(new: str) -> None:
    with pytest.raises(UserError):
        rename_function("int f(void) { return 0; }", new)


@pytest.mark.parametrize(
    "code",
    [
        "int f(int func0) { return func0; }", "int f(void) { return func0(1); }",
        "int f(func0 *a) { return 0; }", "#define func0 1\nint f(void) { return 0; }",
    ],
)  # fmt: skip
def test_a_new_name_that_stands_for_something_else_is_refused(code: str) -> None:
    with pytest.raises(SourceError) as caught:
        rename_function(code, "func0")
    assert caught.value.reason == Reason.NAME_CLASH


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.sampled_from(["renamed", "main", "été"]))
def test_renaming_changes_the_tokens_of_the_function_alone(program: Program, new: str) -> None:
    renamed = rename_function(program.code, new, program.name)
    assert rename_function(rename_function(renamed, "other", new), new, "other") == renamed
    changed = [
        pair
        for pair in zip(significant(program.code), significant(renamed), strict=True)
        if pair[0] != pair[1]
    ]
    assert changed
    assert set(changed) == {(program.name, new)}


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.slow)])
def test_a_renamed_program_compiles(count: int, tmp_path: object) -> None:
    from pathlib import Path

    renamed = [rename_function(p.code, "renamed", p.name) for p in sample(programs(), count)]
    assert wrong(renamed, Path(str(tmp_path))) == ""
