import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sk2d.commands.main import main
from sk2d.frontends.choosing import available

SOURCE = """
#include <string.h>
__attribute__((noinline)) int twice(int n) { return n * 2 + 4096; }
int count(const char *text) { return twice((int)strlen(text)); }
int main(int argc, char **argv) { return count(argv[0]); }
"""


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    missing = available()["flatline"]
    if missing or shutil.which("gcc") is None:
        pytest.skip(missing or "gcc is not installed")
    path = tmp_path_factory.mktemp("binary") / "program"
    source = path.with_suffix(".c")
    source.write_text(SOURCE)
    subprocess.run(["gcc", "-O1", "-o", str(path), str(source)], check=True)
    return path


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_functions_by_name_as_json(binary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["decompile", str(binary), "--function", "count", "twice", "--json"]
    assert main(words) == 0
    found = {each["name"]: each for each in objects(capsys)}
    assert list(found) == ["count", "twice"]
    keys = {"name", "address", "size", "pseudo", "pseudo_norm", "ir", "code", "verdict", "names"}
    assert set(found["count"]) >= keys | {"warnings"}
    assert found["count"]["verdict"]["compiles"] is True
    assert [name["recovered"] for name in found["count"]["names"]] == ["count", "twice"]
    assert found["twice"]["address"] in [name["address"] for name in found["count"]["names"]]


def test_a_whole_binary_goes_into_a_folder_once(
    binary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["decompile", str(binary), "--all", "--output", str(tmp_path / "out"), "--json"]
    assert main(words) == 0
    first = objects(capsys)
    journal = tmp_path / "out" / "functions.jsonl"
    before = journal.read_bytes()
    journal.write_bytes(before[: before.rfind(b"\n", 0, -1) + 20])  # killed in the last line
    assert main(words) == 0
    assert objects(capsys) == first
    assert journal.read_bytes() == before
    assert "twice" in (tmp_path / "out" / "whole.c").read_text()


def test_text_shows_what_is_asked_for(binary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["decompile", str(binary), "--function", "twice", "--show", "pseudo,code"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "/* twice at 0x" in said
    assert "compiles */" in said
    assert "int4" in said
    assert "int32_t" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--function", "twise", "--function", "0x1"], "twice"),
        ([], "say which functions"),
        (["--all", "--function", "main"], "exclude each other"),
        (["--all", "--show", "idea"], "idea cannot be shown"),
        (["--all", "--show", "ir"], "no IR without --skeleton"),
        (["--all", "--prompt", "skin"], "no model is given"),
        (["--all", "--batch_size", "0"], "at least 1"),
    ],
)
def test_mistakes_are_lines(
    binary: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decompile", str(binary), *words]) == 2
    assert says in capsys.readouterr().err


def test_pseudo_code_takes_the_place_of_a_binary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"name": "f", "pseudo": "undefined4 f(void) { return 0x10; }"}\n')
    assert main(["decompile", str(path), "--frontend", "pseudo", "--all", "--json"]) == 0
    [found] = objects(capsys)
    assert "return 16" in found["code"]
    assert found["verdict"]["compiles"]


def test_200_mb_of_zeros_are_no_binary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "zeros"
    with path.open("wb") as stream:
        stream.truncate(200 << 20)
    assert main(["decompile", str(path), "--all"]) == 2
    said = capsys.readouterr().err
    assert "this is no ELF file" in said
    assert said.count("\n") == 1


@pytest.mark.slow
def test_a_binary_of_200_mb_works(
    binary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "big.c"
    source.write_text(
        "const char table[200u << 20] = {1, 2, 3};\n"
        "int get(unsigned long place) { return table[place]; }\n"
        "int main(int argc, char **argv) { return get((unsigned long)argc); }\n"
    )
    path = tmp_path / "big"
    subprocess.run(["gcc", "-O1", "-fno-inline", "-o", str(path), str(source)], check=True)
    assert path.stat().st_size > 200 << 20
    assert main(["decompile", str(path), "--function", "get", "main", "--json"]) == 0
    found = objects(capsys)
    assert [each["verdict"]["compiles"] for each in found] == [True, True]
    assert "table" in found[0]["code"]
