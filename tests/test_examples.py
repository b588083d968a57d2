"""The shipped examples are complete, fresh, tested, and keep their held-back part apart."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sk2d.c import normalize, obfuscate, restore
from sk2d.c.layout import lay_out
from sk2d.c.reference_tests import run_test_against
from sk2d.frontends.flatline import Flatline
from sk2d.sandbox import TestVerdict
from tests.imports import ROOT

EXAMPLES = ROOT / "examples"
PAIR_KEYS = ["id", "program", "opt", "func_name", "dialect", "pseudo", "data", "code", "deps"]
LESSON_KEYS = ["id", "instruction", "input", "output", "system", "program", "func_name"]
MADE_WITH = "12."
"""gcc that made the shipped pseudo-code; another one makes other code of the same source."""


def load_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_examples", EXAMPLES / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = load_build()


def rows(name: str) -> list[dict[str, Any]]:
    text = (EXAMPLES / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


PAIRS = rows("pairs")
TESTED = {row["func_name"]: row for row in PAIRS if "test" in row}


def test_row_files_are_what_sources_tests_and_pseudo_code_give() -> None:
    assert BUILD.stale() == []


def test_check_exits_1_and_names_the_stale_files(tmp_path: Path) -> None:
    (tmp_path / "sk2d").symlink_to(ROOT / "sk2d")
    copy = shutil.copytree(EXAMPLES, tmp_path / "examples")
    file = copy / "sources" / "numbers.c"
    file.write_text(file.read_text().replace("long x = a;", "long x = a + 0;"))
    command = [sys.executable, str(copy / "build.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert (
        "stale: pairs.jsonl, rl_skeleton.jsonl, rl_skin.jsonl, skeleton.jsonl, skin.jsonl;"
        in result.stderr
    )


@pytest.mark.slow
def test_the_pseudo_code_is_that_of_the_sources() -> None:
    missing = Flatline().missing()
    if missing:
        pytest.skip(missing)
    version = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True)
    if not version.stdout.startswith(MADE_WITH):
        pytest.skip(f"the shipped rows were made with gcc {MADE_WITH}x, here is {version.stdout}")
    assert BUILD.pairs() == PAIRS


def test_there_are_enough_functions_and_tests_and_two_levels_of_each() -> None:
    functions = BUILD.places()
    assert len(functions) >= 150
    assert len(TESTED) >= 100
    assert {row["func_name"] for row in PAIRS} == set(functions)
    assert {path.stem for path in (EXAMPLES / "tests").glob("*.c")} == set(TESTED)
    whole = {path.stem for path in (EXAMPLES / "tests" / "whole").glob("*.c")}
    assert whole <= set(functions) - set(TESTED)
    levels = [row["opt"] for row in PAIRS]
    assert levels.count("O0") == len(functions)
    assert levels.count("O2") > 0.95 * len(functions)  # equal pairs are written once


def test_pairs_are_well_formed() -> None:
    assert len({row["id"] for row in PAIRS}) == len(PAIRS)
    for row in PAIRS:
        assert [key for key in row if key != "test"] == PAIR_KEYS
        assert row["id"] == f"examples/{row['func_name']}:{row['opt']}"
        assert row["pseudo"].strip()
        assert row["code"].endswith("}")


def test_half_of_the_functions_have_lost_their_names() -> None:
    for row in PAIRS:
        assert (row["func_name"] in row["pseudo"]) != BUILD.is_stripped(row["func_name"])
    lost = [BUILD.is_stripped(row["func_name"]) for row in PAIRS]
    assert 0.4 < sum(lost) / len(lost) < 0.6


@pytest.mark.parametrize("phase", ["skeleton", "skin"])
def test_lessons_are_bare_and_join_the_pairs(phase: str) -> None:
    lessons = rows(phase) + rows(f"{phase}_unseen")
    assert {row["id"] for row in lessons} == {row["id"] for row in PAIRS}
    for row in lessons:
        assert list(row) == LESSON_KEYS
        assert row["instruction"] == row["system"] == ""
        assert "# This is" not in row["input"] + row["output"]


def test_lessons_are_what_phase_0_makes_of_the_pairs() -> None:
    skeleton = {row["id"]: row for row in rows("skeleton") + rows("skeleton_unseen")}
    skin = {row["id"]: row for row in rows("skin") + rows("skin_unseen")}
    sample = PAIRS[::7]
    made = [normalize(row["pseudo"], "flatline") for row in sample]
    hidden = [obfuscate(row["code"], row["pseudo"]) for row in sample]
    for row, pseudo in zip(sample, lay_out(made), strict=True):
        assert skeleton[row["id"]]["input"] == pseudo
    for row, ir in zip(sample, lay_out([each.ir for each in hidden]), strict=True):
        assert skeleton[row["id"]]["output"] == skin[row["id"]]["input"] == ir
    for row, each in zip(sample, hidden, strict=True):
        assert restore(each.ir, each.mapping).split() == row["code"].split()


def test_held_back_functions_are_nowhere_in_the_training_files() -> None:
    assert set(BUILD.places()) >= BUILD.UNSEEN
    for phase in ("skeleton", "skin"):
        unseen = rows(f"{phase}_unseen")
        assert {row["func_name"] for row in unseen} == BUILD.UNSEEN
        codes = {code for row in unseen for code in (row["input"], row["output"])}
        for row in rows(phase):
            assert row["func_name"] not in BUILD.UNSEEN
            assert not codes & {row["input"], row["output"]}
            words = set(re.findall(r"\w+", row["input"] + row["output"]))
            assert not BUILD.UNSEEN & words


def test_sources_compile_without_a_warning(tmp_path: Path) -> None:
    sources = sorted(str(path) for path in (EXAMPLES / "sources").glob("*.c"))
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-O2", "-c", *sources]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def doing_nothing(name: str, code: str) -> str:
    """Give the function with a body that returns zero."""
    head = code[: code.index("{")]
    result = head[: head.index(name)].strip()
    zero = {"void": "", "box_t": "return (box_t){0};"}.get(result, "return 0;")
    return f"{head}{{ {zero} }}\n"


def verdict(name: str, code: str) -> TestVerdict:
    row = TESTED[name]
    return run_test_against(
        row["deps"] + code, row["test"], reference=row["deps"] + row["code"], func_name=name
    )


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(sorted(TESTED)[::12], id="some"),
        pytest.param(sorted(TESTED), id="all", marks=pytest.mark.slow),
    ],
)
def test_the_tests_pass_on_their_function_and_fail_on_one_that_does_nothing(
    names: list[str],
) -> None:
    for name in names:
        code = TESTED[name]["code"]
        assert verdict(name, code).passed, name
        assert not verdict(name, doing_nothing(name, code)).passed, name
