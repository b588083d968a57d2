"""What is refused before the compiler sees it, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.rewards.candidates import Verdict
from sk2d.rewards.guard_text import MAX_BYTES, RefusedError, checked_text
from sk2d.rewards.guards import admit, refusal, without_line_markers

PLAIN = "int f(int a) { return a + 1; }"

REFUSED = [
    ("", Verdict.EMPTY),
    (" \n\t", Verdict.EMPTY),
    ("// nothing", Verdict.NO_FUNCTION),
    ("/* open", Verdict.BAD_TEXT),
    ("int f(void) { return 0; }\0", Verdict.BAD_TEXT),
    ("int x;", Verdict.NO_FUNCTION),
    ("int f(void);", Verdict.NO_FUNCTION),
    ("int f(void) {}", Verdict.EMPTY_BODY),
    ("int f(void) { ;; {;} }", Verdict.EMPTY_BODY),
    ("int f(void) { /* var1 */ }", Verdict.EMPTY_BODY),
    (f"#if 0\n{PLAIN}\n#endif", Verdict.DIRECTIVE),
    (f'#include "/etc/passwd"\n{PLAIN}', Verdict.DIRECTIVE),
    (f"#include </etc/passwd>\n{PLAIN}", Verdict.DIRECTIVE),
    (f"#include <stdio.h> junk\n{PLAIN}", Verdict.DIRECTIVE),
    (f"  # define f g\n{PLAIN}", Verdict.DIRECTIVE),
    (f'# 1 "a.c"\n{PLAIN}', Verdict.DIRECTIVE),
    (f"/* */ #define f g\n{PLAIN}", Verdict.DIRECTIVE),
    (f"%:define f g\n{PLAIN}", Verdict.DIRECTIVE),
    (f"% :define f g\n{PLAIN}", Verdict.DIRECTIVE),
    (f"%::define f g\n{PLAIN}", Verdict.DIRECTIVE),
    (f"??=define f g\n{PLAIN}", Verdict.DIRECTIVE),
    ("int f(void) { return 1; // ??/\n}", Verdict.DIRECTIVE),
    ("int f(void) { ret\\\nurn 1; }", Verdict.DIRECTIVE),
    ("int f(void) { // \\\n return 1; }", Verdict.DIRECTIVE),
    ('int f(void) { _Pragma("GCC poison f") return 1; }', Verdict.DIRECTIVE),
    ('int f(void) { asm("nop"); return 1; }', Verdict.ASSEMBLY),
    ('int f(void) { __asm__ volatile ("nop"); return 1; }', Verdict.ASSEMBLY),
    ('int f(void) __asm("g"); int f(void) { return 1; }', Verdict.ASSEMBLY),
    ("__attribute__((constructor)) int f(void) { return 1; }", Verdict.ATTRIBUTE),
    ("__attribute__((unused, __destructor__(101))) int f(void) { return 1; }", Verdict.ATTRIBUTE),
    (
        'int f(void) { static int a __attribute__((section(".init"))); return a; }',
        Verdict.ATTRIBUTE,
    ),
    ("[[gnu::constructor]] int f(void) { return 1; }", Verdict.ATTRIBUTE),
    ("int f(void) { int a __attribute__((cleanup(free))); return 1; }", Verdict.ATTRIBUTE),
    (f"{PLAIN} int g(void) {{ return 1; }}", Verdict.SEVERAL_FUNCTIONS),
    (f"int g; {PLAIN}", Verdict.OTHER_ITEM),
    (f"{PLAIN} typedef int t;", Verdict.OTHER_ITEM),
    (f"int g(void); {PLAIN}", Verdict.OTHER_ITEM),
    ("int f(void) { int g(void) { return 1; } return g(); }", Verdict.NESTED_FUNCTION),
    ("int main(void) { return 1; }", Verdict.DEFINES_MAIN),
    ("char *strcpy(char *a, const char *b) { return a; }", Verdict.STANDARD_NAME),
    ("int __builtin_abs(int a) { return a; }", Verdict.STANDARD_NAME),
    ("int f(int a) { return a + 1;", Verdict.SYNTAX_ERROR),
    ("int f(int a) { return a[1); }", Verdict.SYNTAX_ERROR),
    (f"{PLAIN} }}", Verdict.SYNTAX_ERROR),
    ("int f(int a) { return a a; }", Verdict.SYNTAX_ERROR),
    ("int f(int a) { return " + "(" * 300 + "a" + ")" * 300 + "; }", Verdict.TOO_DEEP),
    ("int f(void) { return 1; }" + " " * MAX_BYTES, Verdict.TOO_LARGE),
]

ADMITTED = [
    PLAIN,
    f"#include <stdio.h>\n#include <sys/types.h>\n{PLAIN}\n// behind",
    "/* before */ static inline unsigned long *f(char **a, int (*b)(void)) { return 0; }",
    "int f(a, b) int a; char *b; { return a + *b; }",
    "int f(void) { return '#' + \"# %: ??= \\\\ asm\"[0]; }",
    "__attribute__((noinline)) int f(void) { return 1; }",
    "int f(int *a, int b) { return a[a[b]]; }",
    "int f(int a) { return a %2 ? 1 : a ? 2 : 3; }",
    "int f(void) { struct s { int a; } b = {1}; return b.a; }",
    "int f(a) int a; { /* ( */ return a + '{' + \"]\"[0]; } // }",
]


@pytest.mark.parametrize(("code", "verdict"), REFUSED)
def test_refused(code: str, verdict: Verdict) -> None:
    found = refusal(code)
    assert found is not None
    assert found.verdict is verdict, found.message


@pytest.mark.parametrize("code", ADMITTED)
def test_admitted(code: str) -> None:
    assert refusal(code) is None
    assert admit(code).name == "f"


def test_a_name_may_be_asked_for() -> None:
    assert refusal(PLAIN, func_name="f") is None
    assert refusal(PLAIN, func_name="g") is not None
    assert refusal("int main(void) { return 1; }", func_name="main") is None


def test_includes_are_taken_out_and_the_rest_is_kept() -> None:
    assert "include" not in admit(f"#include <stdio.h>\n{PLAIN}").text
    assert admit(f"#include <stdio.h>\n{PLAIN}").text.strip() == PLAIN


def test_line_markers_are_taken_out_of_released_texts() -> None:
    marked = f'# 930 "/a b/c.c" 3 4\n{PLAIN}\n# 12\n#line 7 "d.c"\n'
    assert without_line_markers(marked).strip() == PLAIN
    assert without_line_markers("#define a\n") == "#define a\n"


SIGNS = ["#", "%", ":", "::", "?", "[", "\\", '"', "'", "*/", "//", "\n", " ", "/", "a", "1"]
WORDS = ["asm", "_Pragma", "__builtin_return_address", "\\n", "#include <stdio.h>\n", "u8", "("]


@given(st.lists(st.sampled_from(SIGNS + WORDS), max_size=12).map("".join))
def test_a_text_is_refused_alike_whether_or_not_its_tokens_are_looked_at(text: str) -> None:
    """A comment has all tokens looked at."""
    assert checked(f"a\n{text}") == checked(f"/**/a\n{text}").removeprefix("/**/")


def checked(text: str) -> str:
    try:
        return checked_text(text)
    except RefusedError as refused:
        return refused.refusal.verdict


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    for code in (text, f"int f(void) {{ {text} }}"):
        found = refusal(code)
        if found is None:
            assert admit(code).name
        else:
            assert found.verdict is not Verdict.OK
            assert all(c.isprintable() or c == "\n" for c in found.message)
