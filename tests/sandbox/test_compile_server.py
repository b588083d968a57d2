"""Many texts through one start of the compiler give the verdicts of as many starts."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from sk2d.sandbox import COMPILE_FLAGS, COMPILE_LIMITS, Job, Limits, compile_many, run_jobs
from sk2d.sandbox.compile_server import LARGEST_TEXT, is_plain, reports, server_failure, server_job
from sk2d.sandbox.compiling import CODE, CompileVerdict, verdict_of
from sk2d.sandbox.toolchain import compiler_proper
from tests.imports import ROOT

HOSTILE = {
    "nothing": "",
    "no end": "int f(void) { return 0;",
    "undeclared": "int f(void) { return g(); }",
    "implicit int": "f(void) { return 0; }",
    "conversion": "int f(char *p) { return p; }",
    "built in": "char *strlen(int x); int f(void) { return strlen(2) != 0; }",
    "error directive": "#error told\n",
    "endless include": '#include "code.c"\n',
    "own main": '#include "main.c"\n',
    "nul": "int f(void) { return 0; }\0 int",
    "no utf-8": "int f(void) { return '\udcff'; }",
    "nested": "int f(void) { return " + "(" * 20_000 + "1" + ")" * 20_000 + "; }",
    "unknown names": "int f(void) { return " + " + ".join(f"n{i}" for i in range(3000)) + "; }",
    "long type": "int a[1UL << 62]; struct s { char b[1UL << 62], c[1UL << 62]; };",
    "standard header": "#include <stdio.h>\nint f(void) { return puts(EOF ? __FILE__ : 0); }",
    "level": "#if __INCLUDE_LEVEL__\n#error told apart\n#endif\n",
    "system header": "#pragma GCC system_header\nint f(void) { return g(); }",
    "operator": 'int f(void) { _Pragma("GCC system_header") return g(); }',
    "pasted": "#define P(x) _Pra##gma(#x)\nP(GCC system_header)\nint f(void) { return g(); }",
}


def alone(code: str) -> CompileVerdict:
    (result,) = run_jobs([Job(compiler_proper(COMPILE_FLAGS, CODE), {CODE: code}, COMPILE_LIMITS)])
    assert result is not None
    return verdict_of(result)


def test_the_server_works_here() -> None:
    assert server_failure() is None


def test_hostile_texts_have_the_verdict_and_the_messages_of_a_compiler_of_their_own() -> None:
    found = dict(zip(HOSTILE, compile_many(list(HOSTILE.values())), strict=True))
    for name, code in HOSTILE.items():
        by_itself = alone(code)
        if "at end of input" in by_itself.message:  # the file that includes it has no such line
            by_itself = replace(by_itself, message=found[name].message)
        assert found[name] == by_itself, name


def test_ordinary_texts_too() -> None:
    sources = sorted((ROOT / "examples" / "sources").glob("*.c"))[:24]
    codes = [path.read_text() for path in sources]
    assert compile_many(codes) == [alone(code) for code in codes]


@pytest.mark.parametrize(
    "text",
    [
        b"_Pragma",
        b"a ## b",
        b"%: x",
        b"??=",
        b"a \\ \n b",
        b"__TIME__",
        b'#include "a"',
        b"x" * (LARGEST_TEXT + 1),
    ],
)
def test_what_could_tell_files_apart_is_not_plain(text: bytes) -> None:
    assert not is_plain(text)
    assert is_plain(b"# include <a.h>\nint f(void) { return 0; }")


def test_each_text_has_limits_of_its_own() -> None:
    slow = "int f(void) { return 0; }\n" + "\n".join(
        f"#define M{i} M{i - 1} M{i - 1}" if i else "#define M0 1 +" for i in range(40)
    )
    slow += "\nint g(void) { return M39 1; }"
    limits = Limits(cpu_seconds=1, memory_bytes=400_000_000, output_bytes=1_000)
    loud = "int f(void) { return " + "+".join(f"unknown_{i}" for i in range(200)) + "; }"
    started = time.monotonic()
    good, bad, noisy, last = compile_many(["int a;", slow, loud, "int b;"], limits)
    assert time.monotonic() - started < 30
    assert good.compiles
    assert last.compiles
    assert "limit" in bad.message
    assert not bad.compiles
    assert "limit: output" in noisy.message


def test_what_the_server_does_not_report_is_none() -> None:
    command = compiler_proper(COMPILE_FLAGS, CODE)
    job = server_job(command, [b"int a;", b"int b"], COMPILE_LIMITS)
    assert job is not None
    (result,) = run_jobs([job])
    assert result is not None
    first, second, third = reports(result, COMPILE_LIMITS, 3)
    assert first is not None
    assert first.ok
    assert second is not None
    assert not second.ok
    assert third is None
