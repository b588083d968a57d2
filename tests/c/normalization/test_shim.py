"""The shim header: it compiles alone, and its macros compute what the decompilers mean."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from sk2d.c.normalization import HEADER, INCLUDED, shim, shim_names
from sk2d.c.normalization.families import with_families
from sk2d.sandbox import COMPILE_FLAGS, compile_many


def gcc(path: Path, *options: str) -> str:
    done = subprocess.run(["gcc", "-std=gnu11", *options, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    return done.stderr


@pytest.mark.parametrize("options", [["-Wall", "-Wextra"], ["-Wall", "-mavx2"], ["-O2", "-Wall"]])
def test_it_compiles_alone_without_a_warning(tmp_path, options):
    path = tmp_path / "shim.c"
    path.write_text(shim())
    assert gcc(path, "-fsyntax-only", *options) == ""


def test_the_headers_of_the_system_may_stand_before_and_behind_it(tmp_path):
    headers = "stdio stdlib string math ctype errno stdint limits time unistd sys/types"
    includes = "\n".join(f"#include <{name}.h>" for name in headers.split())
    path = tmp_path / "both.c"
    path.write_text(f"{includes}\n{shim()}\n")
    assert gcc(path, "-fsyntax-only", "-Wall") == ""
    path.write_text(f"{shim()}\n{includes}\n".replace("#include <math.h>\n", ""))
    assert gcc(path, "-fsyntax-only", "-Wall") == ""


def test_the_families_are_fresh():
    """After a change of families.py: python -m sk2d.c.normalization.families."""
    assert with_families(shim()) == shim()
    assert HEADER.name == "shim.h"


DECLARED = """
LOBYTE CONCAT44 SUB168 ZEXT48 SEXT116 CARRY4 POPCOUNT __ROL4__ __ROR8__ _DWORD __int64 undefined
undefined8 code uint byte xunknown4 int8 float8 in_FS_OFFSET __stack_chk_fail strlen stderr FILE
NAN INFINITY qmemcpy _bittest64 PIECE __va_list_tag
"""


def test_names_are_those_that_it_declares(tmp_path):
    names = shim_names()
    for name in DECLARED.split():
        assert name in names, name
    assert not names & {"size_t", "uint32_t", "bool", "va_list", "NULL", "define", "void", "int"}
    path = tmp_path / "shim.c"
    path.write_text(shim())
    macros = set(re.findall(r"^#define (\w+)", shim(), re.MULTILINE))
    declared = {name for name in names - macros if not name.startswith("SK2D")}
    uses = "\n".join(
        f"typedef __typeof__({name}) use{n};" for n, name in enumerate(sorted(declared))
    )
    assert "isdigit" in declared
    path.write_text(f"{shim()}\n{uses}\n")
    gcc(path, "-fsyntax-only", "-w")


def test_headers_that_it_includes_are_told():
    found = set(re.findall(r"#include <(\w+)\.h>", shim()))
    assert found == {*INCLUDED, "immintrin"}


CHECKS = r"""
#include <assert.h>
static unsigned long long v = 0x1122334455667788ull;
static int calls;
static int counted(int x) { calls++; return x; }
static void ida(void) {
  unsigned long long x = v;
  assert(LOBYTE(x) == 0x88 && LOWORD(x) == 0x7788 && LODWORD(x) == 0x55667788);
  assert(HIBYTE(x) == 0x11 && HIWORD(x) == 0x1122 && HIDWORD(x) == 0x11223344);
  assert(BYTE1(x) == 0x77 && BYTE7(x) == 0x11 && WORD1(x) == 0x5566 && DWORD1(x) == 0x11223344);
  assert(SLOBYTE(x) == -0x78 && SBYTE1(x) == 0x77 && SHIDWORD(x) == 0x11223344);
  LOBYTE(x) = 1; HIBYTE(x) = 2; WORD1(x) = 3; HIDWORD(x) |= 4;
  assert(x == 0x0222334400037701ull);
  int i = -1; LOWORD(i) = 5; assert(i == -65531); assert(HIWORD(i) == 0xffff);
  __int128 w = 0; QWORD1(w) = 7; assert(w >> 64 == 7); BYTE12(w) = 1; assert(DWORD3(w) == 1);
  float f = 1; assert(LODWORD(f) == 0x3f800000);
  assert(__PAIR64__(1, -1) == 0x1ffffffffull && sizeof(__PAIR64__(1, 2)) == 8);
  assert(__PAIR16__(0x12, 0x34) == 0x1234 && __SPAIR16__((char)-1, 0) == -256);
  assert(__PAIR128__(1, 2) == ((unsigned __int128)1 << 64 | 2) && __SPAIR64__(-1, 0) < 0);
  assert(__ROL4__(0x80000001, 4) == 0x18 && __ROR4__(0x18, 4) == 0x80000001);
  assert(__ROL1__(0x81, 1) == 3 && __ROR2__(1, 1) == 0x8000 && __ROL8__(v, 0) == v);
  assert(__ROR8__(v, 8) == 0x8811223344556677ull && __ROL8__(v, 64) == v);
  assert(__ROL__((unsigned char)0x81, 1) == 3 && __ROR__(0x18u, 4) == 0x80000001);
  assert(__CFADD__(0xffffffffu, 1u) && !__CFADD__(1u, 1u) && __CFSUB__(1u, 2u));
  assert(__CFADD__((unsigned char)255, (unsigned char)1) && !__CFSUB__(2u, 1u));
  assert(__OFADD__(0x7fffffff, 1) && !__OFADD__(1, 1) && __OFSUB__((int)0x80000000, 1));
  assert(!__OFSUB__(1, 2) && __OFMUL__(0x7fffffff, 2) && !__OFMUL__(-3, 4));
  assert(__OFSUB__((signed char)-128, (signed char)1) && !__OFADD__(0x7fffffffLL, 1));
  assert(__SETS__((char)-1) && !__SETS__(1) && __CFSHL__(0x80000000u, 1) && __CFSHR__(3, 2));
  assert(__SETP__(3, 0) && !__SETP__(1, 0));
  assert(!is_mul_ok(0x7fffffff, 2) && is_mul_ok(3u, 5u) && saturated_mul(~0ull, 2) == ~0ull);
  assert(is_add_ok(1, 2) && !is_add_ok((unsigned char)255, 1));
  assert(COERCE_FLOAT(0x3f800000) == 1.0f && COERCE_DOUBLE(0x4000000000000000ull) == 2.0);
  assert(COERCE_UNSIGNED_INT(1.0f) == 0x3f800000 && COERCE_UNSIGNED_INT64(2.0) == 1ull << 62);
  assert(abs32(-3) == 3 && abs64(-4) == 4 && abs8(-5) == 5 && abs16(-6) == 6 && abs128(-7) == 7);
  assert(_byteswap_ulong(0x11223344) == 0x44332211 && _byteswap_ushort(0x1122) == 0x2211);
  assert(_byteswap_uint64(v) == 0x8877665544332211ull);
  unsigned bits = 4; unsigned long long wide[2] = {0, 2}; unsigned where = 9;
  assert(_bittest(&bits, 2) && !_bittest(&bits, 1) && _bittest64(wide, 65));
  assert(!_bittestandset(&bits, 0) && bits == 5 && _bittestandreset(&bits, 2) && bits == 1);
  assert(_bittestandcomplement(&bits, 0) && bits == 0 && !_bittestandset64(wide, 1));
  assert(wide[0] == 2 && _bittestandreset64(wide, 65) && !wide[1]);
  assert(_BitScanForward(&where, 8) && where == 3 && _BitScanReverse(&where, 9) && where == 3);
  assert(!_BitScanForward(&where, 0) && _BitScanReverse64(&where, 1ull << 40) && where == 40);
  assert(_popcountdi2(7) == 3);
  unsigned filled[4] = {0}; memset32(filled, -2, 3); assert(filled[2] == -2u && !filled[3]);
  qmemcpy(filled, "abc", 4); assert(!strcmp((char *)filled, "abc"));
  assert(__readfsqword(0) == (unsigned long long)__builtin_thread_pointer());
  unsigned _DWORD_is_a_type = sizeof(_DWORD) == 4 && sizeof(_OWORD) == 16 && sizeof(_BOOL8) == 8;
  unsigned __int64 u = -1; signed __int8 s = -1; unsigned __int16 h = -1; _BYTE b = -1;
  assert(_DWORD_is_a_type && u == ~0ull && s < 0 && h == 65535 && b == 255);
}
static void ghidra(void) {
  unsigned char c = 0x80; char s = -128; float f = 1, g = 2; double d = 1; int n = -1;
  unsigned __int128 x = (unsigned __int128)0x99aabbccddeeff00ull << 64 | v; char *p = (char *)v;
  assert(CONCAT44(1, 2) == 0x100000002ull && sizeof(CONCAT44(1, 2)) == 8);
  assert(CONCAT31(0x112233, 0x44) == 0x11223344 && CONCAT71(1, c) == 0x180);
  assert(CONCAT22(0x1234, 0x5678) == 0x12345678 && CONCAT11(c, s) == 0x8080);
  assert(CONCAT44(g, f) == 0x400000003f800000ull && CONCAT44(n, n) == ~0ull);
  assert(CONCAT88(1ull, v) == ((unsigned __int128)1 << 64 | v));
  assert(CONCAT13(0xff, 0x11223344) == 0xff223344);
  assert(CONCAT26(1, v) == (1ull << 48 | (v & ~0ull >> 16)));
  assert(CONCAT115(1, 2) == ((unsigned __int128)1 << 120 | 2));
  assert(CONCAT412(1, x) == ((unsigned __int128)1 << 96 | (x & ~(unsigned __int128)0 >> 32)));
  assert(SUB41(0x11223344, 0) == 0x44 && SUB42(0x11223344, 1) == 0x2233);
  assert(SUB84(v, 4) == 0x11223344);
  assert(SUB168(x, 8) == 0x99aabbccddeeff00ull && SUB168(x, 0) == v && SUB164(x, 2) == 0x33445566);
  assert(SUB1612(x, 4) == (x >> 32) && sizeof(SUB41(1, 0)) == 1 && SUB43(-1, 0) == 0xffffff);
  assert(SUB84(d, 4) == 0x3ff00000 && SUB84(p, 0) == 0x55667788);
  assert(ZEXT14(s) == 0x80 && ZEXT48(n) == 0xffffffff && ZEXT816(v) == v && ZEXT14(c) == 0x80);
  assert(SEXT14(c) == -128 && SEXT48(0x80000000) == -0x80000000ll && SEXT816(-1ll) == -1);
  assert(SEXT34(0x800000) == -0x800000 && sizeof(SEXT48(1)) == 8 && SEXT12(s) == -128);
  assert(CARRY1(255, 1) && !CARRY1(254, 1) && CARRY4(-1, 1) && !CARRY8(-1u, 1) && CARRY8(-1ull, 1));
  assert(SCARRY4(0x7fffffff, 1) && !SCARRY4(-1, 1) && SBORROW4(0x80000000, 1) && !SBORROW8(1, 2));
  assert(SBORROW1(-128, 1) && !SBORROW2(-128, 1));
  assert(POPCOUNT(s) == 1 && POPCOUNT(v) == 26 && POPCOUNT(x) == 26 + 38 - POPCOUNT(0));
  assert(LZCOUNT(1) == 31 && LZCOUNT(c) == 0 && LZCOUNT(0) == 32 && LZCOUNT(1ull) == 63);
  assert(NAN(d / 0.0 - d / 0.0) && !NAN(f) && NAN != NAN && ABS(-f) == 1 && ABS(-2.5) == 2.5);
  assert(SQRT(4.0) == 2 && FLOOR(-1.5) == -2 && CEIL(1.5f) == 2 && ROUND(2.5) == 3);
  assert(TRUNC(-1.5) == -1);
  assert(sizeof(SQRT(f)) == 4 && INFINITY > 1e300);
  PIECE(x, 4, 3) = 0xabcdef; assert((unsigned long)x == 0x11abcdef55667788ull);
  PIECE(x, 0, 12) = 1; assert(x == ((unsigned __int128)0x99aabbcc << 96 | 1));
  assert(PIECE(x, 12, 4) == 0x99aabbcc && PIECE(f, 0, 4) == 0x3f800000);
  assert(CONCAT11(counted(1), counted(2)) == 0x102 && calls == 2);
  assert(SEXT14(counted(-1)) == -1 && POPCOUNT(counted(3)) == 2 && LZCOUNT(counted(1)) == 31);
  assert(__OFADD__(counted(1), counted(2)) == 0 && calls == 7);
  long in_FS_OFFSET; long first = *(long *)(in_FS_OFFSET + 0x28), again;
  again = *(long *)(in_FS_OFFSET + 0x28); assert(first == again && first);
  undefined4 u4 = -1; undefined u1 = -1; uint3 u3 = 1; int8 i8 = -1; xunknown8 x8 = -1;
  ulong ul = -1;
  assert(u4 == ~0u && u1 == 255 && u3 && sizeof i8 == 8 && x8 == ~0ull && ul == ~0ul);
  assert(sizeof(int2) == 2 && sizeof(uint16) == 16 && sizeof(float8) == 8 && (int8)-1 < 0);
}
static void flow(int which) {
  if (which == 1) BUG();
  if (which == 2) JUMPOUT(0x401000);
  if (which == 3) halt_baddata();
  if (which == 4) { code *p = (code *)swi(3); (*p)(); }
  if (which == 5) MEMORY[0x10] = 1;
}
static void vectors(void) {
  __m128i x = _mm_set1_epi32(3), y = _mm_add_epi32(x, x);
  assert(_mm_cvtsi128_si32(y) == 6 && _mm_extract_epi32(y, 3) == 6);
}
int main(void) { ida(); ghidra(); vectors(); flow(0); return 0; }
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a13_every_macro_computes_what_it_stands_for(tmp_path, level):
    path = tmp_path / "checks.c"
    path.write_text(f"{shim()}\n#line 1\n{CHECKS}")
    program = tmp_path / "checks"
    gcc(path, level, "-w", "-fno-strict-aliasing", "-o", str(program), "-lm")
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def width_checks() -> str:
    """Give a program that compares all joins and parts with plain shifts."""
    lines = []
    value = "((u)0x0123456789abcdefull << 64 | 0xfedcba9876543210ull)"
    for x in range(1, 16):
        for y in range(1, 17 - x):
            if x != 11 or y > 5:
                right = f"(({value} << {8 * y} | (v & m({y}))) & m({x + y}))"
                lines.append(f"assert((u)CONCAT{x}{y}(v, v) == {right});")
    for x in range(2, 17):
        for y in range(1, x):
            lines.append(f"assert((u)SUB{x}{y}(v & m({x}), 1) == ((v & m({x})) >> 8 & m({y})));")
    for x in range(1, 16):
        for y in range(x + 1, 17):
            if x != 11 or y > 9:
                lines.append(f"assert((u)ZEXT{x}{y}(v) == (v & m({x})));")
                signed = f"(u)((__int128)(v << {128 - 8 * x}) >> {128 - 8 * x})"
                lines.append(f"assert(((u)SEXT{x}{y}(v) & m({y})) == ({signed} & m({y})));")
    return (
        "#include <assert.h>\ntypedef unsigned __int128 u;\n"
        "static u m(int bytes) { return ~(u)0 >> (128 - 8 * bytes); }\n"
        f"int main(void) {{ u v = {value};\n" + "\n".join(lines) + "\nreturn 0; }\n"
    )


def test_a13_all_widths_of_ghidras_operations(tmp_path):
    path = tmp_path / "widths.c"
    path.write_text(f"{shim()}\n{width_checks()}")
    gcc(path, "-w", "-o", str(tmp_path / "widths"))
    done = subprocess.run([tmp_path / "widths"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


FRAGMENTS = [
    "void f(int a1){ LOBYTE(a1) = 1; *(_DWORD *)(a1 + 4LL) = CONCAT22(0, 1); }",
    "void f(void) { __readfsqword(0x28u); }",
    "__int64 __fastcall f(__int64 a1, unsigned __int8 *a2) { return a1 + *a2; }",
    "_BOOL8 __cdecl f(_QWORD *a1) { return *a1 == 0LL; }",
    "void __noreturn f(void) { exit(1); }",
    "double f(_DWORD *a1) { return COERCE_FLOAT(*a1) + COERCE_DOUBLE(1LL); }",
    "int f(const char *s) { return strlen(s) + atoi(s) + printf(\"%s\", s); }",
    "void *f(_QWORD *a1) { return (__int64 (__fastcall *)(__int64))a1[1]; }",
    "int f(__int64 a, ...) { gcc_va_list va; va_start(va, a); return va_arg(va, _DWORD); }",
    "__m128i f(__m128i a) { return _mm_shuffle_epi32(_mm_mullo_epi32(a, a), 0x4E); }",
    "void f(_OWORD *a) { *a = 0LL; qmemcpy(a, \"0123456789\", 10uLL); }",
    "undefined8 f(long param_1,uint param_2) { return *(undefined8 *)(param_1 + (ulong)param_2); }",
    "int f(code *param_1) { (*param_1)(1); return (*(code *)0x101000)(); }",
    "ulong f(byte b) { return (ulong)CONCAT31(0x112233,b) | ZEXT48(SUB84(1ul,4)); }",
    "long f(void) { long in_FS_OFFSET; return *(long *)(in_FS_OFFSET + 0x28); }",
    "void f(void) { __stack_chk_fail(); }",
    "bool f(int a,int b) { return SBORROW4(a,b) != (a - b < 0) || CARRY4(a,b) || NAN((float)a); }",
    "void f(void) { code *pcVar1; pcVar1 = (code *)swi(3); (*pcVar1)(); }",
    "float10 f(float10 x,longlong y,ulonglong z) { return x + (float10)y + (float10)z; }",
    "xunknown8 f(int4 a, uint8 b, float8 c) { return (xunknown8)(a + b + (int8)c); }",
    "int1 f(xunknown4 *a) { return (int1)*a; }",
    "unsigned long f(unsigned int a0) { return __ROL__(a0, 3) + (uint128_t)a0; }",
]  # fmt: skip


def test_a13_fragments_of_every_dialect_compile():
    verdicts = compile_many([f"{shim()}\n{code}" for code in FRAGMENTS])
    assert [v.message for v in verdicts if not v.compiles] == []
    bare = compile_many(FRAGMENTS)
    assert sum(v.compiles for v in bare) < 3
    assert "-std=gnu11" in COMPILE_FLAGS
