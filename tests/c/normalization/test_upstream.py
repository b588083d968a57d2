"""Profile `upstream`: what upstream's normaliser printed, with all that it damaged."""

from __future__ import annotations

import pytest

from sk2d.c.normalization import normalize, normalize_many
from sk2d.c.tokens import significant
from sk2d.errors import SourceError


def as_upstream(code: str) -> list[str]:
    return significant(normalize(code, profile="upstream"))


@pytest.mark.parametrize(
    ("code", "right"),
    [
        ("int f(void){ return 0xFFFFFFFF; }", "int f(void){ return 4294967295; }"),
        ("x = 0x10LL + 0X10;", "x = 16LL + 0X10;"),
        ("size_t __fastcall f(_QWORD a);", "unsigned int f(uint64_t a);"),
        ("int __usercall f(int a);", "int __usercall f(int a);"),
        ("__sighandler_t h;", "void (*)(int) h;"),
        ("unsigned _DWORD a;", "unsigned uint32_t a;"),
        ("struct _IO_FILE *fp;", "struct FILE *fp;"),
        ("_OWORD a; _TBYTE b;", "long double a; uint16_t b;"),
        ('puts("DIR size_t");', 'puts("int unsigned int");'),
        ('const char *g = "/* keep */ x";', 'const char *g = " x";'),
        ("void __noreturn noreturn f(void);", "void f(void);"),
    ],
)
def test_rules(code, right):
    assert as_upstream(code) == significant(right)


def test_a1_a_comment_sign_in_a_string_cuts_it_as_upstream_did():
    assert '"see http:' in normalize('puts("see http://a.b/c");\nx();', profile="upstream")


def test_the_text_is_laid_out_in_google_style_without_empty_lines():
    code = "int f(int a)\n{\n\n  // gone\n  if(a)\n    return 1;\n\n  return 0;\n}"
    assert normalize(code, profile="upstream") == (
        "int f(int a) {\n  if (a) return 1;\n  return 0;\n}"
    )


def test_many_texts_are_formatted_together_as_alone():
    codes = [f"int f{n}(void) {{ return {n:#x}; }}" for n in range(5)]
    codes.insert(2, "x\0")
    found = normalize_many(codes, profile="upstream")
    assert isinstance(found.pop(2), SourceError)
    codes.pop(2)
    assert found == [normalize(code, profile="upstream") for code in codes]


def test_literals_longer_than_python_prints_stay():
    digits = "f" * 9000
    assert digits in normalize(f"x = 0x{digits};", profile="upstream")
