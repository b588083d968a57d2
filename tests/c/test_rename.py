"""Obfuscation: what gets which placeholder, what is kept, and that the way back is exact."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sk2d.c import libc
from sk2d.c.naming.words import RESERVED
from sk2d.c.rename import obfuscate, restore
from sk2d.c.tokens import significant, string_literals, tokenize
from sk2d.errors import Reason, SourceError
from tests.c.c_programs import Program, functions, programs
from tests.c.test_c_programs import sample, wrong

PLACEHOLDER = re.compile(r"(func|type|var|field)[1-9][0-9]*")

# One row = what is shown, code, its IR.
RULES = [
    (
        "parameters, locals and globals",
        "int f(int a) { int b = a; return b + g; }",
        "int func1(int var1) { int var2 = var1; return var2 + var3; }",
    ),
    (
        "enum constants and object-like macros",
        "#define N 3\nint f(void) { enum e { A, B = N }; return A + M; }",
        "#define var1 3\nint func1(void) { enum type1 { var2, var3 = var1 }; return var2 + var4; }",
    ),
    (
        "functions and function-like macros",
        "#define SQ(x) ((x) * (x))\nint f(int a) { return SQ(a) + MIN(a, g(a)); }",
        "#define func1(var1) ((var1) * (var1))\n"
        "int func2(int var2) { return func1(var2) + func3(var2, func4(var2)); }",
    ),
    (
        "a variable that points to a function stays one",
        "int f(int (*cb)(int)) { int (*p)(int) = cb; return p(1) + (*cb)(2) + hook(3); }",
        "int func1(int (*var1)(int)) { int (*var2)(int) = var1; "
        "return var2(1) + (*var1)(2) + func2(3); }",
    ),
    (
        "typedefs and tags; the keyword stays",
        "T *f(struct s *a, union u b, enum e c) { return (T *) a; }",
        "type1 *func1(struct type2 *var1, union type3 var2, enum type4 var3) "
        "{ return (type1 *) var1; }",
    ),
    (
        "a typedef and a tag of one spelling share a placeholder",
        "list *f(struct list *a) { typedef struct X { int v; } X; X b; return a; }",
        "type1 *func1(struct type1 *var1) "
        "{ typedef struct type2 { int field1; } type2; type2 var2; return var1; }",
    ),
    (
        "members, designators and offsetof, one placeholder a name",
        "int f(S *p) { S a = {.x = 1, .y[2].x = 3}; return p->x + a.y + offsetof(S, y[1].x); }",
        "int func1(type1 *var1) { type1 var2 = {.field1 = 1, .field2[2].field1 = 3}; "
        "return var1->field1 + var2.field2 + offsetof(type1, field2[1].field1); }",
    ),
    (
        "a type that is given to a macro stays a type",
        "int f(void) { T *p = ALLOC(T *, n); return va_arg(ap, U *) + OPEN(struct s, p); }",
        "int func1(void) { type1 *var1 = func2(type1 *, var2); "
        "return va_arg(var3, type2 *) + func3(struct type3, var1); }",
    ),
    (
        "what hides another gets a number of its own, and neighbours share",
        "int f(int i) { { int i; { char i; } } { long i; } return i; }",
        "int func1(int var1) { { int var2; { char var3; } } { long var2; } return var1; }",
    ),
    (
        "one name of several kinds",
        "int f(struct a *a) { goto a; a: return a->a + sizeof(struct a); }",
        "int func1(struct type1 *var1) { goto a; a: return var1->field1 + sizeof(struct type1); }",
    ),
    (
        "standard names are kept",
        "size_t f(FILE *h) { if (errno == EINTR) fprintf(stderr, PRIu64, NULL); return EOF; }",
        "size_t func1(FILE *var1) "
        "{ if (errno == EINTR) fprintf(stderr, PRIu64, NULL); return EOF; }",
    ),
    (
        "standard structures keep their members",
        'int f(int a) { struct stat s; stat("x", &s); return s.st_size + s.other + '
        "localtime(&t)->tm_year + a->st_size; }",
        'int func1(int var1) { struct stat var2; stat("x", &var2); return var2.st_size + '
        "var2.field1 + localtime(&var3)->tm_year + var1->st_size; }",
    ),
    (
        "a name of the library that is declared here is not the library's",
        "int f(int index, int time) { int read = index(time); return p->write + read; }",
        "int func1(int var1, int var2) { int var3 = var1(var2); return var4->field1 + var3; }",
    ),
    (
        "a function of the library that is defined here is the program's own",
        "int strlen(char *s) { return *s ? strlen(s + 1) : 0; }",
        "int func1(char *var1) { return *var1 ? func1(var1 + 1) : 0; }",
    ),
    (
        "a function of the library as a value; a variable of the same name",
        "int f(void) { qsort(a, n, 4, strcmp); index++; return index; }",
        "int func1(void) { qsort(var1, var2, 4, strcmp); var3++; return var3; }",
    ),
    (
        "the compiler's own names",
        "int f(void) { return __builtin_clz(g(__func__, __LINE__)); }",
        "int func1(void) { return __builtin_clz(func2(__func__, __LINE__)); }",
    ),
    (
        "macros among the specifiers",
        "static INLINE int Cdecl f(char *a UNUSED) { REG int b = 1; return b; }",
        "static var1 int var2 func1(char *var3 var4) { var5 int var6 = 1; return var6; }",
    ),
    (
        "a number is skipped where a kept name has its spelling",
        "int f(int a) { goto var1; var1: return a + var2(a, func1); }",
        "int func1(int var2) { goto var1; var1: return var2 + func2(var2, var3); }",
    ),
    (
        "placeholders as names of the source",
        "int var3(int func1) { var3(func1); return type1->field9; }",
        "int func1(int var1) { func1(var1); return var2->field1; }",
    ),
    (
        "directives inside the function",
        "int f(int a) {\n#ifdef DEBUG\n  log(a);\n#endif\n#pragma pack(1)\n  return a; }",
        "int func1(int var1) {\n#ifdef var2\n  log(var1);\n#endif\n#pragma pack(1)\n"
        "  return var1; }",
    ),
    (
        "comments go, with the lines that they fill",
        "// f\nint f(int a) /* a */ { /* b */ return a /* c */; // d\n  /* e\n g */\n  }\n",
        "int func1(int var1)  {  return var1 ;\n  }\n",
    ),
    (
        "a comment between two words leaves a blank",
        "int/**/f(int a) { return/**/a; }",
        "int func1(int var1) { return var1; }",
    ),
    (
        "comments of directives",
        "#define A 1 // one\n#define B \\\n  /* two */ \\\n  2\nint f(void) { return A + B; }",
        "#define var1 1\n#define var2 \\\n   \\\n  2\nint func1(void) { return var1 + var2; }",
    ),
    (
        "strings, characters and system headers are left alone",
        "#include <f.h>\nint f(int a) { return g(\"f a // x\", 'a') + a; }",
        "#include <f.h>\nint func1(int var1) { return func2(\"f a // x\", 'a') + var1; }",
    ),
]


@pytest.mark.parametrize(("code", "ir"), [row[1:] for row in RULES], ids=[r[0] for r in RULES])
def test_each_rule(code: str, ir: str) -> None:
    done = obfuscate(code)
    assert done.ir == ir
    assert significant(restore(done.ir, done.mapping)) == significant(code)
    assert obfuscate(done.ir).ir == done.ir


# One row = what is shown, code, pseudo-code, the names that are kept.
KEPT = [
    (
        "functions and globals of the pseudo-code",
        "int f(int a) { return helper(a) + lost(a) + table[a] + other; }",
        "int f(int a1) { return helper(a1) + sub_1(a1) + table[a1]; }",
        {"f", "helper", "table"},
    ),
    (
        "only as the same kind",
        "int f(S *p) { return p->count + size(p) + limit; }",
        "int f(long a1) { return count(a1) + size + limit(a1); }",
        {"f"},
    ),
    (
        "types and members where the pseudo-code has them",
        "int f(S *p, struct s *q) { T x; return p->a + q->b; }",
        "int f(S *a1, struct s *a2) { return a1->a; }",
        {"f", "S", "s", "a"},
    ),
    (
        "locals are the decompiler's own on both sides",
        "int f(int a1, int n) { int i = n; return i + v4; }",
        "int f(int a1, int n) { int i; int v4; i = a1; return i + v4; }",
        {"f"},
    ),
    (
        "a global of the pseudo-code is not the local of the source",
        "int f(int a) { int total = a; return total; }",
        "int f(int a1) { return total + a1; }",
        {"f"},
    ),
    (
        "raw pseudo-code with what is no C",
        "int f(int a) { return helper(a) + puts(a) + counter; }",
        "int __fastcall f@<eax>(int a1@<edi>) { return helper(a1) + puts@plt(a1) + ::counter; }",
        {"f", "helper", "puts", "counter"},
    ),
    (
        "pseudo-code that no one can read is read by its tokens",
        "int f(T *v1) { int n = 1; return helper(n) + p->size + counter; }",
        "T *f(T *v1) { int n; n = 1; if ( helper(n) ) { p->size = counter; ",
        {"f", "T", "helper", "p", "size", "counter"},
    ),
    ("no pseudo-code", "int f(int a) { return helper(a) + puts(a); }", "", {"puts"}),
    ("no text at all", "int f(int a) { return helper(a) + puts(a); }", "\0", {"puts"}),
]


@pytest.mark.parametrize(
    ("code", "pseudo", "kept"), [row[1:] for row in KEPT], ids=[r[0] for r in KEPT]
)
def test_what_the_pseudo_code_keeps(code: str, pseudo: str, kept: set[str]) -> None:
    done = obfuscate(code, pseudo)
    assert left_names(done.ir) == kept
    assert restore(done.ir, done.mapping) == code
    assert obfuscate(done.ir, pseudo).ir == done.ir


def left_names(ir: str) -> set[str]:
    """The identifiers of a text that are no placeholders, those in directives left out."""
    names = {token.text for token in tokenize(ir) if token.kind == "name"}
    return {name for name in names if name not in RESERVED and not PLACEHOLDER.fullmatch(name)}


def test_the_same_result_without_pseudo_code_and_with_none() -> None:
    code = "int f(int a) { return g(a); }"
    assert obfuscate(code) == obfuscate(code, None) == obfuscate(code, "")


def test_a6_one_placeholder_for_every_use_of_a_type() -> None:
    ir, mapping = obfuscate("my_t q; void g(my_t *p){ h((my_t) *p); }")
    assert ir == "type1 var1; void func1(type1 *var2){ func2((type1) *var2); }"
    assert [name for name in mapping.values() if name == "my_t"] == ["my_t"]


def test_a7_a_parameter_in_parentheses_has_the_placeholder_of_the_parameter() -> None:
    ir, _ = obfuscate("int g(s *p,int v){ if ((v) && p->n > 0) return 1; return 0; }")
    assert "int var2){ if ((var2) && var1->field1 > 0)" in ir


def test_a9_an_old_style_body_is_renamed_too() -> None:
    ir, _ = obfuscate("char *pick(a, b) int a; char *b; { return a ? b : 0; }", "")
    assert ir == "char *func1(var1, var2) int var1; char *var2; { return var1 ? var2 : 0; }"


def test_a17_edits_are_made_on_bytes() -> None:
    ir, mapping = obfuscate('int f(int cnt) { puts("naïve → ok"); return cnt; }')
    assert ir == 'int func1(int var1) { puts("naïve → ok"); return var1; }'
    assert mapping == {"func1": "f", "var1": "cnt"}
    latin = b'int f(int cnt) { puts("caf\xe9"); return cnt; }'.decode("utf-8", "surrogateescape")
    done = obfuscate(latin)
    assert done.ir.count("cnt") == 0
    assert string_literals(done.ir) == string_literals(latin)
    assert obfuscate("\ufeffint f(int cnt)\r\n{ return cnt; }\r\n").ir == (
        "int func1(int var1)\n{ return var1; }\n"
    )


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("int f(void) { return 0; }\0", Reason.NUL_BYTE), (" \n", Reason.EMPTY),
        ("int x;", Reason.NO_FUNCTION), ("int f(void) { return 0", Reason.SYNTAX_ERROR),
        ("int f(void) { } int g(void) { }", Reason.SEVERAL_FUNCTIONS),
        ("int f(void) { return " + "(" * 9999 + "1" + ")" * 9999 + "; }", Reason.TOO_DEEP),
        ("int f(void) { return \ud800; }", Reason.NOT_TEXT), ("a" * 300_000, Reason.TOO_LARGE),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_what_cannot_be_obfuscated_has_a_reason(code: str, reason: Reason) -> None:
    with pytest.raises(SourceError) as caught:
        obfuscate(code)
    assert caught.value.reason == reason


def test_restore_leaves_strings_and_unknown_placeholders() -> None:
    ir = 'int func1(int var1) { /* var1 */ puts("var1 func1"); return var1 + var2 + var11; }'
    assert restore(ir, {"func1": "f", "var1": "größe"}) == (
        'int f(int größe) { /* var1 */ puts("var1 func1"); return größe + var2 + var11; }'
    )
    assert restore("#define var1(func1) func1\n", {"var1": "A", "func1": "x"}) == (
        "#define A(x) x\n"
    )


def labels(code: str) -> set[str]:
    """Names that may be labels."""
    pairs = re.findall(r"\bgoto\s+(\w+)|(\w+)\s*:", code)
    return {name for pair in pairs for name in pair if name}


def attribute_words(code: str) -> set[str]:
    inside = re.findall(r"__attribute__\s*\(\((.*?)\)\)", code, re.DOTALL)
    return {word for text in inside for word in re.findall(r"\w+", text)}


# Properties over generated programs.

PROPERTY = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@PROPERTY
@given(functions(without=()) | functions(without=(), declarations=False))
def test_restore_is_exact_and_obfuscation_idempotent(code: str) -> None:
    done = obfuscate(code)
    assert significant(restore(done.ir, done.mapping)) == significant(code)
    assert string_literals(done.ir) == string_literals(code)
    assert obfuscate(done.ir).ir == done.ir
    assert "/*" not in "".join(t.text for t in tokenize(done.ir) if t.kind != "string")


@PROPERTY
@given(functions(without={"comment"}))
def test_restore_is_exact_to_the_byte_without_comments(code: str) -> None:
    done = obfuscate(code)
    assert restore(done.ir, done.mapping) == code


@PROPERTY
@given(programs(), programs(), st.booleans())
def test_pseudo_code_keeps_what_it_has_and_nothing_else(
    program: Program, other: Program, same: bool
) -> None:
    pseudo = program.code if same else other.code
    done = obfuscate(program.code, pseudo)
    known = set(re.findall(r"[\w$]+", pseudo))
    for name in left_names(done.ir) - known:
        assert libc.kind_of(name) or name in labels(done.ir) | attribute_words(done.ir), name
    assert obfuscate(done.ir, pseudo).ir == done.ir
    if same:
        assert re.search(rf"\b{re.escape(program.name)}\b", done.ir)


@pytest.mark.parametrize("count", [25, pytest.param(500, marks=pytest.mark.slow)])
def test_the_ir_of_a_program_that_compiles_compiles(count: int, tmp_path: Path) -> None:
    assert wrong([obfuscate(p.code).ir for p in sample(programs(), count)], tmp_path) == ""
