"""The programs that property tests are fed with compile, and hold what they promise."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sk2d.c.parse import parse, syntax_error
from tests.c.c_programs import HARD, Program, expression_program, expressions, functions, programs

COMPILE = ["gcc", "-fsyntax-only", "-std=gnu11", "-w", "-Werror=implicit-function-declaration"]


def sample(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """The same examples in every run."""
    found: list[Any] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


def wrong(codes: list[str], folder: Path) -> str:
    """What gcc says of texts that are not valid C."""
    for number, code in enumerate(codes):
        (folder / f"{number}.c").write_text(code)
    command = [*COMPILE, *(f"{number}.c" for number in range(len(codes)))]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("count", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_programs_compile(count: int, tmp_path: Path) -> None:
    written: list[Program] = sample(programs(), count)
    assert wrong([p.code for p in written], tmp_path) == ""
    assert all(p.name in p.function for p in written)


@pytest.mark.parametrize("count", [25, pytest.param(400, marks=pytest.mark.slow)])
def test_expressions_compile(count: int, tmp_path: Path) -> None:
    assert wrong([expression_program(e) for e in sample(expressions(), count)], tmp_path) == ""


def test_the_check_sees_a_program_that_does_not_compile(tmp_path: Path) -> None:
    assert "undeclared" in wrong(["int f(void) { return nothing; }"], tmp_path)


@given(functions())
@settings(max_examples=60, deadline=None)
def test_without_the_hard_features_the_grammar_knows_every_program(code: str) -> None:
    assert syntax_error(parse(code)) is None


def test_every_hard_feature_is_written_sometimes() -> None:
    codes = [p.code for p in sample(programs(), 300)]
    marks = {
        "case_range": "310", "knr_pointer": ";\n{", "trailing_attribute": "((unused)) =",
        "typeof": "__typeof__", "va_arg": "va_arg",
    }  # fmt: skip
    assert set(marks) == HARD
    for feature, mark in marks.items():
        assert any(mark in code.replace("; {", ";\n{") for code in codes), feature
