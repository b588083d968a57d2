"""The systems that stand in every table."""

from __future__ import annotations

from sk2d.evaluation.sets import load_set
from sk2d.evaluation.systems import EXIT, REFERENCE, STUB, Kind, checks, stored
from tests.evaluation.conftest import ROWS, Folder


def test_checks_are_references_stubs_and_exits(folder: Folder) -> None:
    functions = load_set(folder.rows("s.jsonl", ROWS))
    reference, nothing, leaves = checks(functions)
    assert [reference.name, nothing.name, leaves.name] == [REFERENCE, STUB, EXIT]
    assert reference.answers["twice/O0"].code == ROWS[0]["code"]
    assert nothing.answers["reset/O3"].code == "void reset(char *text) { }"
    assert "exit(0)" in leaves.answers["twice/O0"].code


def test_what_stands_before_a_reference_is_no_part_of_its_text(folder: Folder) -> None:
    row = ROWS[0] | {"deps": "#define TWO 2", "code": "int twice(int a) { return a * TWO; }"}
    (reference, *_) = checks(load_set(folder.rows("s.jsonl", [row])))
    answer = reference.answers["twice/O0"]
    assert (answer.before, answer.code) == ("#define TWO 2\n", row["code"])


def test_stored_pseudo_code_is_normalised_and_failures_have_reasons(folder: Folder) -> None:
    damaged = ROWS[0] | {"id": "damaged", "ghidra_pseudo": "int twice(int a) { \0 }"}
    (system,) = stored(load_set(folder.rows("s.jsonl", [*ROWS, damaged])))
    assert (system.name, system.kind) == ("ghidra (stored)", Kind.NO_MODEL)
    assert system.answers["twice/O0"].pseudo
    assert set(system.failures) == {"damaged"}
    assert "reset/O3" not in system.answers


def test_normalised_pseudo_code_stands_for_the_raw_one(folder: Folder) -> None:
    text = {"pseudo": "int f() { return 0x10; }", "pseudo_norm": "int f() { return 16; }"}
    row = {"id": "f", "func_name": "f", "code": "int f(void) { return 16; }"}
    names = [each.name for each in stored(load_set(folder.rows("a.jsonl", [row | text])))]
    assert names == ["pseudo_norm (stored)"]
    only = stored(load_set(folder.rows("b.jsonl", [row | {"pseudo": text["pseudo"]}])))
    assert [each.name for each in only] == ["pseudo (stored)"]
