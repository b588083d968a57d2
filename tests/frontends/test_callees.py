"""Callers know the parameters and results of what they call, whichever functions are asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sk2d.frontends.flatline import Flatline
from sk2d.frontends.flatline.callees import Callees, declaration
from sk2d.frontends.flatline.job import STEPS
from sk2d.frontends.flatline.pool import Question
from sk2d.frontends.records import Target

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#define APART __attribute__((noinline, noclone))
static APART int scale(int x, int y) { if (x > 5) return y; printf("%d", x); return x * y; }
static APART int hand_on(int x, int y) { return scale(x, y) + 1; }
int forward(int x, int y) { return hand_on(x, y) - 1; }
APART int position(const int *items, int count, int wanted) {
  int place = 0;
  for (; place < count; place++)
    if (items[place] == wanted) break;
  printf("%d", place);
  return place;
}
int doubled(const int *items, int count) { return 2 * position(items, count, 7); }
APART void split(int *left, int *right) { int kept = *left; *left = *right; *right = kept; }
int depth(int *n) {
  if (!n) return 0;
  int r = depth(*(int **)(n + 2));
  printf("%d", r);
  return r ^ *n;
}
int *fresh(void) { int *made = malloc(8); if (!made) abort(); *made = 1; return made; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("callees")
    (folder / "x.c").write_text(SOURCE)
    command = ["gcc", "-O2", "-fPIC", "-shared", "-w", "-o", "x.so", "x.c"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "x.so"


@pytest.fixture(scope="module")
def texts(library: Path, flatline: Flatline) -> dict[str, str]:
    targets = flatline.functions(library)
    return {one.name: one.pseudo for one in flatline.decompile(library, targets)}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("forward", "hand_on(param_1,param_2)"),
        ("hand_on", "scale(param_1,param_2)"),
        ("doubled", "position(param_1,param_2,7)"),
        ("depth", "= depth(*("),
        ("fresh", "abort()"),
    ],
)
def test_calls_have_their_arguments(texts: dict[str, str], name: str, says: str) -> None:
    assert says in texts[name], texts[name]


def test_a_result_that_a_caller_uses_is_returned(texts: dict[str, str]) -> None:
    assert re.match(r"u?int4 position\(", texts["position"])
    assert texts["split"].startswith("void split(")


def test_one_function_alone_has_the_text_that_it_has_among_all(
    library: Path, flatline: Flatline, texts: dict[str, str]
) -> None:
    for target in flatline.functions(library):
        (alone,) = flatline.decompile(library, [target])
        assert alone.pseudo == texts[target.name]


def test_the_step_can_be_switched_off(library: Path, texts: dict[str, str]) -> None:
    with Flatline(steps=[step for step in STEPS if step != "callees"], seconds=30) as frontend:
        target = next(one for one in frontend.functions(library) if one.name == "forward")
        (without,) = frontend.decompile(library, [target])
    assert "hand_on(param_1,param_2)" not in without.pseudo


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (
            "\nint4 f(int8 param_1,char *param_2)\n\n{\n}\n",
            "extern int4 f(int8 param_1,char *param_2);",
        ),
        ("char * f(void)\n\n{\n}\n", "extern char * f(void);"),
        ("/* WARNING */\n\nvoid f(void)\n\n{\n}\n", "extern void f(void);"),
        ("void f(char *p)\n\n{\n  if (in_AL != 0) {}\n}\n", None),
        ("", None),
    ],
)
def test_a_prototype_is_read_off_the_head(code: str, says: str | None) -> None:
    assert declaration({"code": code}) == says


class Engine:
    """Answers from a table, and remembers what it was asked."""

    def __init__(self, calls: dict[int, list[int]], returns: str = "int4") -> None:
        self.calls, self.returns = calls, returns
        self.asked: list[tuple[int, dict[int, str]]] = []

    def __call__(self, questions: Sequence[Question]) -> Iterator[dict[str, Any]]:
        for question in questions:
            at = question.target.address
            self.asked.append((at, dict(question.told)))
            uses = "extraout_EAX" if any("void" in text for text in question.told.values()) else ""
            code = f"{self.returns} f{at}(int4 param_1)\n\n{{\n{uses}\n}}\n"
            yield {"code": code, "calls": self.calls.get(at, [])}


def targets(*addresses: int) -> dict[int, Target]:
    return {at: Target(f"f{at}", at, 1) for at in addresses}


def test_a_function_that_calls_none_is_decompiled_once() -> None:
    engine = Engine({})
    known = targets(1, 2)
    list(Callees(known, {}, engine).decompile(list(known.values())))
    assert engine.asked == [(1, {}), (2, {})]


def test_a_stub_is_told_as_what_it_leads_to() -> None:
    engine = Engine({1: [90]})
    known = targets(1, 2)
    list(Callees(known | {90: known[2]}, {}, engine).decompile([known[1]]))
    assert engine.asked[-1] == (1, {90: "extern int4 f2(int4 param_1);"})


def test_a_callee_that_seems_to_give_nothing_is_not_told_where_its_result_is_used() -> None:
    engine = Engine({1: [2]}, returns="void")
    known = targets(1, 2)
    (answer,) = Callees(known, {}, engine).decompile([known[1]])
    assert engine.asked[-1] == (1, {})
    assert "extraout" not in answer["code"]


def test_circles_of_calls_end() -> None:
    engine = Engine({1: [2], 2: [1]})
    known = targets(1, 2)
    assert len(list(Callees(known, {}, engine).decompile(list(known.values())))) == 2
