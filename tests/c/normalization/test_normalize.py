"""Profile `sound`: what decompilers write becomes C of the same meaning."""

from __future__ import annotations

import pytest

from sk2d.c.normalization import detect_dialect, normalize, normalize_many
from sk2d.c.parse import parse, syntax_error
from sk2d.c.tokens import significant, string_literals
from sk2d.errors import Reason, SourceError, UserError


def in_function(statement: str, dialect: str = "auto") -> str:
    """Normalise a statement inside a function and give the statement."""
    text = normalize(f"void f(void) {{ {statement} }}", dialect)
    assert syntax_error(parse(text)) is None, text
    assert normalize(text, dialect) == text
    return text.removeprefix("void f(void) { ").removesuffix(" }")


def test_a1_comment_signs_in_literals_stay():
    code = 'int f(void){ return puts("see http://a.b/c"); } // "gone"\n/* \' */ char c = \'"\';'
    text = normalize(code)
    assert "http://a.b/c" in text
    assert string_literals(text) == ['"see http://a.b/c"', "'\"'"]
    assert "gone" not in text
    assert normalize('const char *g = "/* keep */ x";') == 'const char *g = "/* keep */ x";'


@pytest.mark.parametrize(
    ("code", "right"),
    [
        ("int/* a */x;", "int x;"),
        ("int x; // a \\\n b\nint y;", "int x;\nint y;"),
        ("int x; /* open", "int x;"),
        ("x = a /**/ / /**/ b;", "x = a   /   b;"),
        ("#define A 1 /* a\n b */ + 2\nint x;", "#define A 1   + 2\nint x;"),
        ("int a; \\\n int b;", "int a;\n int b;"),
    ],
)
def test_comments_become_space(code, right):
    assert normalize(code).rstrip() == right


def test_a3_hexadecimal_literals_keep_their_type():
    assert in_function("return x == 0xFFFFFFFF;") == "return x == 4294967295u;"
    assert in_function("if (v < -0x80000000) x();") == "if (v < -2147483648u) x();"
    assert in_function("m = 0x8000000000000000;") == "m = 9223372036854775808ul;"
    assert in_function("m = 0xFFi64 + 0x10ui64;") == "m = 255LL + 16uLL;"


def test_a5_types_are_mapped_in_type_position_only():
    assert in_function('puts("DIR size_t _DWORD");') == 'puts("DIR size_t _DWORD");'
    assert in_function("__sighandler_t h;") == "sighandler_t h;"
    assert in_function("struct _IO_FILE *fp;") == "FILE *fp;"
    assert in_function("size_t n;") == "size_t n;"
    assert in_function("unsigned _DWORD a;") == "uint32_t a;"
    assert in_function("signed _DWORD a;") == "int32_t a;"
    assert in_function("unsigned __int64 a;") == "unsigned long long a;"
    assert in_function("_OWORD a; _TBYTE b;") == "unsigned __int128 a; long double b;"
    assert in_function("x._DWORD = p->_BYTE;") == "x._DWORD = p->_BYTE;"
    assert in_function("struct _BYTE *p;") == "struct _BYTE *p;"
    assert "struct _IO_FILE {" in normalize("struct _IO_FILE { int x; };")


def test_a12_what_is_no_c_goes():
    code = "int __usercall f@<eax>(int a1@<edi>){ return ::g + foo@plt(a1); }"
    assert normalize(code) == "int f(int a1){ return g + foo(a1); }"


ANNOTATED = [
    ("__int64 __fastcall f(_QWORD a);", "long long f(uint64_t a);"),
    ("__int64 (__fastcall *f)(int);", "long long (*f)(int);"),
    ("int (__stdcall **f[2])(void);", "int (**f[2])(void);"),
    ("void __noreturn f(void);", "void f(void);"),
    ("void __spoils<ecx,edx> f(void);", "void f(void);"),
    ("T *__return_ptr __struct_ptr r;", "T *r;"),
    ("char *__ptr32 p;", "char *p;"),
    ("int *__shifted(S,4) p;", "int *p;"),
    ("long f@<rdx:rax>(int a@<xmm0>);", "long f(int a);"),
    ("int f@<0:eax>(void);", "int f(void);"),
    ("x = memcpy@@GLIBC_2.14(a, b, c);", "x = memcpy(a, b, c);"),
    ("x = _f@8(a) + @g@8(b);", "x = _f(a) + g(b);"),
    ("s.__cdecl = p->__pure;", "s.__cdecl = p->__pure;"),
    ("__declspec(noinline) int f(void);", "int f(void);"),
    ("int f(void) __attribute__((noreturn));", "int f(void) __attribute__((noreturn));"),
]


@pytest.mark.parametrize(("code", "right"), ANNOTATED)
def test_annotations_go(code, right):
    assert normalize(code).strip() == right


NAMES = [
    ("A::b(this);", "A__b(this);"),
    ("A::~A(x);", "A__dtor_A(x);"),
    ("std::vector<int>::push_back(&v, 3);", "std__vector_int___push_back(&v, 3);"),
    ("std::vector<char *> v;", "std__vector_char_ptr_ v;"),
    ("vector<int> *v;", "vector_int_ *v;"),
    ("g(a<b, c>d);", "g(a<b, c>d);"),
    ("x = a<b&&c>d;", "x = a<b&&c>d;"),
    ("(anonymous namespace)::g(1);", "anonymous_namespace__g(1);"),
    ("`anonymous namespace'::g('a');", "anonymous_namespace__g('a');"),
    ("p = operator new(8);", "p = operator_new(8);"),
    ("p = operator new[](8);", "p = operator_new_array(8);"),
    ("operator.delete(p);", "operator_delete(p);"),
    ("std::operator<<(a, b);", "std__operator_shl(a, b);"),
    ("operator[1] = operator->x;", "operator[1] = operator->x;"),
    ("operator = operator + 1;", "operator = operator + 1;"),
    ("f.part.0(1);", "f_part_0(1);"),
    ("f.isra.0.cold(1);", "f_isra_0_cold(1);"),
    ("counter.1234 = 2;", "counter_1234 = 2;"),
    ("s.part = 1; s->cold.x = 2;", "s.part = 1; s->cold.x = 2;"),
    (".puts(a); x = .g(1);", "puts(a); x = g(1);"),
    ("S s = { .x = 1, .y = 2 };", "S s = { .x = 1, .y = 2 };"),
    ("x = ?g@@YAXXZ(1);", "x = _g_YAXXZ(1);"),
    ("x = a ?b :c;", "x = a ?b :c;"),
    ("record::$98AB *p;", "record__$98AB *p;"),
    ("goto switchD_00101::caseD_1; switchD_00101::caseD_1: x();",
     "goto switchD_00101__caseD_1; switchD_00101__caseD_1: x();"),
    ("x = nullptr;", "x = NULL;"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "right"), NAMES)
def test_names_become_identifiers(statement, right):
    assert in_function(statement) == right


def test_a_local_with_the_name_of_a_global_gets_another_name():
    code = (
        "int main(int argc, char **argv) { p->argc = ::argc; return *::argv[argc] + argv_local; }"
    )
    assert normalize(code) == (
        "int main(int argc_local, char **argv_local_) "
        "{ p->argc = argc; return *argv[argc_local] + argv_local; }"
    )
    assert in_function("for (::i = 0; ::i < 3; ++::i) x();") == "for (i = 0; i < 3; ++i) x();"


VALID = [
    "JUMPOUT(4096);", "x = MEMORY[4096];", "x = __PAIR64__(a, b);", "LODWORD(x) = 5;",
    "p = &unk_4010;", 'p = L"wide";', "x = u8\"a\" \"b\";", "x = 'ab';", "x = -1;", "x = ~a[0];",
    "switch (x) { case 'a': break; default: y(); }", "(*(code *)p)(1);", "x = (T){ .a = 1 };",
    "int a[] = { [1] = 2 };", "x = a ? .5 : 1.;", "*(&v1 + 1) = v2;", "x = sizeof(int[4]);",
    '__asm__("nop");', "for ( i = 0; ; ++i ) ;",
]  # fmt: skip


@pytest.mark.parametrize("statement", VALID)
def test_valid_c_stays_as_it_is(statement):
    assert in_function(statement) == statement


@pytest.mark.parametrize(
    ("statement", "right"),
    [
        ("if (x) goto L; L: }; {", "if (x) goto L; L:; }; {"),
        ("switch (x) { case 65: }", "switch (x) { case 65:; }"),
        ("switch (x) { default: }", "switch (x) { default:; }"),
        ("p = va_arg(ap, int *);", "p = (int *)va_arg(ap, size_t);"),
        ("p = va_arg(ap, _DWORD *);", "p = (uint32_t *)va_arg(ap, size_t);"),
        ("p = va_arg(ap, unsigned __int64);", "p = (unsigned long long)va_arg(ap, size_t);"),
        ("p = va_arg(ap, __int64);", "p = (long long)va_arg(ap, ssize_t);"),
        ("p = va_arg(ap, unsigned int);", "p = (unsigned int)va_arg(ap, uint32_t);"),
        ("p = va_arg(ap, int);", "p = va_arg(ap, int);"),
        ("if (x) __asm { rep movsb }\n else y();", "if (x) asm_rep_movsb();\n else y();"),
        ("x = 0xE+1;", "x = 14+1;"),
    ],
)
def test_what_parsers_and_compilers_disagree_on_is_spelt_otherwise(statement, right):
    assert in_function(statement) == right


@pytest.mark.parametrize(
    ("statement", "right"),
    [
        ("x._4_4_ = 1;", "*(uint32_t *)((char *)&x + 4) = 1;"),
        ("x._0_8_ = a[2].b._2_1_;", "*(uint64_t *)&x = *(uint8_t *)((char *)&a[2].b + 2);"),
        ("x = y._4_3_;", "x = PIECE(y, 4, 3);"),
        ("x = a /y._0_4_;", "x = a /*(uint32_t *)&y;".replace("/*", "/(*").replace("y;", "y);")),
        ("x = s._0_4;", "x = s._0_4;"),
        ("undefined auVar1 [16]; auVar1 = x; auVar1[3] = 1;",
         "unsigned __int128 auVar1; auVar1 = x; ((uint8_t *)&auVar1)[3] = 1;"),
        ("x = (undefined  [16])0x0;", "x = (unsigned __int128)0;"),
        ("undefined b [16]; strcpy(b, c);", "uint8_t b [16]; strcpy(b, c);"),
        ("undefined (*p) [16]; auVar1 = *p;",
         "uint8_t (*p) [16]; auVar1 = *(unsigned __int128 *)p;"),
        ("*(undefined (*) [16])(p + 1) = auVar1;", "*(unsigned __int128 *)(p + 1) = auVar1;"),
    ],
)  # fmt: skip
def test_pieces_and_byte_registers_of_ghidra(statement, right):
    assert in_function(statement, "ghidra") == right


def test_a_function_of_ghidra_that_returns_a_register():
    code = "undefined  [16] g(undefined param_1 [16]) { return param_1; }"
    assert significant(normalize(code)) == significant(
        "unsigned __int128 g(unsigned __int128 param_1) { return param_1; }"
    )


@pytest.mark.parametrize(
    ("statement", "right"),
    [
        ("__m128i v; v = 0LL;", "__m128i v; v = (__m128i){0LL};"),
        ("*(__m128i *)&p[2] = 0LL;", "*(__m128i *)&p[2] = (__m128i){0LL};"),
        ("x = g((__m128i)0LL);", "x = g((__m128i){0LL});"),
        ("x = (__m128i)(unsigned __int64)&s[1];", "x = (__m128i){(unsigned long long)&s[1]};"),
        ("x = (__m128d)0x3FF0000000000000uLL;",
         "x = (__m128d)(__m128i){4607182418800017408uLL};"),
        ("x = (__m128d)*(unsigned __int64 *)&y;",
         "x = (__m128d)(__m128i){*(unsigned long long *)&y};"),
        ("x = (__m128i)y;", "x = (__m128i)y;"),
        ("x = (__m128i)*(_OWORD *)y;", "x = (__m128i)*(unsigned __int128 *)y;"),
        ("v.m128i_i32[2] = 3;", "((int32_t *)&v)[2] = 3;"),
        ("x = p->m128d_f64[i];", "x = ((double *)p)[i];"),
        ("x = p[1].m128_f32[0];", "x = ((float *)&p[1])[0];"),
        ("x = g(v).m128i_u64[1];", "x = (uint64_t)g(v)[1];"),
        ("x = g(v).m128i_u32[1];", "x = (uint32_t)_mm_extract_epi32(g(v), 1);"),
    ],
)  # fmt: skip
def test_vectors_of_ida(statement, right):
    assert in_function(statement) == right


def test_a14_constants_are_not_simplified():
    code = "int t(uint8_t x){ if (x == -1) return 2; return 1; }"
    assert normalize(code) == code


def test_a17_text_that_is_not_ascii():
    code = '\ufeffint f(int cnt) {\r\n  puts("naïve → ok\udce9"); // → ok\r\n  return cnt;\r\n}'
    text = normalize(code)
    assert 'puts("naïve → ok\udce9");' in text
    assert "\r" not in text
    with pytest.raises(SourceError) as caught:
        normalize("int x;\0")
    assert caught.value.reason is Reason.NUL_BYTE


@pytest.mark.parametrize("code", ["int x @ y;", "x = a `b;", "int x; \\ y", "x = # 1;"])
def test_what_no_rule_makes_c_of_is_refused_with_the_place(code):
    with pytest.raises(SourceError) as caught:
        normalize(code)
    assert caught.value.reason is Reason.SYNTAX_ERROR
    assert caught.value.where is not None


def test_names_of_dialects_and_profiles_are_checked():
    with pytest.raises(UserError, match=r"auto, ida, ghidra, flatline, angr.*Did you mean ghidra"):
        normalize("int x;", dialect="gidra")
    with pytest.raises(UserError, match="sound, upstream"):
        normalize("int x;", profile="loud")
    with pytest.raises(UserError):
        normalize_many([], dialect="x")


DIALECT_SAMPLES = [
    ("__int64 __fastcall sub_401000(_QWORD *a1) { return *a1; }", "ida"),
    ("int f(int a1) { return LOBYTE(a1); }", "ida"),
    ("int f(int a) { return a; }", "ida"),
    ("undefined8 FUN_00101234(long param_1) { return *(undefined8 *)(param_1 + 8); }", "ghidra"),
    ("int f(int param_1) { int iVar1; iVar1 = param_1; return iVar1; }", "ghidra"),
    ("xunknown8 f(int4 a, xunknown4 *param_1) { return a; }", "flatline"),
    ("int4 f(uint8 a) { return (int4)a; }", "flatline"),
    ("float8 f(int8 param_1) { return (float8)param_1; }", "flatline"),
    ("uint8 f(_DWORD a1) { return (int8)a1; }", "ida"),
    ("long long f(unsigned long long a0) {\n    char v0;  // [bp-0x18]\n    return v0; }", "angr"),
    ("int f(struct_0 *a0) { return a0->field_8; }", "angr"),
]


@pytest.mark.parametrize(("code", "dialect"), DIALECT_SAMPLES)
def test_dialects_are_told_apart(code, dialect):
    assert detect_dialect(code) == dialect


def test_a_dirty_call_of_angr():
    assert in_function("v0 = [D] amd64g_dirtyhelper(v1);") == "v0 = amd64g_dirtyhelper(v1);"
    assert in_function("x = a[D]; y = b[D];") == "x = a[D]; y = b[D];"


def test_many_texts_give_results_and_errors_in_order():
    found = normalize_many(["_DWORD x;", "", "_BYTE y;"])
    assert [found[0], found[2]] == ["uint32_t x;", "uint8_t y;"]
    assert isinstance(found[1], SourceError)
    assert found[1].reason is Reason.EMPTY
