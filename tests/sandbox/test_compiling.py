import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sk2d import sandbox
from sk2d.errors import JailError
from sk2d.sandbox import COMPILE_FLAGS, Limits, compile_c, compile_many
from sk2d.sandbox.compiling import count_warnings

GOOD = '#include <stdio.h>\nint f(int a) { return a + puts("x"); }\n'
TIGHT = Limits(cpu_seconds=1, memory_bytes=400_000_000, processes=8, output_bytes=1_000_000)


def test_a_good_text_compiles_without_a_word() -> None:
    verdict = compile_c(GOOD)
    assert (verdict.compiles, verdict.reason, verdict.message) == (True, None, "")
    assert verdict.warnings == {}


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("int f(void) { return g(); }", "implicit declaration"),
        ("f(void) { return 1; }", "return type defaults"),
        ("int f(void) { return 1", "expected"),
        ('#include "/etc/passwd"\n', "No such file"),
        ('#include "/proc/1/environ"\n', "/proc/1/environ"),
        ('#include "code.c"\n#include "code.c"\n', "nested"),
        ("\ud800", "error"),
        ("#error \x1b[2J wiped\n", r"\x1b[2J"),
    ],
)
def test_a_bad_text_is_refused_and_the_message_says_why(code: str, says: str) -> None:
    verdict = compile_c(code)
    assert (verdict.compiles, verdict.reason) == (False, "not_compiling")
    assert len(verdict.message) <= 4_000
    assert "root:" not in verdict.message
    if says != "nested":
        assert says in verdict.message


@pytest.mark.parametrize(
    ("code", "compiles"),
    [("int a;\0", True), ('char *s = "\udce9";', True), ("int a;\r\nint b;\r\n", True), ("", True)],
)
def test_odd_bytes_reach_the_compiler_as_they_are(code: str, compiles: bool) -> None:
    assert compile_c(code).compiles is compiles


def test_warnings_are_counted_by_kind() -> None:
    code = "char *f(int a, long *p) { int *q = p; q = p; return a; }"
    verdict = compile_c(code)
    assert verdict.compiles
    assert verdict.warnings == {"incompatible-pointer-types": 2, "int-conversion": 1}
    messages = b"x: warning: y [-Wformat=]\nx: note: [-Wz]\nx: error: [-Werror=a]\n"
    assert count_warnings(messages) == {"format=": 1}


HOSTILE = {
    "macro tree": "#define A0 x x x x x x x x x x\n"
    + "".join(f"#define A{i + 1} {f'A{i} ' * 10}\n" for i in range(9))
    + "A9\n",
    "large array": "char a[1 << 30] = {[(1 << 30) - 1] = 1};\nint b[] = {[1 << 28] = 1};",
    "deep nesting": "int a = " + "(" * 200_000 + "1" + ")" * 200_000 + ";",
    "file in a loop": '#define F "code.c"\n#if __INCLUDE_LEVEL__ < 190\n'
    + "#include F\n" * 30
    + "#endif\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_text_that_blows_up_costs_only_itself(name: str) -> None:
    good, bad, also_good = compile_many([GOOD, HOSTILE[name], GOOD], TIGHT)
    assert good.compiles
    assert also_good.compiles
    if name == "large array":  # gcc takes it, with -fsyntax-only
        return
    assert not bad.compiles
    assert bad.reason in ("compile_timeout", "not_compiling")


def test_the_limit_that_a_text_reached_is_named() -> None:
    cpu = compile_c(HOSTILE["macro tree"], TIGHT)
    assert cpu.reason == "compile_timeout"
    assert cpu.message.startswith("the compiler reached its limit of")
    memory = compile_c(GOOD, Limits(memory_bytes=30_000_000))
    assert memory.reason == "compile_timeout"
    flood = compile_c("#warning flood\n" * 2_000, Limits(output_bytes=10_000))
    assert (flood.reason, "output" in flood.message) == ("compile_timeout", True)


def test_many_at_once_from_several_threads() -> None:
    codes = [GOOD if n % 2 else f"int f{n}(void) {{ return g(); }}" for n in range(12)]
    with ThreadPoolExecutor(3) as pool:
        lists = list(pool.map(compile_many, [codes] * 3))
    assert [[v.compiles for v in verdicts] for verdicts in lists] == [[False, True] * 6] * 3


def test_no_texts_no_verdicts() -> None:
    assert compile_many([]) == []


def by_the_driver(code: str, folder: Path) -> bool:
    (folder / "code.c").write_bytes(code.encode("utf-8", "surrogateescape"))
    command = ["gcc", *COMPILE_FLAGS, "code.c"]
    return subprocess.run(command, cwd=folder, capture_output=True).returncode == 0


def same_verdicts(codes: list[str], folder: Path) -> int:
    verdicts = compile_many(codes)
    assert [v.compiles for v in verdicts] == [by_the_driver(code, folder) for code in codes]
    return sum(v.compiles for v in verdicts)


def texts(rows: list[dict[str, str]]) -> list[str]:
    """Take good texts and bad ones: functions with their includes, and bare decompiler output."""
    return [row["code"] for row in rows] + [row["ghidra_pseudo"] for row in rows]


@pytest.mark.parametrize(
    "every", [pytest.param(40), pytest.param(3, marks=pytest.mark.slow)], ids=["some", "200"]
)
def test_the_compiler_proper_judges_as_its_driver(
    every: int, released: Callable[[str], Path], tmp_path: Path
) -> None:
    lines = released("humaneval_decompile.jsonl").read_text().splitlines()[::every]
    codes = texts([json.loads(line) for line in lines])
    assert 0 < same_verdicts(codes, tmp_path) < len(codes)


@pytest.mark.slow
def test_e10_texts_that_hang_cost_their_limits_and_no_more() -> None:
    before = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(lambda _: compile_c(HOSTILE["macro tree"], TIGHT), range(8)))
    assert {v.reason for v in verdicts} == {"compile_timeout"}
    assert time.monotonic() - before < 60
    assert compile_c(GOOD).compiles


def test_a_jail_that_fails_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.toolchain, "SYSTEM_PATHS", ("/no-such-path",))
    sandbox.toolchain.readable_paths.cache_clear()
    try:
        with pytest.raises(JailError):
            compile_c(GOOD)
    finally:
        monkeypatch.undo()
        sandbox.toolchain.readable_paths.cache_clear()
