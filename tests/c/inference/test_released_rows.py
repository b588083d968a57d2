"""How many of the released rows get a header that compiles, and how many warn about types."""

import json
import re

import pytest

from sk2d import sandbox
from sk2d.c.inference import infer
from sk2d.c.normalization import normalize, shim
from sk2d.errors import Reason, SourceError

LOOSE = {"int-conversion", "incompatible-pointer-types"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"[^"]*"', re.MULTILINE)


def ground_truth(row):
    return row["reward_model"]["ground_truth"]


def source(row):
    """Files of the program itself are not at hand, whatever the header says."""
    return INCLUDE.sub("", row["code"])


SETS = {
    # file, text of a row, least share that compiles, most that warns
    "ground truths": ("sk2_rl_examples.jsonl", ground_truth, 0.995, 0.03),
    "sources": ("bringup_pairs.jsonl", source, 0.99, 0.03),
    "predictions": ("bringup_sk2_predictions.jsonl", lambda row: row["predicted_ir"], 0.98, 0.03),
}


def texts_of(path, text):
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [code for code in dict.fromkeys(text(row) for row in rows) if code.strip()]


def judge(codes, **options):
    """Give the shares that compile, and that warn, of the texts that are C."""
    headers, failed = [], 0
    for code in codes:
        try:
            headers.append(infer(code, **options) + code)
        except SourceError as error:
            failed += error.reason is not Reason.SYNTAX_ERROR
    before = shim() if options.get("shim") else ""
    verdicts = sandbox.compile_many([before + text for text in headers])
    compiled = [verdict for verdict in verdicts if verdict.compiles]
    warned = [verdict for verdict in compiled if LOOSE & verdict.warnings.keys()]
    total = len(verdicts) + failed
    return len(compiled) / total, len(warned) / total


@pytest.mark.parametrize("title", SETS)
def test_a_sample_compiles_without_warnings(title, released):
    name, text, _, _ = SETS[title]
    compiles, warns = judge(texts_of(released(name), text)[::12])
    assert compiles >= 0.95
    assert warns <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("title", SETS)
def test_nearly_all_compile_and_few_warn(title, released):
    name, text, least, most = SETS[title]
    compiles, warns = judge(texts_of(released(name), text))
    assert compiles >= least
    assert warns <= most


def pseudo_code(path, step):
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [normalize(row["ghidra_pseudo"], "ghidra") for row in rows[::step]]


def test_normalised_pseudo_code_compiles_behind_the_shim(released):
    compiles, _ = judge(pseudo_code(released("humaneval_decompile.jsonl"), 15), shim=True)
    assert compiles >= 0.9


@pytest.mark.slow
def test_nearly_all_pseudo_code_compiles_behind_the_shim(released):
    compiles, _ = judge(pseudo_code(released("humaneval_decompile.jsonl"), 1), shim=True)
    assert compiles >= 0.95
