import subprocess
from collections.abc import Iterator

import pytest

from sk2d.sandbox import Limits, TestFailure, TestVerdict, run_test
from tests.sandbox.conftest import comes_true, processes_with

DECLARATIONS = "#include <stdio.h>\nint func0(int a, int b);\n"
TEST = """
#include <assert.h>
int main(void) {
    assert(func0(1, 2) == 3);
    assert(func0(3, 4) == 7);
}
"""
RIGHT = "int func0(int a, int b) { return a + b; }\n"
WRONG = "int func0(int a, int b) { return 0; }\n"
LIMITS = Limits(cpu_seconds=1, wall_seconds=5, memory_bytes=300_000_000, processes=16)


def judge(candidate: str, test: str = TEST, limits: Limits = LIMITS, **more: str) -> TestVerdict:
    wanted = {"declarations": DECLARATIONS, "func_name": "func0", **more}
    return run_test(candidate, test, limits=limits, **wanted)


def test_a_right_function_passes_in_each_back_end_that_executes(backend: str) -> None:
    assert judge(RIGHT) == TestVerdict(True, None, "")


def test_e1_a_wrong_function_fails_with_the_assertion_in_each_back_end(backend: str) -> None:
    verdict = judge(WRONG)
    assert (verdict.passed, verdict.reason) == (False, "assertion")
    assert verdict.message == "assertion failed: func0(1, 2) == 3"


# One row an attack: what it does, its text, the reasons that are right for it.
ATTACKS = [
    ("e1 exit in the function", "void exit(int); int func0(int a, int b) { exit(0); }",
     "exited_early"),
    ("e1 _exit", "void _exit(int); int func0(int a, int b) { _exit(0); }", "exited_early"),
    ("quick exit", "void quick_exit(int); int func0(int a, int b) { quick_exit(0); }",
     "exited_early"),
    ("e1 constructor",
     "void _exit(int); __attribute__((constructor)) static void c(void) { _exit(0); }" + WRONG,
     "exited_early"),
    ("constructor that looks for the word",
     "long read(int, void *, long); long write(int, const void *, long); void _exit(int);"
     "__attribute__((constructor)) static void c(void) { char b[99]; for (int f = 3; f < 20; f++)"
     "{ long n = read(f, b, 99); if (n > 0) write(1, b, n); } _exit(0); }" + WRONG,
     "exited_early"),
    ("function that looks for the word",
     "long read(int, void *, long); long write(int, const void *, long); void _exit(int);"
     "int func0(int a, int b) { char t[99]; for (int f = 3; f < 20; f++)"
     "{ long n = read(f, t, 99); if (n > 0) write(1, t, n); } _exit(0); }",
     "exited_early"),
    ("own function before the constructors",
     "long read(int, void *, long); void _exit(int); static void c(void) { char b[99];"
     "_exit(read(3, b, 99) > 0 ? 77 : 0); }"
     '__attribute__((section(".preinit_array"), used)) static void (*p)(void) = c;' + WRONG,
     "exited_early"),
    ("destructor that ends well",
     "void _exit(int); __attribute__((destructor)) static void d(void) { _exit(0); }" + WRONG,
     "assertion"),
    ("e2 NDEBUG", "#define NDEBUG\n#include <assert.h>\n" + WRONG, "assertion"),
    ("e2 own assert", "#include <assert.h>\n#undef assert\n#define assert(x) ((void)0)\n" + WRONG,
     "assertion"),
    ("own __assert_fail",
     "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {}" + WRONG,
     "assertion"),
    ("handler for abort",
     "void (*signal(int, void (*)(int)))(int); void _exit(int); static void h(int n) { _exit(0); }"
     "int func0(int a, int b) { signal(6, h); return 0; }",
     "assertion"),
    ("e2 own main", WRONG + "int main(void) { return 0; }", "defines_main"),
    ("e2 main under another name", "#define main other\n" + WRONG + "int main(void) { return 0; }",
     "assertion"),
    ("resolver",
     "static int g(int a, int b) { return 0; } static void *r(void) { return g; }"
     'int func0(int a, int b) __attribute__((ifunc("r")));',
     "defines_resolver"),
    ("endless loop", "int func0(int a, int b) { for (;;); }", "cpu_limit"),
    ("e11 child that stays",
     "int fork(void); unsigned sleep(unsigned);"
     "int func0(int a, int b) { if (!fork()) { sleep(3141); } return a + b; }",
     "left_processes"),
    ("e11 grandchild in a session of its own",
     "int fork(void), setsid(void); unsigned sleep(unsigned); void _exit(int);"
     "int func0(int a, int b) { if (!fork()) { setsid(); if (!fork()) sleep(3141); _exit(0); }"
     "return a + b; }",
     "left_processes"),
    ("reads stdin",
     "int scanf(const char *, ...); int func0(int a, int b) { int x = -1; scanf(\"%d\", &x);"
     "return x; }",
     "assertion"),
    ("endless output", "int puts(const char *); int func0(int a, int b) { for (;;) puts(\"x\"); }",
     "output_limit"),
    ("closes stdout", "int close(int); int func0(int a, int b) { close(1); return a + b; }",
     "exit_code"),
    ("eats memory",
     "void *malloc(unsigned long); void *memset(void *, int, unsigned long);"
     "int func0(int a, int b) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
     "memory_limit"),
    ("fills the disk",
     "#include <stdio.h>\nint func0(int a, int b) { FILE *f = fopen(\"x\", \"w\"); for (;;)"
     "fputs(\"0123456789\", f); }",
     "file_limit cpu_limit"),
    ("null pointer", "int func0(int a, int b) { return *(int *)0; }", "crash"),
    ("recursion", "int func0(int a, int b) { volatile char c[999]; c[a] = 0;"
     "return func0(a, b) + c[b]; }", "crash"),
    ("kills all it can",
     "int kill(int, int); int func0(int a, int b) { kill(-1, 9); kill(1, 9); kill(0, 9);"
     "return 0; }", "crash assertion"),
    ("exit code", "void exit(int); int func0(int a, int b) { exit(5); }", "exit_code"),
    ("own strcmp", "int strcmp(const char *a, const char *b) { return 0; }" + WRONG, "assertion"),
    ("no such function", "int func1(int a, int b) { return a + b; }", "no_function"),
    ("static function", "static int func0(int a, int b) { return a + b; }", "no_function"),
    ("a variable", "int func0;", "no_function"),
    ("unknown function", "int func0(int a, int b) { return helper(a, b); }", "link_error"),
    ("no C", "int func0(int a, int b) { return", "compile_error"),
    ("deep nesting", "int a = " + "(" * 200_000 + "1" + ")" * 200_000 + ";", "compile_limit"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield
    assert comes_true(lambda: processes_with("./program") == [], seconds=0.5)


@pytest.mark.parametrize(
    ("code", "reasons"), [row[1:] for row in ATTACKS], ids=[row[0] for row in ATTACKS]
)
def test_an_attack_fails_with_its_reason(code: str, reasons: str) -> None:
    verdict = judge(code)
    assert verdict.passed is False
    assert verdict.reason in reasons.split()


def test_e11_a_fork_bomb_ends_by_itself_or_with_the_wall_clock() -> None:
    code = "int fork(void); int func0(int a, int b) { for (;;) fork(); }"
    verdict = judge(code, limits=Limits(cpu_seconds=1, wall_seconds=1, processes=16))
    assert verdict.reason in ("cpu_limit", "wall_limit", "process_limit")


def test_sleeping_for_ever_ends_with_the_wall_clock() -> None:
    code = "unsigned sleep(unsigned); int func0(int a, int b) { for (;;) sleep(999); }"
    assert judge(code, limits=Limits(cpu_seconds=1, wall_seconds=0.5)).reason == "wall_limit"


def test_a_test_that_calls_strcmp_gets_the_true_one() -> None:
    test = (
        "#include <assert.h>\n#include <string.h>\nint main(void) { assert(func0(1, 2) == 3);"
        ' char a[9] = "a"; a[0] += func0(0, 0); assert(strcmp(a, "b") != 0); }'
    )
    liar = "int strcmp(const char *a, const char *b) { return 1; }"
    assert judge(liar + RIGHT, test).passed
    assert judge(liar + RIGHT, test.replace("!= 0", "== 0")).reason == "assertion"


def test_the_clock_and_chance_are_the_same_in_each_run() -> None:
    program = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
    struct timeval v; struct timespec s;
    gettimeofday(&v, 0); clock_gettime(CLOCK_MONOTONIC, &s);
    printf("%ld %ld %ld %ld ", (long)time(0), (long)clock(), (long)v.tv_usec, (long)s.tv_nsec);
    printf("%d %ld %d\\n", rand(), random(), func0(1, 2));
    fflush(stdout);
    return fprintf(stderr, "%ld %d", (long)time(0), rand()) < 0;
}
"""
    first, second = judge(RIGHT, program), judge(RIGHT, program)
    assert first.passed
    assert first == second
    assert first.message.startswith("1000000000 ")


def test_addresses_are_the_same_in_every_run() -> None:
    code = (
        "#include <stdio.h>\n#include <stdlib.h>\nint func0(int a, int b) {"
        'fprintf(stderr, "%p %p %p", (void *)&a, malloc(9), (void *)func0); abort(); }'
    )
    said = {judge(code).message for _ in range(3)}
    if len(said) > 1 and not may_fix_addresses():
        pytest.skip("this machine does not let programs have fixed addresses")
    assert len(said) == 1
    assert said.pop().count("0x") == 3


def may_fix_addresses() -> bool:
    return subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode == 0


def test_a_loop_that_waits_for_the_clock_ends() -> None:
    code = (
        "long clock(void); int func0(int a, int b) { long e = clock() + 50000;"
        "while (clock() < e); return a + b; }"
    )
    assert judge(code).passed


def test_the_candidate_has_a_header_and_the_test_has_declarations_of_its_own() -> None:
    code = "num func0(num a, num b) { return a + b; }"
    assert judge(code, header="typedef int num;").passed
    assert judge("#define func0 other\n" + RIGHT).reason == "no_function"
    lying = "double func0(double a, double b) { return a + b; }"
    assert judge(lying).reason == "assertion"


def test_a_test_that_is_broken_is_no_verdict_on_the_candidate() -> None:
    verdict = judge(RIGHT, "int main(void) { return")
    assert (verdict.passed, verdict.reason) == (None, "test_broken")
    assert "expected" in verdict.message


def test_what_a_tests_main_returns_counts() -> None:
    assert judge(RIGHT, "int main(void) { return func0(1, 2) != 3; }").passed
    assert judge(WRONG, "int main(void) { return func0(1, 2) != 3; }").reason == "exit_code"
    assert judge(RIGHT, "int main(int c, char **v) { return c != 1 || v[1]; }").passed


def test_bytes_that_are_no_utf8() -> None:
    code = 'int func0(int a, int b) { return a + b + (*"\udce9" != (char)0xe9); }'
    assert judge(code).passed


def test_every_reason_is_reached_by_a_test() -> None:
    reached = {reason for row in ATTACKS for reason in row[2].split()}
    assert reached | {"wall_limit", "process_limit", "test_broken"} == set(TestFailure)
