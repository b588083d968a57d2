"""Ghidra's engine on small programs: names, prototypes, data, and what it does when it fails."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sk2d.c import normalize
from sk2d.decompile.preparing import prepared
from sk2d.decompile.verdicts import judge
from sk2d.errors import FrontendError
from sk2d.frontends.flatline import Flatline
from sk2d.frontends.records import PseudoFunction, Target, nearest

Build = Callable[..., Path]


def decompiled(flatline: Flatline, path: Path, *wanted: str) -> dict[str, PseudoFunction]:
    targets = [t for t in flatline.functions(path) if t.name in wanted]
    return {record.name: record for record in flatline.decompile(path, targets)}


@pytest.mark.parametrize(
    "flags",
    [("-O0",), ("-O2",), ("-O3", "-no-pie"), ("-O1", "-c"), ("-O2", "-static")],
    ids=" ".join,
)
def test_functions_come_with_names_calls_and_strings(
    flatline: Flatline, build: Build, flags: tuple[str, ...]
) -> None:
    found = decompiled(flatline, build(*flags), "twice", "word", "longest", "main")
    assert len(found) == 4
    assert not any(record.failed for record in found.values())
    assert "strlen(" in found["longest"].pseudo
    assert "counter" in found["longest"].pseudo
    assert '"no word for %d' in found["word"].pseudo
    assert "exit(3)" in normalize(found["word"].pseudo, "flatline")
    assert found["twice"].dialect == "flatline"


def test_each_function_compiles_with_its_data(flatline: Flatline, build: Build) -> None:
    found = decompiled(flatline, build("-O2"), "twice", "word", "longest", "main")
    functions = judge(prepared(list(found.values())))
    assert {f.name: f.verdict.message for f in functions if not f.verdict.compiles} == {}
    word = next(function for function in functions if function.name == "word")
    assert '"zero", "one", "two"' in word.definitions


@pytest.mark.parametrize("compiler", ["i686-linux-gnu-gcc", "aarch64-linux-gnu-gcc"])
def test_other_processors(flatline: Flatline, build: Build, compiler: str) -> None:
    found = decompiled(flatline, build("-O2", compiler=compiler), "twice", "longest")
    assert "strlen(" in found["longest"].pseudo
    assert "* 2" in found["twice"].pseudo or "<< 1" in found["twice"].pseudo


def test_strings_of_32_bit_code_are_found_through_the_program_counter(
    flatline: Flatline, build: Build
) -> None:
    path = build("-O2", "-fPIE", "-pie", compiler="i686-linux-gnu-gcc")
    main = decompiled(flatline, path, "main")["main"]
    assert '"%s %d %zu' in main.pseudo
    assert "get_pc_thunk" not in main.pseudo.partition("{")[2]


def test_a20_calls_of_an_object_file_go_through_its_relocations(
    flatline: Flatline, build: Build
) -> None:
    main = decompiled(flatline, build("-O1", "-c"), "main")["main"]
    for called in ("word(", "twice(", "longest(", "printf("):
        assert called in main.pseudo


def test_addresses_of_callees_are_told(flatline: Flatline, build: Build) -> None:
    path = build("-O2")
    at = {target.name: target.address for target in flatline.functions(path)}
    main = decompiled(flatline, path, "main")["main"]
    assert {at["twice"], at["word"], at["longest"]} <= set(main.calls)


def test_a_place_without_code_costs_one_function(flatline: Flatline, build: Build) -> None:
    path = build("-O2")
    good = next(t for t in flatline.functions(path) if t.name == "twice")
    bad = Target("nowhere", 0x7FFF0000, 16)
    found = list(flatline.decompile(path, [bad, good, bad]))
    assert [record.failed for record in found] == [True, False, True]
    assert found[0].warnings


def test_a_function_that_takes_too_long_costs_only_itself(build: Build, flatline: Flatline) -> None:
    path = build("-O2")
    targets = [t for t in flatline.functions(path) if t.name in ("twice", "longest")]
    with Flatline(seconds=0.0001) as hasty:
        found = list(hasty.decompile(path, targets))
    assert all(record.failed for record in found)
    assert all("0.0001" in record.warnings[0] or "s" in record.warnings[0] for record in found)


def test_without_a_step_what_it_restores_is_missing(flatline: Flatline, build: Build) -> None:
    path = build("-O2")
    with Flatline(steps=()) as bare:
        pseudo = decompiled(bare, path, "longest")["longest"].pseudo
    assert "strlen(" not in pseudo
    assert "strlen(" in decompiled(flatline, path, "longest")["longest"].pseudo


def test_without_the_side_environment_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, build: Build
) -> None:
    monkeypatch.setenv("SK2D_DECOMPILER", str(tmp_path / "none"))
    frontend = Flatline()
    assert "make decompiler" in str(frontend.missing())
    with pytest.raises(FrontendError, match="make decompiler"):
        list(frontend.decompile(build("-O2"), []))


def test_a_near_name_is_offered() -> None:
    assert "twice" in str(nearest("twise", [Target("twice", 1, 2)]))
    assert nearest("xyz", [Target("twice", 1, 2)]) is None
