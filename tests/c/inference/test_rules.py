"""The rules of inference, one row each: code, and what its header has to say."""

import pytest

from sk2d import sandbox
from sk2d.c.inference import infer

ROWS = {
    # What operators say.
    "dereferenced": ("int f(void) { return *p; }", ["extern int *p;"]),
    "indexed": ("double f(int i) { return table[i]; }", ["extern double *table;"]),
    "used as an index": ("int f(int *a) { return a[next()]; }", ["int next(void);"]),
    "compared with NULL": ("int f(void) { return p == NULL; }", ["extern void *p;"]),
    "compared with a float": ("int f(void) { return x < 0.5; }", ["extern double x;"]),
    "compared with a declared one": ("int f(long n) { return n > m; }", ["extern long m;"]),
    "remainder": ("int f(void) { return g() % 3; }", ["int g(void);"]),
    "product with a float": ("void f(void) { y = x * 2.5; }", ["extern double y;"]),
    "difference of pointers": ("long f(char *p) { return p - start; }", ["extern char *start;"]),
    "sum keeps the pointer": ("char *f(int n) { return base + n; }", ["extern char *base;"]),
    "truth is an int": ("int f(void) { return !flag; }", ["extern int flag;"]),
    "choice": ("char *f(int c) { return c ? name : 0; }", ["extern char *name;"]),
    "literal, then float": ("void f(void) { x = 0; x += 1.5; }", ["extern double x;"]),
    "narrow type kept": ("void f(unsigned char c) { x = c; }", ["extern unsigned char x;"]),
    # Structs.
    "self-referential": (
        "void f(void) { T v = 0; v->value = 42; v->next = v; }",
        ["typedef struct inferred1 *T;", "{ int value; struct inferred1 *next; };"],
    ),
    "nested": ("int f(struct a x) { return x.b.c; }", ["struct a { struct inferred1 b; };"]),
    "array member": ("char f(T *p, int i) { return p->s[i]; }", ["struct T { char *s; };"]),
    "function member": (
        "int f(T *p) { return p->run(p, 1) * 2; }",
        ["struct T { int (*run)(T *, int); };"],
    ),
    "called through *": ("void f(T *p) { (*p->f)(2.0); }", ["struct T { void (*f)(double); };"]),
    "designated": ("void f(void) { T t = {.x = 1.5}; g(t); }", ["struct T { double x; };"]),
    "positional": ('void f(void) { T t = {1, "a"}; g(&t); }', ["int member1; char *member2;"]),
    "zero-initialised": ("void f(void) { T t = {0}; g(&t); }", ["void g(T *);", "struct T {"]),
    "compound literal": ("void f(void) { g((T){.a = 1}); }", ["struct T { int a; };", "g(T);"]),
    "copied": ("T f(T *p) { T t = *p; t.n++; return t; }", ["struct T { int n; };"]),
    "union": ("int f(union u x) { return x.n; }", ["union u { int n; };"]),
    "tag and typedef": (
        "int f(T *p, struct T *q) { return p->a + q->b; }",
        ["struct T { int b; }"],
    ),
    "size needed": ("int f(void) { return sizeof(T); }", ["struct T { char unknown; };"]),
    "offsetof": ("int f(void) { return offsetof(T, b.c); }", ["{ int c; };", "inferred1 b; };"]),
    # Typedefs.
    "opaque pointer": ("T *f(T *p) { return g(p); }", ["typedef struct T T;", "T *g(T *);"]),
    "integer": ("T f(T x) { return x % 3; }", ["typedef int T;"]),
    "pointer": ("T f(void) { T x = NULL; return x; }", ["typedef void *T;"]),
    "cast to a typedef": ("int f(void) { return ((T *)p)->n; }", ["struct T { int n; };"]),
    "cast by one name": ("void f(char *p) { g((T) *p); }", ["typedef char T;", "void g(T);"]),
    # Functions.
    "unused result": ('void f(int a) { g(a, "x"); }', ["void g(int, char *);"]),
    "result dereferenced": ("int f(void) { return g()->n; }", ["struct inferred1 *g(void);"]),
    "result assigned": ("void f(void) { double x = g(1); h(x); }", ["double g(int);"]),
    "different pointers": ("void f(int *p, char *q) { g(p); g(q); }", ["void g(void *);"]),
    "different counts": ("void f(int a) { g(a, 1); g(a, 1, 2); }", ["void g(int, int, ...);"]),
    "format": ('void f(long a) { say("%ld %s", a, name); }', ["say(char *, ...)", "char *name;"]),
    "no arguments": ("int f(void) { return g(); }", ["int g(void);"]),
    "const argument": ("void f(const T *p) { g(p); }", ["void g(const T *);"]),
    "function passed": (
        "void f(int *a) { qsort(a, 3, 4, order); }",
        ["int order(const void *, const void *);"],
    ),
    "assigned and called": ("void f(void) { hook = g; hook(1); }", ["extern void (*hook)(int);"]),
    "struct and number": ("void f(T t) { g(1, t.x); g(1, t); }", ["void g(int, ...);"]),
    "defined below": (
        "int f(void) { return g(1); } static int g(int a) { return a; }",
        ["static int g(int);"],
    ),
    "recursive": ("int f(int n) { return n ? f(n - 1) : 0; }", []),
    "local prototype": ("int f(void) { int g(); return g(1); }", []),
    # Constants and macros.
    "case label": ("int f(int x) { switch (x) { case A: return 1; } return 0; }", ["enum { A ="]),
    "array size": ("void f(void) { char s[SIZE]; g(s); }", ["enum { SIZE ="]),
    "bit-field": ("struct s { unsigned a : W; }; int f(struct s *p) { return p->a; }", ["W = 1 }"]),
    "static initialiser": ("int f(void) { static int x = N; return x; }", ["enum { N ="]),
    "between strings": ('void f(void) { puts("a" SEP "b"); }', ['#define SEP ""']),
    "type as argument": (
        "void f(int n) { T *p = ALLOC(T *, n); p->x = 1; }",
        ["#define ALLOC(...) ((T *)0)"],
    ),
    "loop": ("void f(T *l) { each(p, l) { g(p); } }", ["#define each(...) for (;;)"]),
    "statement": ("void f(int x) { CHECK(x) x++; }", ["#define CHECK(...)"]),
    "any tokens": ("void f(int x) { DEBUG(x = 1; g();) }", ["#define DEBUG(...)"]),
    "attribute": ("STATIC INLINE int CDECL f(int a) { return a; }", ["#define CDECL"]),
    "place": ("void f(int i) { item(i).n = 1; }", ["(*(struct inferred1 *)0)"]),
    "initialiser macro": ("void f(void) { int a[] = DATA; g(a); }", ["#define DATA {0}"]),
    "attribute behind": ("int f(int a) __attribute__((noinline)); int f(int a) { return a; }", []),
    # The standard library.
    "true prototype": ("void f(void) { p = malloc(n); }", ["void *malloc(size_t);", "size_t n;"]),
    "other arity": ("int f(int a) { return read(a); }", ["int read(int);"]),
    "used as a variable": ("int f(void) { time = 3; return time; }", ["extern int time;"]),
    "used as a number": ("int f(void) { return y0 + 1; }", ["extern int y0;"]),
    "as a member": ("int f(T *p) { return p->stat; }", ["struct T { int stat; };"]),
    "renamed struct": (
        "void f(int s, T *a) { struct b x; x.p = a; bind(s, &x, sizeof(x)); }",
        ["bind(int, struct b *, unsigned long)"],
    ),
    "va_arg of a pointer": ("int f(va_list a) { return *va_arg(a, int *); }", ["va_list;"]),
    "own definition": ("int isalpha(int c) { return c > 64; }", []),
    # The rest of GNU C.
    "statement expression": ("int f(void) { return ({ int x = g(); x; }); }", ["int g(void);"]),
    "label address": ("void f(void) { void *p = &&a; goto *p; a: g(); }", ["void g(void);"]),
    "old style": ("int f(a, p) int a; char *p; { return a + *p + g(p); }", ["int g(char *);"]),
    "assembly": ('void f(void) { asm("nop" : "=r"(x) : "r"(y)); }', ["extern int x;"]),
    "range of cases": (
        "int f(int c) { switch (c) { case A ... B: return 1; } return 0; }",
        ["enum { A =", "enum { B ="],
    ),
    "typeof": ("int f(T *p) { typeof(p->n) x = 1; return x; }", ["struct T { int n; };"]),
    "generic": ("int f(int x) { return _Generic(x, int: one, default: 2); }", ["int one;"]),
    "directive": (
        "int f(int x) {\n#ifdef UNDEFINED\ng(;\n#else\nx = g(x);\n#endif\nreturn x; }",
        [],
    ),
    "macro of the text": (
        "#define TWICE(x) (2 * (x))\nint f(void) { return TWICE(n); }",
        ["int n;"],
    ),
    "cut-off condition": ("int f(void) { return n; }\n#endif\n", ["extern int n;", "#if 1"]),
    "local struct": ("void f(void) { struct { int a; } x; g(&x); }", ["void g(void *);"]),
    "struct of the text": ("struct s { int a; }; void f(struct s x) { g(x); }", ["g(struct s);"]),
}


@pytest.mark.parametrize("title", ROWS)
def test_the_header_says(title):
    code, expected = ROWS[title]
    header = infer(code)
    assert [part for part in expected if part not in header] == [], header


def test_all_rows_compile_without_a_warning_that_types_are_wrong():
    texts = [infer(code) + code for code, _ in ROWS.values()]
    verdicts = dict(zip(ROWS, sandbox.compile_many(texts), strict=True))
    assert {t: v.message for t, v in verdicts.items() if not v.compiles} == {}
    loose = {"int-conversion", "incompatible-pointer-types"}
    assert [t for t, v in verdicts.items() if loose & v.warnings.keys()] == []


def test_constants_differ_from_each_other_and_from_the_case_labels():
    header = infer("int f(int x) { switch (x) { case A: case 1024: case B: return 1; } return 0; }")
    assert header == "enum { A = 1025 };\nenum { B = 1026 };\n"


def test_the_same_code_gives_the_same_header():
    code = ROWS["self-referential"][0]
    assert infer(code) == infer(code)


def test_nothing_is_declared_that_the_text_declares():
    assert infer("typedef int T; static T x; enum { A }; T f(T y) { return x + y + A; }") == ""


@pytest.mark.parametrize(
    "code",
    [
        "struct entry { int id; struct entry *next; }; int f(int a) { return a; }",
        "typedef struct tm { int id; } tm_t; int f(tm_t *a) { return a->id; }",
        "int f(int a) { struct tm { int b; } t = {a}; return t.b; }",
    ],
)
def test_a_tag_of_the_library_that_the_text_defines_is_its_own(code: str) -> None:
    assert infer(code) == ""
