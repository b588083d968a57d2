"""Installed decompilers, tested against stand-ins: programs and modules with the same interface."""

import json
import os
import runpy
import stat
import sys
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sk2d.errors import FrontendError
from sk2d.frontends.choosing import available, choose
from sk2d.frontends.elf import load_elf
from sk2d.frontends.external import Angr, Ghidra, Ida
from sk2d.frontends.external.program import SCRIPTS, Program
from sk2d.frontends.records import Target

PROGRAM = """#!{python}
import json, os, re, sys, time
request = json.load(open(next(word for word in {words} if word.endswith("request"))))
with open(request["output"], "a") as out:
    for wanted in request["functions"]:
        out.write(json.dumps({{"begin": wanted["number"]}}) + "\\n"); out.flush()
        if wanted["name"] == "crash": os._exit(9)
        if wanted["name"] == "hang": time.sleep(600)
        text = "int %s(void) {{ return %d; }}" % (wanted["name"], wanted["offset"])
        row = {{"done": wanted["number"], "pseudo": text, "warnings": ["w"]}}
        out.write(json.dumps(row) + "\\n")
        out.flush()
"""
PLAIN, IN_OPTION = "sys.argv", 're.findall(r\'"([^"]+)"\', " ".join(sys.argv))'


def install(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PROGRAM.format(python=sys.executable, words=words))
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


@pytest.fixture(params=["ghidra", "ida", "angr"])
def program(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Program:
    if request.param == "ghidra":
        install(tmp_path / "ghidra" / "support" / "analyzeHeadless", PLAIN)
        monkeypatch.setenv("GHIDRA_INSTALL_DIR", str(tmp_path / "ghidra"))
        return Ghidra(seconds=1)
    if request.param == "ida":
        install(tmp_path / "ida" / "idat", IN_OPTION)
        monkeypatch.setenv("IDA_INSTALL_DIR", str(tmp_path / "ida"))
        return Ida(seconds=1)
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "angr.py").write_text(ANGR)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("SK2D_ANGR_PYTHON", sys.executable)
    return Angr(seconds=1)


ANGR = """
import types, os, time
class Project:
    def __init__(self, binary, auto_load_libs):
        self.loader = types.SimpleNamespace(main_object=types.SimpleNamespace(min_addr=0x400000))
        self.analyses = self
    def CFGFast(self, normalize, data_references):
        class Functions(dict):
            def function(self, name):
                return name
        return types.SimpleNamespace(functions=Functions(), model=None)
    def Decompiler(self, function, cfg):
        if function == "crash": os._exit(9)
        if function == "hang": time.sleep(600)
        if function == "refused": raise KeyError("angr's own")
        return types.SimpleNamespace(codegen=types.SimpleNamespace(text="int %s() {}" % function))
"""


def run(program: Program, binary: Path, names: Sequence[str]) -> list[Any]:
    base = load_elf(binary).base
    targets = [Target(name, base + 16 * n, 4) for n, name in enumerate(names)]
    return list(program.decompile(binary, targets))


def test_functions_come_back_in_order(program: Program, build: Callable[..., Path]) -> None:
    assert program.missing() is None
    found = run(program, build("-O2"), ["a", "b", "c"])
    assert [record.name for record in found] == ["a", "b", "c"]
    assert all(f"int {record.name}(" in record.pseudo for record in found)
    assert {record.dialect for record in found} == {program.name}


def test_a_crash_costs_one_function(program: Program, build: Callable[..., Path]) -> None:
    found = run(program, build("-O2"), ["a", "crash", "c"])
    assert [record.failed for record in found] == [False, True, False]
    assert "crashed on it" in found[1].warnings[0]


def test_a_hang_costs_one_function(
    program: Program, build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sk2d.frontends.external.program.ENDING_S", 0.5)
    started = time.monotonic()
    found = run(program, build("-O2"), ["a", "hang", "c"])
    assert [record.failed for record in found] == [False, True, False]
    assert "no answer within 1 s" in found[1].warnings[0]
    assert time.monotonic() - started < 60


def test_what_is_not_installed_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GHIDRA_INSTALL_DIR", "IDA_INSTALL_DIR", "SK2D_ANGR_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    found = available()
    assert list(found) == ["flatline", "ghidra", "ida", "angr", "pseudo"]
    assert found["pseudo"] is None
    for name in ("ghidra", "ida", "angr"):
        assert "set " in str(found[name])
        with pytest.raises(FrontendError, match="set "):
            list(choose(name).decompile(Path("x"), []))  # type: ignore[arg-type]


def test_a_program_that_only_fails_says_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build: Callable[..., Path]
) -> None:
    path = tmp_path / "ghidra" / "support" / "analyzeHeadless"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\necho 'Java 21 is needed'\nexit 1\n")
    path.chmod(0o755)
    monkeypatch.setenv("GHIDRA_INSTALL_DIR", str(tmp_path / "ghidra"))
    with pytest.raises(FrontendError, match="Java 21 is needed"):
        run(Ghidra(), build("-O2"), ["a"])


def ida_modules(log: list[int]) -> dict[str, Any]:
    class Failure(Exception):
        pass

    def decompile(place: int) -> str:
        log.append(place)
        if place == 0x500:
            raise Failure("stack frame is too big")
        return f"int __fastcall sub_{place:X}() {{ }}"

    places = {"main": 0x1234}
    modules = {
        "ida_auto": {"auto_wait": lambda: None},
        "ida_funcs": {"get_func": lambda p: None if p == 0x600 else p, "add_func": lambda p: False},
        "ida_hexrays": {
            "init_hexrays_plugin": lambda: True,
            "decompile": decompile,
            "DecompilationFailure": Failure,
        },
        "ida_nalt": {"get_imagebase": lambda: 0x400},
        "ida_pro": {"qexit": lambda code: None},
        "idc": {"BADADDR": -1, "get_name_ea_simple": lambda name: places.get(name, -1)},
    }
    return {name: types.SimpleNamespace(**parts) for name, parts in modules.items()}


def test_the_script_for_ida_finds_functions_by_name_and_by_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = [
        {"number": 0, "name": "main", "offset": 0},
        {"number": 1, "name": None, "offset": 0x30},
        {"number": 2, "name": "gone", "offset": 0x100},
        {"number": 3, "name": None, "offset": 0x200},
    ]
    request, output = tmp_path / "request", tmp_path / "out.jsonl"
    request.write_text(json.dumps({"output": str(output), "seconds": 1, "functions": functions}))
    places: list[int] = []
    modules = ida_modules(places)
    modules["idc"].ARGV = ["script", str(request)]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    runpy.run_path(str(SCRIPTS / "ida_script.py"), run_name="__main__")
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    done = [row for row in rows if "done" in row]
    assert [row["begin"] for row in rows if "begin" in row] == [0, 1, 2, 3]
    assert places == [0x1234, 0x430, 0x500]
    assert "sub_1234" in done[0]["pseudo"]
    assert done[2]["warnings"] == ["stack frame is too big"]
    assert done[3]["warnings"] == ["IDA found no function there"]


def test_the_script_for_ghidra_speaks_the_same_protocol() -> None:
    text = (SCRIPTS / "Sk2dDecompile.java").read_text()
    for key in ("output", "seconds", "functions", "number", "name", "offset", "begin", "done"):
        assert f'"{key}"' in text
    assert os.access(SCRIPTS / "angr_script.py", os.R_OK)
