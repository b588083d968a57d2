"""The benchmark of normalisation counts what it says, on rows of its own."""

import json

import pytest

from benchmarks.normalize_rate import judge, main
from sk2d.c.tokens import significant

PSEUDO = "__int64 __fastcall f(_QWORD *a1)\n{\n  return *a1 + 0xFFLL; // rax\n}"
PAIRS = [
    {"id": "same", "pseudo": PSEUDO,
     "upstream_pseudo_norm": "long long f(uint64_t *a1) { return *a1 + 255LL; }"},
    {"id": "other", "pseudo": PSEUDO, "upstream_pseudo_norm": "int f(uint64_t *a1);"},
    {"id": "no C", "pseudo": "int (", "upstream_pseudo_norm": None},
    {"id": "refused", "pseudo": "int f@ x;", "upstream_pseudo_norm": None},
]  # fmt: skip
CODE = "int twice(int n) { return 2 * n; }"
TEST = "#include <assert.h>\nint main(void) { assert(twice(4) == 8); return 0; }"
RIGHT = "uint twice(uint param_1) { return CONCAT31(0,(byte)param_1) * 2; }"
UNKNOWN = "undefined4 twice(int param_1) { DAT_00102010 = param_1; return param_1 + DAT_00102010; }"
WRONG = "undefined4 twice(int param_1) { return param_1; }"
TESTED = [
    {"id": name, "func_name": "twice", "code": CODE, "test": TEST, "ghidra_pseudo": pseudo}
    for name, pseudo in (("right", RIGHT), ("unknown", UNKNOWN), ("wrong", WRONG))
]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_texts_and_parity_are_counted(tmp_path):
    texts, parity = judge(write(tmp_path / "pairs.jsonl", PAIRS), 1, runs=True)
    assert (texts.rows, texts.parsed, texts.literals, texts.stable) == (4, 2, 3, 3)
    assert list(texts.refused) == ["refused"]
    assert list(texts.unparsed) == ["no C"]
    assert not texts.holds
    assert (parity.rows, parity.equal, parity.identical) == (2, 1, 0)
    assert parity.different == {"other": ("long", "int")}
    assert significant(PAIRS[0]["upstream_pseudo_norm"])[0] == "long"


def test_compile_and_pass_rate_are_counted(tmp_path):
    _, runs = judge(write(tmp_path / "tested.jsonl", TESTED), 1, runs=True)
    assert (runs.rows, runs.raw_compiled, runs.raw_passed) == (3, 2, 1)
    assert (runs.compiled, runs.passed) == (3, 1)
    assert not runs.failures
    assert not runs.worse
    assert runs.holds


def test_the_command_prints_a_table_and_writes_figures(tmp_path, capsys):
    rows = str(write(tmp_path / "pairs.jsonl", PAIRS))
    out = tmp_path / "out.json"
    assert main(["--rows", rows, "--json", str(out)]) == 0
    assert main(["--rows", rows, "--check"]) == 1
    assert "upstream's tokens" in capsys.readouterr().out.replace("\n", " ")
    assert [figure["kind"] for figure in json.loads(out.read_text())] == ["Texts", "Parity"]


def test_rows_without_pseudo_code_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no column"):
        judge(write(tmp_path / "x.jsonl", [{"text": "x"}]), 1, runs=False)
