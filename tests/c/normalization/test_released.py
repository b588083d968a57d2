"""The floors of normalisation on the released rows: every tenth row, and all of them if slow."""

from __future__ import annotations

import json

import pytest

from benchmarks.normalize_rate import main

FILES = ("bringup_pairs.jsonl", "humaneval_decompile.jsonl")


def check(released, tmp_path, *options: str) -> list[dict]:
    rows = [str(released(name)) for name in FILES]
    out = tmp_path / "out.json"
    code = main(["--rows", *rows, "--check", "--json", str(out), *options])
    figures = json.loads(out.read_text())
    assert code == 0, figures
    return figures


def test_parse_rate_literals_and_parity_on_every_tenth_row(released, tmp_path):
    figures = check(released, tmp_path, "--every", "10", "--no-runs")
    parity = next(figure for figure in figures if figure["kind"] == "Parity")
    assert parity["equal"] == parity["rows"] > 80


def test_compile_and_pass_rate_on_some_rows(released, tmp_path):
    figures = check(released, tmp_path, "--every", "23")
    runs = next(figure for figure in figures if figure["kind"] == "Runs")
    assert runs["worse"] == {}
    assert runs["passed"] > 0


@pytest.mark.slow
def test_all_rows(released, tmp_path):
    figures = check(released, tmp_path)
    texts = [figure for figure in figures if figure["kind"] == "Texts"]
    assert all(figure["parsed"] > figure["raw_parsed"] for figure in texts)
