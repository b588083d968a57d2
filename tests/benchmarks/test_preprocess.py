"""The benchmark of phase 0 makes rows that are no duplicates, and measures a whole process tree."""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks.preprocess import Memory, growth, peak_of_tree, renamed, tree_bytes
from sk2d.c.tokens import string_literals
from sk2d.corpus.preprocess.identity import sketch_of
from sk2d.corpus.preprocess.layout import meaning

ROW = {
    "id": "a",
    "func_name": "area",
    "pseudo": 'int area(_DWORD *a1) { return printf("area %d", a1[0] * global_scale); }',
    "code": 'int area(struct box *b) { return printf("area %d", b->w * global_scale); }',
}


def test_repeated_rows_have_other_names_and_the_same_literals():
    first, second, third = renamed([ROW], 3)
    assert first == ROW | {"id": "a#0"}
    assert second["code"] == (
        'int area_1(struct box_1 *b_1) { return printf("area %d", b_1->w_1 * global_scale_1); }'
    )
    assert second["pseudo"] == (
        'int area_1(_DWORD *a1) { return printf("area %d", a1[0] * global_scale_1); }'
    )
    assert string_literals(third["code"]) == string_literals(ROW["code"])
    assert len({sketch_of(meaning(row["code"])) for row in (first, second, third)}) == 3


def test_the_peak_counts_children():
    code = "import subprocess,sys,time; subprocess.run([sys.executable, '-c', {!r}])"
    child = "x = bytes(range(256)) * 400_000; import time; time.sleep(0.6); print('done')"
    peak, out, _ = peak_of_tree([sys.executable, "-c", code.format(child)])
    assert out == "done\n"
    assert peak > 100_000_000
    assert tree_bytes(os.getpid()) > 1_000_000


def test_growth_is_bytes_for_each_further_row():
    small, large = Memory(1000, 10_000_000, 1000, 1.0), Memory(2000, 10_500_000, 2000, 2.0)
    assert growth(small, large) == pytest.approx(500)
