"""Sketches estimate how alike two functions are, the same in every process."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.c import similarity
from sk2d.c.similarity import (
    BANDS,
    SHINGLE,
    THRESHOLD,
    VALUES,
    bands,
    estimate,
    jaccard,
    shingles,
    sketch,
)
from tests.imports import ROOT

CODE = """
int sum(const int *a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += a[i];
  return total;
}
"""
hashes = st.frozensets(st.integers(0, 2**64 - 1))


def random_pair(size: int, likeness: float, seed: int) -> tuple[set[int], set[int]]:
    """Two sets of which about the given share is common."""
    draw = random.Random(seed)
    numbers = [draw.getrandbits(64) for _ in range(size)]
    common = round(size * likeness)
    half = common + (size - common) // 2
    return set(numbers[:half]), set(numbers[:common] + numbers[half:])


def test_layout_and_comments_do_not_count() -> None:
    other = CODE.replace(" ", "\n \t").replace("return", "/* the sum */ return // done\n")
    assert shingles(other) == shingles(CODE)


def test_shingles_are_the_runs_of_five_tokens() -> None:
    assert SHINGLE == 5
    assert len(shingles("a b c d e f g")) == 3
    assert len(shingles("a b c d e a b c d e")) == 5
    assert shingles("a b c d e f") - shingles("b c d e f") == shingles("a b c d e")
    assert shingles("a b c d e") != shingles("a b c e d")


@pytest.mark.parametrize("code", ["a", "a b", "a b c d", "a b c d e"])
def test_a_short_text_is_one_shingle(code: str) -> None:
    assert len(shingles(code)) == 1


@pytest.mark.parametrize("code", ["", "  \n", "/* nothing */"])
def test_a_text_without_tokens_is_like_another(code: str) -> None:
    assert shingles(code) == frozenset()
    assert estimate(sketch(shingles(code)), sketch(frozenset())) == 1
    assert jaccard(shingles(code), frozenset()) == 1
    assert estimate(sketch(shingles(code)), sketch(shingles(CODE))) == 0


def test_any_text_has_a_sketch() -> None:
    for code in ("\0", "\ud800", "ol\udce9", "(" * 9999, "a" * 9999):
        assert len(sketch(shingles(code))) == 4 * VALUES


@given(hashes)
def test_a_set_is_like_itself_and_has_its_own_bands(found: frozenset[int]) -> None:
    assert estimate(sketch(found), sketch(set(found))) == jaccard(found, found) == 1
    keys = bands(sketch(found))
    assert len(set(keys)) == len(keys) == BANDS
    assert {len(key) for key in keys} == {8}


@given(hashes, hashes)
def test_likeness_is_symmetric_and_a_share(one: frozenset[int], other: frozenset[int]) -> None:
    assert jaccard(one, other) == jaccard(other, one)
    assert 0 <= jaccard(one, other) <= 1
    assert estimate(sketch(one), sketch(other)) == estimate(sketch(other), sketch(one))


def test_a_bin_holds_no_value_that_means_nothing() -> None:
    full = frozenset([2**64 - 1])
    assert estimate(sketch(full), sketch(frozenset())) == 0


@pytest.mark.parametrize("size", [12, 40, 120, 600])
@pytest.mark.parametrize("likeness", [0.3, 0.6, 0.85, 0.95])
def test_the_estimate_is_unbiased_and_close(size: int, likeness: float) -> None:
    pairs = [random_pair(size, likeness, seed) for seed in range(150)]
    errors = [estimate(sketch(a), sketch(b)) - jaccard(a, b) for a, b in pairs]
    assert abs(statistics.mean(errors)) < 0.02
    assert statistics.pstdev(errors) < 0.075


@pytest.mark.parametrize("size", [40, 120, 600])
def test_near_duplicates_share_a_band_and_others_hardly(size: int) -> None:
    def share(likeness: float) -> float:
        pairs = [random_pair(size, likeness, seed) for seed in range(200)]
        return statistics.mean(bool({*bands(sketch(a))} & {*bands(sketch(b))}) for a, b in pairs)

    assert share(THRESHOLD) > 0.95
    assert share(0.5) < 0.15
    assert share(0.2) < 0.02


def test_a_renamed_variable_leaves_a_long_function_near_and_a_changed_body_does_not() -> None:
    long = CODE + "".join(f"int f{n}(int a) {{ return a * {n} + g(a, {n}); }}\n" for n in range(9))
    renamed = long.replace("f3", "renamed")
    changed = long.replace("return a *", "if (a) b = a; while (a--) b *=")
    assert estimate(sketch(shingles(long)), sketch(shingles(renamed))) > THRESHOLD
    assert estimate(sketch(shingles(long)), sketch(shingles(changed))) < THRESHOLD


def test_every_process_gives_the_same_values() -> None:
    program = (
        "from sk2d.c.similarity import *; s = sketch(shingles('int f(int a) { return a + 1; }'));"
        "print(s.hex(), b''.join(bands(s)).hex())"
    )
    outputs = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", program]
        outputs.add(
            subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        )
    assert len(outputs) == 1


def test_the_values_never_change() -> None:
    """An index that was written by another version must still be right: pinned."""
    written = sketch(shingles("int f(int a) { return a + 1; }"))
    assert bands(written)[0].hex() == "b0a86da96feaaee4"


def test_sketches_of_another_size_are_a_mistake() -> None:
    with pytest.raises(AssertionError):
        estimate(b"short", b"short")
    with pytest.raises(AssertionError):
        similarity.bands(b"short")
