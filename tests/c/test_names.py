"""Each identifier gets its kind, its scope and its namespace, also where C alone leaves it open."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from sk2d.c.names import Names, resolve
from sk2d.c.parse import parse
from sk2d.errors import Reason, SourceError
from tests.c.c_programs import Program, programs


def names_of(code: str) -> Names:
    return resolve(parse(code))


def kinds(code: str, name: str) -> list[str]:
    """The kinds of the occurrences of a name, in order."""
    return [o.kind for o in names_of(code).occurrences if o.name == name]


def entities(code: str, name: str) -> list[int]:
    """The symbols of the occurrences of a name, numbered from 0 in order of appearance."""
    symbols = [o.symbol for o in names_of(code).occurrences if o.name == name]
    order = list(dict.fromkeys(symbols))
    return [order.index(symbol) for symbol in symbols]


# One row = code in which `T` or `v` is asked for, and what it is there.
TYPES = [
    "void g(my *p) { h((T) *p); T q; }",
    "void g(my *p) { T q; h((T) *p); }",
    "void g(T *p) { h((T) *p); }",
    "void g(void) { x = (T)(y); }",
    "void g(void) { x = (T) -1; T y; }",
    "void g(void) { T y; x = y / (T) * y; }",
    "void g(void) { x = (T) ~y; }",
    "void g(void) { x = (T) y; }",
    "void g(void) { x = (T) sizeof y; }",
    "void g(void) { x = (T *) y; }",
    "void g(void) { x = (const T *) y; }",
    "void g(void) { x = (T){1}; }",
    "void g(void) { x = (T[2]){1}; }",
    "void g(void) { x = (T (*)(int)) y; }",
    "void g(void) { T *x; }",
    "void g(void) { T **x; }",
    "void g(void) { T *x, *y = 0; }",
    "void g(void) { T x[3]; }",
    "void g(void) { T x(y); }",
    "void g(void) { T (*fp)(int, T); }",
    "void g(void) { T const x = 1; }",
    "void g(void) { static T x; }",
    "void g(void) { for (T *p = h; p; p++) {} }",
    "void g(void) { return x + sizeof(T); }",
    "void g(void) { x = sizeof(T *); }",
    "int g(va_list ap) { return va_arg(ap, T); }",
    "int g(va_list ap) { return *va_arg(ap, T *); }",
    "int g(void) { return offsetof(T, a); }",
    "void g(void) { x = ALLOC(T *, n); }",
    "void g(void) { T y; x = ALLOC(T, n); }",
    "void g(void) { x = _Generic(y, T: 1, default: 2); }",
    "int g(void) { typedef int T; return (T) 1; }",
    "typedef int T; int g(void) { return (T) (1); }",
    "int g(int (*f)(T)) { return 0; }",
    "T g(void) { return 0; }",
    "static INLINE T g(void) { return 0; }",
    "T WINAPI g(void) { return 0; }",
    "struct s { T x; }; int g(void) { return 0; }",
    "int g(T a[], T b) { return 0; }",
    "__typeof__(T *) x; int g(void) { return 0; }",
    "void g(void) { {T x; } y = (T)(z); }",
]
VALUES = [
    "int g(s *p, int v) { return (v) && p->n > 0; }",
    "int g(int v) { return (v) (1) + (v) * 2 + (v) - 1 + (v) & 3; }",
    "int g(void) { return (v) - 1; }",
    "int g(void) { return (v) && x; }",
    "int g(void) { return (v) + v->n; }",
    "int g(void) { v = 1; return (v) * x; }",
    "int g(int v) { v * x; return sizeof(v); }",
    "int g(void) { v++; return sizeof(v); }",
    "int g(void) { return x = v * y; }",
    "int g(void) { f(v * y); return v[0]; }",
    "int g(int v) { { T v = 1; v * v; } return (v); }",
    "int g(void) { enum { v, w } x = v; return (v) - w; }",
    "int g(a) { return f(v, &v); }",
    "#define v 10\nint g(void) { return (v) - 1; }",
    "int g(int x) {\n#ifdef v\nreturn 1;\n#endif\nreturn x; }",
    "int g(int (*v)(int)) { return v(1) + (*v)(2); }",
    "int g(int x) { switch (x) { case v: return 1; case 1 ... 3: return 2; } return 0; }",
    'int g(void) { return puts("a" v "b"); }',
    "int g(int x) { asm volatile(\"\" : \"=r\"(v) : \"r\"(x)); return v; }",
    "int g(T *v) { typedef int U; return (U) *v; }",
    "int g(v) T v; { return v; }",
]  # fmt: skip
FUNCTIONS = [
    "int f(int a) { return f(a - 1); }",
    "int g(void) { return f(1) + f(2); }",
    "int g(void) { return h(f) + f(1); }",
    "int f(void); int g(void) { return 1; }",
    "#define f(x) ((x) + 1)\nint g(void) { return f(1); }",
    "int g(void) { extern int f(int); return f(1); }",
    "char *f(a, b) int a; char *b; { return a ? b : 0; }",
    "int (*f(int a))(void) { return 0; }",
    "EXPORT(int) f(void) { return 0; }",
    "f(a) int a; { return a; }",
    "int Cdecl f(char *a) { return *a; }",
    "static INLINE int f(void) { return 0; }",
    'extern "C" { int f(void) { return 0; } }',
    "__attribute__((noinline)) int f(void) __attribute__((unused)); int f(void) { return 0; }",
    "int g(void) { f(x) { a; } return 0; } int f(int);",
]


@pytest.mark.parametrize("code", TYPES)
def test_a_type_is_a_type_everywhere(code: str) -> None:
    found = kinds(code, "T")
    assert found
    assert set(found) == {"type"}


@pytest.mark.parametrize("code", VALUES)
def test_a_variable_is_a_variable_everywhere(code: str) -> None:
    found = kinds(code, "v")
    assert found
    assert set(found) == {"var"}


@pytest.mark.parametrize("code", FUNCTIONS[:-1])
def test_a_function_is_a_function_everywhere(code: str) -> None:
    found = kinds(code, "f")
    assert found
    assert set(found) == {"func"}


def test_a6_cast_then_deref_as_an_argument_is_no_product() -> None:
    code = "my_t q; void g(my_t *p){ h((my_t) *p); x = (my_t)(y); }"
    assert kinds(code, "my_t") == ["type"] * 4
    assert len(set(entities(code, "my_t"))) == 1
    assert kinds("void g(void){ h((my_t) *p); x = (my_t)(y); }", "my_t") == ["type", "type"]


def test_a7_parenthesised_variable_before_and_is_no_cast() -> None:
    code = "int g(s *p,int v){ if ((v) && p->n > 0) return 1; return 0; }"
    assert kinds(code, "v") == ["var", "var"]
    assert entities(code, "v") == [0, 0]


def test_members_designators_and_labels_have_namespaces_of_their_own() -> None:
    code = """
    int f(struct a *a) {
      struct a b = { .a = 1, .b[2].a = 3, a: 4 };
      goto a;
    a:
      return a->a + offsetof(struct a, a.b[b.a].c) + a[0].b;
    }"""
    assert kinds(code, "a") == [
        "type", "var", "type", "field", "field", "field", "label", "label", "var", "field",
        "type", "field", "field", "var",
    ]  # fmt: skip


def test_shadowing_makes_entities_and_scopes_end() -> None:
    code = """
    int f(int i) {
      { int i = 1; i++; }
      for (int i = 0; i < 3; i++) { char i; i = 0; }
      return i;
    }"""
    assert entities(code, "i") == [0, 1, 1, 2, 2, 2, 3, 3, 0]


def test_a_declarator_is_seen_in_its_own_initialiser_but_not_in_its_size() -> None:
    assert entities("int f(int n) { { int n[n]; n[0] = n[1]; } return n; }", "n") == [
        0, 1, 0, 1, 1, 0,
    ]  # fmt: skip


def test_parameters_of_prototypes_are_names_of_their_own() -> None:
    assert entities("int g(int a); int f(int a, int (*b)(int a)) { return a; }", "a") == [
        0, 1, 2, 1,
    ]  # fmt: skip


def test_levels_tell_which_entities_are_seen_together() -> None:
    code = "int f(int i) { { int i; { int i; } } { int i; } return i; }"
    symbols = names_of(code).symbols
    assert [s.level for s in symbols if s.name == "i"] == [0, 1, 2, 1]


def test_extern_in_a_block_is_the_variable_of_the_file() -> None:
    code = "int counter; int f(void) { extern int counter; return counter; }"
    assert entities(code, "counter") == [0, 0, 0]
    assert not [s for s in names_of(code).symbols if s.name == "counter" and s.local]


def test_a_use_before_the_declaration_of_the_file_is_the_same_entity() -> None:
    code = "int f(void) { return g(h); } int h; int g(int a) { return a; }"
    assert entities(code, "g") == [0, 0]
    assert entities(code, "h") == [0, 0]


def test_a_function_with_two_heads_under_if_has_each_parameter_once() -> None:
    code = "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return a; }"
    assert entities(code, "a") == [0, 0, 0]
    assert [f.name for f in names_of(code).functions] == ["f"]


def test_all_branches_of_nested_ifs_are_read() -> None:
    code = """int f(int a) {
    #if A
      one(a);
    #else
    #if B
      two(a);
    #elif C
      three(a);
    #else
      int b = a; b++;
    #endif
    #endif
    #if 0
      it is ( no D, b(
    #endif
      return a;
    }"""
    found = names_of(code)
    assert [o.name for o in found.occurrences if o.kind == "func"] == [
        "f", "one", "two", "three", "is",
    ]  # fmt: skip
    assert entities(code, "a") == [0] * 6
    assert kinds(code, "A") == kinds(code, "B") == kinds(code, "C") == ["var"]


def test_a_branch_that_leaves_a_brace_open_is_told_by_the_other() -> None:
    code = "int f(int a) {\n#ifdef A\nif (a) {\n#endif\nreturn a;\n#ifdef A\n}\n#endif\n}"
    assert kinds(code, "a") == ["var"] * 3
    code = "int f(int a) {\n#ifdef A\nif (a) {\n#endif\nreturn a;\n}"
    assert entities(code, "a") == [0, 0, 0]


def test_names_in_macros_are_those_seen_where_the_macro_is_used() -> None:
    code = """
    #define NEXT(p) ((p)->next + k + other.k)
    int f(struct s *p) { int k = 1; return NEXT(p); }"""
    assert entities(code, "k") == [0, 1, 0]
    assert kinds(code, "k") == ["var", "field", "var"]
    assert entities(code, "p") == [0, 0, 1, 1]
    assert kinds(code, "NEXT") == ["func", "func"]


def test_a_function_like_macro_is_one_only_where_it_is_called() -> None:
    code = "#define max(a) a\nint f(void) { int max = 3; return max(max); }"
    assert kinds(code, "max") == ["func", "var", "func", "var"]


def test_pragma_and_attribute_name_variables_and_functions() -> None:
    code = (
        "int f(int n) {\n#pragma omp parallel private(n)\n__attribute__((cleanup(done))) int x; }"
    )
    assert entities(code, "n") == [0, 0]
    assert kinds(code, "done") == ["var"]
    assert kinds(code, "private") == kinds(code, "cleanup") == []


def test_a_macro_that_takes_statements_or_stands_before_them() -> None:
    code = """int f(int a) {
      Debug(print(a); a++;)
      FOREACH(p, list) { use(p); }
      vec_for_each(p, list) use(p);
      IF_DEBUG return 1;
      CHECK(a, ==, 3)
      return a;
    }"""
    found = names_of(code)
    assert entities(code, "a") == [0] * 5
    assert {o.name for o in found.occurrences if o.kind == "func"} == {
        "f", "Debug", "print", "FOREACH", "use", "vec_for_each", "CHECK",
    }  # fmt: skip


def test_container_of_takes_a_member() -> None:
    code = "int f(void) { return container_of(q, struct dev, node) + ALLOC(T *, node_count); }"
    assert kinds(code, "node") == ["field"]
    assert kinds(code, "node_count") == ["var"]


def test_offsets_are_bytes() -> None:
    code = 'int f(int cnt) { puts("naïve → ok"); return größe + cnt; }'
    source = parse(code).source
    found = names_of(code).occurrences
    assert [source[o.start : o.end].decode() for o in found] == [o.name for o in found]
    assert [o.name for o in found] == ["f", "cnt", "puts", "größe", "cnt"]


def test_types_are_the_typedef_names() -> None:
    code = "typedef struct s T; int f(U *u, size_t n) { return (V) 1 + sizeof(int) + w; }"
    assert names_of(code).types == {"T", "U", "V", "size_t"}


@pytest.mark.parametrize(
    "code",
    [
        "int f(void) { return 1;", "int f(void) { return (1; }", "int f(void) } {",
        "int f(int a) { return a b; }", "int f(int a) { a = ; }", "int f(int a) { if a; }",
        "int f(int a) { return 1 }", "int f(int a) { else a; }", "int f(int a) { g(a,,); }",
        "int f(int a { return a; }", "int f(int a; int b) { return a; }", 'int f() { g("a); }',
        "int f(int a b) { return a; }", "int f(long a T b) { return a; } T x;",
        "int f(int a) { (int x) a; }", "int f(int a) { x = (int *); }", "int f(int a) { 3(a); }",
        "int f(int a) { if (a) int b; }", "int f@<eax>(int a) { return a; }", "int x = { 1",
        "int f(int a) { return ::g + a; }", "int f(void) { a.1; }", "int f(void) { goto 1; }",
        "struct { int } x;", "enum { 1 } x;", "struct;", "static;", "int f(int a) { g(a b); }",
    ],
)  # fmt: skip
def test_what_is_no_c_has_a_reason_and_a_place(code: str) -> None:
    with pytest.raises(SourceError) as caught:
        names_of(code)
    assert caught.value.reason == Reason.SYNTAX_ERROR
    assert caught.value.where is not None
    assert caught.value.where.startswith("line 1, column ")


@pytest.mark.parametrize(
    "code",
    [
        "int f(void) { return " + "(" * 700 + "1" + ")" * 700 + "; }",
        "int f(int a) { " + "if (a) " * 700 + ";}",
        "int f(int a) { " + "{" * 700 + "}" * 700 + "}",
    ],
    ids=["parentheses", "ifs", "braces"],
)
def test_what_is_nested_too_deeply_has_a_reason(code: str) -> None:
    with pytest.raises(SourceError) as caught:
        names_of(code)
    assert caught.value.reason == Reason.TOO_DEEP


def test_long_chains_are_read_without_recursion() -> None:
    assert kinds("int f(int a) { return " + " + ".join(["a"] * 500) + "; }", "a") == ["var"] * 501
    code = "int f(int a) { if (a) ; " + "else if (a) ; " * 150 + "}"
    assert kinds(code, "a") == ["var"] * 152


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_every_generated_program_is_read(program: Program) -> None:
    found = names_of(program.code)
    assert program.name in [function.name for function in found.functions]
    places = [(o.start, o.end) for o in found.occurrences]
    assert places == sorted(set(places)), "a place is noted twice, or out of order"
    for occurrence in found.occurrences:
        assert found.symbols[occurrence.symbol].kind == occurrence.kind
