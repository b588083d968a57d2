"""The pipeline with the real steps: own functions, records hard to read, released rows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from sk2d.corpus.audit import audit_again
from sk2d.corpus.pipeline import failure, preprocess_rows, run_step
from sk2d.corpus.preprocess.phase0 import phase0_tools
from sk2d.corpus.preprocess.settings import Settings
from sk2d.errors import Reason
from tests.corpus.preprocess.conftest import contents
from tests.imports import ROOT

SOURCE = """
#include "queue.h"
/* Takes the oldest element out. */
int {name}(struct queue *q, item_t *out) {{
    if (q->count == 0 || out == NULL)
        return QUEUE_EMPTY;
    *out = q->items[q->head];
    q->head = (q->head + 1) % q->size;
    q->count--;
    trace("take // {name}", q->count);
    return {result};
}}
"""
PSEUDO = """
__int64 __fastcall sub_{address}(__int64 a1, _DWORD *a2)
{{
  if ( !*(_DWORD *)(a1 + 8) || !a2 )
    return 0xFFFFFFFFLL;
  *a2 = *(_DWORD *)(*(_QWORD *)a1 + 4LL * *(int *)(a1 + 12));
  *(_DWORD *)(a1 + 12) = (*(_DWORD *)(a1 + 12) + 1) % *(_DWORD *)(a1 + 16);
  --*(_DWORD *)(a1 + 8);
  trace("take // {name}", *(unsigned int *)(a1 + 8)); // level {level}
  v{level} = 1;
  return {result}LL;
}}
"""


def own(name: str, result: int, level: int = 0) -> dict[str, str]:
    """One pair of our own."""
    words = {"name": name, "result": result, "level": level, "address": f"11{result}0"}
    return {
        "id": f"{name}:O{level}", "program": "queue", "func_name": name, "opt": f"O{level}",
        "pseudo": PSEUDO.format(**words), "code": SOURCE.format(**words),
    }  # fmt: skip


def test_own_functions(tmp_path):
    pairs = [own("queue_take", 0, level) for level in range(4)]
    (tmp_path / "raw.json").write_text(json.dumps(pairs))
    report = preprocess_rows(
        [tmp_path / "raw.json"], tmp_path / "out", Settings(val_share=0), workers=1
    )
    assert (report["rows_in"], report["rows_out"]) == (4, 4)
    assert report["audit"]["findings"] == report["audit"]["rows_with_problems"] == 0
    row = json.loads((tmp_path / "out" / "rows.jsonl").read_text().splitlines()[0])
    assert row["ir"].startswith("int func1(struct type1 *var1, type2 *var2) {")
    assert 'trace("take // queue_take", var1->field1);' in row["ir"]  # the pseudo-code has it
    assert row["mapping"]["func1"] == "queue_take"
    assert "#include" not in row["code_format"]
    assert "oldest" not in row["ir"] + row["code_format"]
    assert row["compiles"]
    assert list(audit_again(tmp_path / "out", phase0_tools())) == []


BROKEN = [
    ("code", "int f(void) { return 1; }\0", {Reason.NUL_BYTE}),
    ("pseudo", "", {Reason.EMPTY}),
    ("code", "int x;", {Reason.NO_FUNCTION}),
    ("code", "int f(void) { return 1; } int g(void) { return 2; }", {Reason.SEVERAL_FUNCTIONS}),
    ("code", "int f(void) { return 1 +; }", {Reason.SYNTAX_ERROR}),
    (
        "code",
        "int f(int a) { return " + "(" * 10_000 + "a" + ")" * 10_000 + "; }",
        {Reason.TOO_DEEP},
    ),
    ("pseudo", "int f(void) { " + "g(1); " * 200_000 + "}", {Reason.TOO_LARGE}),
    ("code", "\ufeff" + SOURCE.format(name="f", result=3).replace("\n", "\r\n"), None),
    ("code", SOURCE.format(name="f", result=4).replace("take", "na\u00efve \u2192 ok"), None),
]


def test_records_that_are_hard_to_read(tmp_path):
    pairs = [own(f"f{n}", n) | {column: text} for n, (column, text, _) in enumerate(BROKEN)]
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in pairs))
    settings = Settings(near_threshold=1, val_share=0)
    report = preprocess_rows([path], tmp_path / "out", settings, workers=1)
    rejects = [json.loads(line) for line in (tmp_path / "out" / "rejects.jsonl").open()]
    reasons = {reject["line"]: reject["reason"] for reject in rejects}
    for number, (_, _, expected) in enumerate(BROKEN, start=1):
        assert reasons.get(number) in (expected or {None}), number
    assert report["rows_in"] == len(BROKEN)


def test_the_four_steps_alone_make_what_the_whole_makes(tmp_path):
    (tmp_path / "raw.json").write_text(json.dumps([own("queue_take", 0)]))
    source = tmp_path / "raw.json"
    for step in ("normalize", "obfuscate", "format", "infer"):
        run_step(step, [source], tmp_path / f"{step}.json", workers=1)
        source = tmp_path / f"{step}.json"
    preprocess_rows([tmp_path / "raw.json"], tmp_path / "out", workers=1)
    [alone] = json.loads(source.read_text())
    whole = json.loads((tmp_path / "out" / "rows.jsonl").read_text())
    for one, other in (("pseudo_norm",) * 2, ("code_format", "ir"), ("header",) * 2):
        assert alone[one] == whole[other]


@pytest.mark.slow
def test_released_pairs_are_all_accounted_for(released, tmp_path):
    source = released("bringup_pairs.jsonl")
    report = preprocess_rows([source], tmp_path / "one", workers=2)
    assert report["rows_in"] == 1181 == report["rows_out"] + report["rejects"]
    assert failure(report) is None
    assert report["audit"]["findings"] == report["audit"]["rows_with_problems"] == 0
    assert "step_crashed" not in report["reasons"]
    assert report["types"]["failed"] <= 0.05 * report["types"]["reached"]


@pytest.mark.slow
def test_released_pairs_after_a_kill_and_with_another_number_of_workers(released, tmp_path):
    source = released("bringup_pairs.jsonl")
    straight, killed = tmp_path / "straight", tmp_path / "killed"
    preprocess_rows([source], straight, workers=1)
    command = [sys.executable, "cli.py", "preprocess", "--workers=2"]
    command += [f"--input={source}", f"--output={killed}"]
    kills = 0
    for shards in (2, 9, 17):
        process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
        while process.poll() is None and len(list(killed.rglob("[0-9]*.jsonl"))) < shards:
            time.sleep(0.01)
        if process.poll() is None:
            kills += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert kills == 3
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert contents(killed) == contents(straight)
