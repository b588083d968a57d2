"""The shipped examples are complete, fresh, well-formed, and keep their held-back part apart."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PAIR_KEYS = ["id", "program", "opt", "func_name", "pseudo", "code", "ir"]
LESSON_KEYS = ["id", "func_name", "instruction", "input", "output", "system"]
LESSONS = ("skeleton", "skin", "skeleton_unseen", "skin_unseen")
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\b0[xX][0-9a-fA-F]+\w*|\d\w*|\w+|\S')
PLACEHOLDER = re.compile(r"(func|type|var|field)([1-9]\d*)")
KEYWORDS = {
    "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "if", "int", "long", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "while",
}  # fmt: skip
STANDARD = {
    "INT32_MAX", "INT32_MIN", "NULL", "bool", "exit", "false", "fprintf", "free", "int16_t",
    "int32_t", "int64_t", "isspace", "malloc", "printf", "size_t", "stderr", "strchr", "strcmp",
    "strlen", "strtol", "true", "uint16_t", "uint32_t", "uint64_t", "uint8_t",
}  # fmt: skip


def load_build_rows() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_rows", EXAMPLES / "build_rows.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = load_build_rows()
NAMES = BUILD.names()


def rows(name: str) -> list[dict[str, str]]:
    text = (EXAMPLES / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def tokens(code: str) -> list[str]:
    return TOKEN.findall(code)


def identifiers(code: str) -> list[str]:
    return [token for token in tokens(code) if token[0].isalpha() or token[0] == "_"]


def unexplained(ir: str, pseudo: str) -> set[str]:
    """The identifiers of an IR that no rule of the obfuscation keeps."""
    kept = KEYWORDS | STANDARD | set(identifiers(pseudo))
    return {
        word for word in identifiers(ir) if word not in kept and not PLACEHOLDER.fullmatch(word)
    }


def test_row_files_are_fresh() -> None:
    assert BUILD.stale() == []


def test_check_exits_1_and_names_the_stale_file(tmp_path: Path) -> None:
    copy = shutil.copytree(EXAMPLES, tmp_path / "examples")
    with (copy / "ir" / "gcd.c").open("a") as stream:
        stream.write("int var9;\n")
    command = [sys.executable, str(copy / "build_rows.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "pairs.jsonl, skeleton.jsonl, skin.jsonl" in result.stderr
    assert "unseen" not in result.stderr


def test_every_function_has_all_of_its_files() -> None:
    assert len(NAMES) >= 45
    assert {path.stem for path in (EXAMPLES / "ir").iterdir()} == set(NAMES)
    wanted = {f"{name}.{level}.c" for name in NAMES for level in BUILD.LEVELS}
    assert {path.name for path in (EXAMPLES / "pseudo").iterdir()} == wanted


def test_pairs_are_well_formed() -> None:
    pairs = rows("pairs")
    assert len({row["id"] for row in pairs}) == len(pairs) == len(NAMES) * len(BUILD.LEVELS)
    for row in pairs:
        assert list(row) == PAIR_KEYS
        assert row["id"] == f"examples/{row['func_name']}:{row['opt']}"
        assert all(value == value.strip("\n") != "" for value in row.values())


@pytest.mark.parametrize("name", LESSONS)
def test_lessons_are_well_formed_and_bare(name: str) -> None:
    lessons = rows(name)
    assert len({row["id"] for row in lessons}) == len(lessons) > 0
    for row in lessons:
        assert list(row) == LESSON_KEYS
        assert row["instruction"] == row["system"] == ""
        for code in (row["input"], row["output"]):
            assert code.endswith("}")
            assert "# This is" not in code


def test_skin_rows_join_the_skeleton_rows() -> None:
    for suffix in ("", "_unseen"):
        answers = {row["id"]: row["output"] for row in rows(f"skeleton{suffix}")}
        for row in rows(f"skin{suffix}"):
            assert answers[row["id"]] == row["input"]


def test_held_back_functions_are_nowhere_in_the_training_files() -> None:
    held_back = set(BUILD.UNSEEN)
    assert held_back <= set(NAMES)
    assert {row["func_name"] for row in rows("skeleton_unseen")} == held_back
    assert {row["func_name"] for row in rows("skin_unseen")} == held_back
    unseen = rows("skeleton_unseen") + rows("skin_unseen")
    codes = {code for row in unseen for code in (row["input"], row["output"])}
    for row in rows("skeleton") + rows("skin"):
        assert row["func_name"] not in held_back
        assert not codes & {row["input"], row["output"]}
        assert not held_back & set(identifiers(row["input"] + row["output"]))


@pytest.mark.parametrize("name", NAMES)
def test_ir_keeps_no_name_without_a_rule(name: str) -> None:
    for level in BUILD.LEVELS:
        assert unexplained(BUILD.ir(name), BUILD.pseudo(name, level)) == set()


def test_a_leaked_name_would_be_seen() -> None:
    assert unexplained("int func1(int var1) { return total; }", "int f(int a1)") == {"total"}


@pytest.mark.parametrize("name", NAMES)
def test_placeholders_are_numbered_by_first_appearance(name: str) -> None:
    found: dict[str, list[int]] = {}
    for word in identifiers(BUILD.ir(name)):
        match = PLACEHOLDER.fullmatch(word)
        if match:
            numbers = found.setdefault(match[1], [])
            numbers += [int(match[2])] if int(match[2]) not in numbers else []
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in found.values())


@pytest.mark.parametrize("name", NAMES)
def test_ir_is_the_source_with_other_names(name: str) -> None:
    source, ir = tokens(BUILD.definition(name)), tokens(BUILD.ir(name))
    assert len(source) == len(ir)
    renamed: dict[tuple[str, str], str] = {}
    for old, new in zip(source, ir, strict=True):
        if old != new:
            assert PLACEHOLDER.fullmatch(new)
            kind = PLACEHOLDER.sub(r"\1", new)
            assert renamed.setdefault((kind, old), new) == new
    assert len(set(renamed.values())) == len(renamed)


@pytest.mark.parametrize("name", NAMES)
def test_definition_is_the_named_function(name: str) -> None:
    first = BUILD.definition(name).splitlines()[0]
    assert re.search(rf"\b{name}\(", first)
    assert not first.startswith((" ", "#", "struct {"))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_sources_compile_without_a_warning(tmp_path: Path) -> None:
    sources = sorted(str(path) for path in (EXAMPLES / "functions").glob("*.c"))
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-c", *sources]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_all_code_is_formatted() -> None:
    clang_format = shutil.which("clang-format", path=str(Path(sys.executable).parent))
    if clang_format is None:
        pytest.skip("needs the clang-format of this environment")
    sources = sorted(str(path) for path in EXAMPLES.glob("*/*.c"))
    command = [clang_format, f"--style={BUILD.STYLE}", "--dry-run", "-Werror", *sources]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
