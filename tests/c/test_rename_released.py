"""Obfuscation over all the released rows: exact ways back, fixed points, no name left over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sk2d import prompts
from sk2d.c import libc
from sk2d.c.naming.words import RESERVED
from sk2d.c.rename import obfuscate, restore
from sk2d.c.tokens import clean_source, significant, tokenize
from sk2d.errors import Reason, SourceError
from tests.c.test_rename import PLACEHOLDER, attribute_words, labels

Released = Callable[[str], Path]


def sources(released: Released) -> Iterator[tuple[str, str | None]]:
    """Every C source in the released rows, and its pseudo-code where it has one."""

    def rows(name: str) -> list[dict[str, str]]:
        return [json.loads(line) for line in released(name).read_text("utf-8").splitlines()]

    for row in rows("bringup_pairs.jsonl"):
        yield row["code"], row["pseudo"]
    for row in rows("bringup_sk2_predictions.jsonl"):
        yield row["predicted_ir"], row["pseudo_norm"]
        yield row["predicted_code"], row["pseudo_norm"]
    for row in rows("humaneval_decompile.jsonl"):
        yield from ((text, None) for text in row.values() if is_code(text))
    for row in rows("r2i_cases.jsonl"):
        yield from ((text, None) for text in row.values() if is_code(text))
    for name in ("sk2_pseudo2norm_examples.jsonl", "sk2_norm2code_examples.jsonl"):
        yield from ((row["output"], row["input"]) for row in rows(name))
    yield from ground_truths(released)


REJECTED = (Reason.SYNTAX_ERROR, Reason.NO_FUNCTION, Reason.SEVERAL_FUNCTIONS)


def is_code(text: object) -> bool:
    return isinstance(text, str) and "{" in text


def ground_truths(released: Released) -> list[tuple[str, str]]:
    rows = map(json.loads, released("sk2_rl_examples.jsonl").read_text("utf-8").splitlines())
    return [
        (row["reward_model"]["ground_truth"], prompts.unwrap(row["prompt"][0]["content"]))
        for row in rows
    ]


def test_released_ground_truths_are_fixed_points(released: Released) -> None:
    changed = [
        number
        for number, (truth, pseudo) in enumerate(ground_truths(released))
        if obfuscate(truth, pseudo).ir != truth
    ]
    assert changed == []


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_released_sources_come_back_token_for_token(released: Released, step: int) -> None:
    seen: set[str] = set()
    done = 0
    for code, pseudo in list(sources(released))[::step]:
        if code in seen:
            continue
        seen.add(code)
        try:
            ir, mapping = obfuscate(code, pseudo)
        except SourceError as error:
            if error.reason not in REJECTED:
                raise
            continue
        done += 1
        restored = restore(ir, mapping)
        assert significant(restored) == significant(code)
        if "/*" not in code and "//" not in code:
            assert restored == clean_source(code)
        assert obfuscate(ir, pseudo).ir == ir
        assert not unexplained(ir, pseudo or ""), code
    assert done > 1500 / step


def unexplained(ir: str, pseudo: str) -> set[str]:
    """Names of an IR that no rule keeps, judged without the names' kinds."""
    names = {token.text for token in tokenize(ir) if token.kind == "name"} - RESERVED
    survived = {token.text for token in tokenize(pseudo) if token.kind == "name"}
    fields = {name for name in names if libc.is_member(name)}
    return {
        name
        for name in names - survived - labels(ir) - fields - attribute_words(ir)
        if not PLACEHOLDER.fullmatch(name)
        and libc.kind_of(name) is None
        and not name.startswith("__")
    }


def test_most_sources_that_the_tree_calls_wrong_are_read(released: Released) -> None:
    lines = released("bringup_pairs.jsonl").read_text("utf-8").splitlines()
    failed = 0
    codes = {json.loads(line)["code"] for line in lines}
    for code in codes:
        try:
            obfuscate(code)
        except SourceError:
            failed += 1
    assert failed <= 2
    assert len(codes) > 300
