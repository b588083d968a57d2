"""Rows as they reach the loss, readable without colours."""

import io

import pytest
from rich.console import Console

from sk2d.data.batches import Example
from sk2d.data.preview import preview
from sk2d.data.tokens import build, encode_prompt
from sk2d.prompts import PROMPTS

PROMPT = PROMPTS["skin"].render("int func1();\x1b[31m[bold]")


def printed(tokenizer, answer: str = "int ack();", **settings) -> str:
    ids, _ = build(PROMPT, answer, tokenizer, 500)
    row = Example(3, ids, len(encode_prompt(PROMPT, tokenizer)))
    console = Console(file=io.StringIO(), width=120, **settings)
    console.print(preview([row, row._replace(row=4)], tokenizer, cutoff=2048))
    return console.file.getvalue()


@pytest.mark.parametrize("pad", ["<pad>", "</s>"])
def test_the_supervised_part_stands_between_marks(make_tokenizer, pad):
    tokenizer = make_tokenizer(add_bos=True, pad=pad)
    text = printed(tokenizer)
    ids, labels = build(PROMPT, "int ack();", tokenizer, 500)
    supervised = sum(label != -100 for label in labels)
    assert text.count("# This is the normalized code:") == 2
    assert text.count("# What is the source code?\n⟦int ack();■⟧") == 2
    assert "row 3" in text
    assert "row 4" in text
    counts = f"prompt {len(ids) - supervised} tokens, supervised {supervised}, cutoff 2048"
    assert text.count(counts) == 2


def test_code_is_text_and_not_markup_nor_orders_to_the_terminal(tokenizer):
    text = printed(tokenizer)
    assert "int func1();␛[31m[bold]" in text
    assert "\x1b" not in text


def test_masked_is_dim_and_supervised_bright(tokenizer):
    text = printed(tokenizer, force_terminal=True, color_system="standard")
    assert "\x1b[2m# What is the source code?" in text
    assert "⟦\x1b[1;32mint ack();■\x1b[0m⟧" in text
