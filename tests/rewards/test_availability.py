"""A batch in which every candidate hangs costs what its limits say; the next one works (E10)."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sk2d.rewards.candidates import Candidate, Verdict
from sk2d.rewards.compiling import compile_units
from sk2d.rewards.structure import StructureReward
from sk2d.sandbox import COMPILE_LIMITS, Limits, TestFailure, TestVerdict, run_test

GOLD = "int func1(int var1) { return var1 + 1; }"


@pytest.mark.slow
def test_tests_that_never_end() -> None:
    """E10: 64 endless loops, limit 2 s on the clock, 8 at a time."""
    limits = Limits(cpu_seconds=2, wall_seconds=2, processes=16)

    def run(body: str) -> TestVerdict:
        return run_test(
            f"int f(void) {{ {body} }}",
            "int main(void) { return f() - 3; }",
            declarations="int f(void);",
            func_name="f",
            limits=limits,
        )

    started = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(run, ["for (;;) ;"] * 64))
        took = time.monotonic() - started
        assert {verdict.reason for verdict in found} <= {
            TestFailure.CPU_LIMIT,
            TestFailure.WALL_LIMIT,
        }
        assert all(verdict.passed for verdict in pool.map(run, ["return 3;"] * 8))
    assert took < 2 * 64 / 8 + 10


@pytest.mark.slow
def test_compilers_that_never_end() -> None:
    trees = "#define A a a a a a a a a\n" + "".join(
        f"#define {chr(66 + n)} {' '.join([chr(65 + n)] * 8)}\n" for n in range(12)
    )
    slow = f"{trees}int x = M;"
    workers, count = 2, 8
    started = time.monotonic()
    found = list(compile_units([slow] * count, workers))
    took = time.monotonic() - started
    assert all(verdict is not None and not verdict.compiles for verdict in found)
    assert took < math.ceil(count / workers) * (COMPILE_LIMITS.cpu_seconds + 1) * 2 + 10
    (score,) = StructureReward()([Candidate(GOLD, GOLD)])
    assert score.verdict is Verdict.OK
