"""Prompt and target as ids: masked, joined, ended once, and the same everywhere."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.data.tokens import (
    IGNORED,
    build,
    encode_prompt,
    encode_prompts,
    encode_target,
    end_id,
    join,
    pad_id,
    prefix_ids,
    tokenizer_hash,
)
from sk2d.errors import ModelError
from sk2d.prompts import PROMPTS

PROMPT = PROMPTS["skeleton"].render("int func1(int var1);")
ADDS_BOS = pytest.mark.parametrize("add_bos", [True, False])


@pytest.mark.parametrize("pad", ["<pad>", "</s>", None])
def test_b7_pad_equals_eos_keeps_one_end_label(make_tokenizer, pad):
    tokenizer = make_tokenizer(pad=pad)
    for target in ("int f();", "int f() { return 1; }\n", ""):
        ids, labels = build(PROMPT, target, tokenizer, 500)
        assert labels.count(tokenizer.eos_token_id) == 1
        assert ids[-1] == labels[-1] == tokenizer.eos_token_id
    assert pad_id(tokenizer) == (tokenizer.eos_token_id if pad is None else tokenizer.pad_token_id)


@pytest.mark.parametrize("spare", [-10, -1, 0, 1, 50])
def test_b8_a_row_that_is_too_long_is_dropped_whole(make_tokenizer, spare):
    """Also when only its end token would not fit."""
    tokenizer = make_tokenizer(add_bos=True)
    whole = build(PROMPT, "int f();", tokenizer, 500)
    built = build(PROMPT, "int f();", tokenizer, len(whole[0]) + spare)
    assert built == (None if spare < 0 else whole)


@ADDS_BOS
def test_b8_cutting_the_prompt_keeps_bos_and_the_whole_answer(make_tokenizer, add_bos):
    tokenizer = make_tokenizer(add_bos=add_bos)
    prompt, target = encode_prompt("int x; " * 100, tokenizer), encode_target("int f();", tokenizer)
    ids, labels = build("int x; " * 100, "int f();", tokenizer, 64, "cut_prompt")
    room = 64 - len(target)
    kept = prefix_ids(tokenizer)
    assert len(ids) == len(labels) == 64
    assert ids == kept + prompt[len(prompt) - room + len(kept) :] + target
    assert labels == [IGNORED] * room + target


@given(
    prompt=st.lists(st.integers(3, 9), min_size=1, max_size=30),
    target=st.lists(st.integers(3, 9), min_size=1, max_size=30),
    max_len=st.integers(1, 70),
    too_long=st.sampled_from(["drop", "cut_prompt"]),
    keep=st.integers(0, 1),
)
def test_b8_never_an_all_masked_row_nor_a_cut_answer(prompt, target, max_len, too_long, keep):
    row = join(prompt, target, max_len, too_long, keep)
    if len(prompt) + len(target) <= max_len:
        assert row == (prompt + target, len(prompt), False)
    elif too_long == "drop" or len(target) > max_len - 1:
        assert row is None
    else:
        assert row.cut
        assert len(row.input_ids) == max_len
        assert row.input_ids[row.prompt_len :] == target
        assert row.input_ids[:keep] == prompt[:keep]
        assert (
            prompt[keep:][::-1][: row.prompt_len - keep]
            == row.input_ids[keep : row.prompt_len][::-1]
        )


@ADDS_BOS
def test_b9_no_merge_across_the_border(make_tokenizer, add_bos):
    """The tokenizer merges line ends, so prompt and target at once would give other ids."""
    tokenizer = make_tokenizer(add_bos=add_bos)
    pieces = ["int f", "\n", "\n\n", "  ", "return", ".", "memory", "?\n", "{", "}", "é", "\t", "x"]
    draw = random.Random(0)
    merged = 0
    for _ in range(1000):
        prompt, target = ("".join(draw.choices(pieces, k=draw.randint(1, 8))) for _ in range(2))
        ids, labels = build(prompt, target, tokenizer, 500)
        expected = encode_prompt(prompt, tokenizer)
        assert ids[: len(expected)] == expected
        assert labels == [IGNORED] * len(expected) + ids[len(expected) :]
        whole = tokenizer(prompt + target, add_special_tokens=False)["input_ids"]
        merged += whole != ids[len(prefix_ids(tokenizer)) : -1]
    assert merged > 10, "the pairs must hold borders that a tokenizer would merge over"


@pytest.mark.parametrize("add_eos", [True, False])
@ADDS_BOS
@pytest.mark.parametrize("text", [PROMPT, "<s>" + PROMPT, "<s><s>" + PROMPT])
def test_b10_one_bos_at_most_and_the_same_ids_everywhere(make_tokenizer, add_bos, add_eos, text):
    tokenizer = make_tokenizer(add_bos=add_bos, add_eos=add_eos)
    infer = encode_prompt(text, tokenizer)
    train, _ = build(text, "int f();", tokenizer, 500)
    assert infer.count(tokenizer.bos_token_id) == int(add_bos)
    assert infer[0] == tokenizer.bos_token_id or not add_bos
    assert tokenizer.eos_token_id not in infer
    assert train[: len(infer)] == infer == encode_prompts([text, "x"], tokenizer)[0]
    assert infer == encode_prompt(PROMPT, tokenizer)


@ADDS_BOS
@pytest.mark.parametrize("spelling", ["</s>", "<s>", "<pad>", "<|EOT|>", "<|EOT|><|EOT|>"])
def test_spelt_special_tokens_stay_text(make_tokenizer, add_bos, spelling):
    """Also those that are not marked special, as DeepSeek-Coder's <|EOT|>."""
    tokenizer = make_tokenizer(add_bos=add_bos, plain_added=("<|EOT|>", "    "))
    code = f'puts("{spelling}");'
    added = set(tokenizer.added_tokens_decoder) - {tokenizer.convert_tokens_to_ids("    ")}
    prompt = encode_prompt(code, tokenizer)
    assert added & set(prompt[add_bos:]) == set()
    assert tokenizer.decode(prompt[add_bos:]) == code
    assert added & set(encode_target(code, tokenizer)[:-1]) == set()
    # The control: the tokenizer by itself would find it.
    assert added & set(tokenizer(code, add_special_tokens=False)["input_ids"])


def test_added_tokens_for_blanks_stay_in_use(make_tokenizer):
    tokenizer = make_tokenizer(plain_added=("<|EOT|>", "    "))
    blanks = tokenizer.convert_tokens_to_ids("    ")
    assert blanks in encode_prompt("{\n    return;", tokenizer)


@pytest.mark.parametrize("specials_last", [True, False])
def test_b15_special_ids_come_from_the_tokenizer(make_tokenizer, specials_last):
    tokenizer = make_tokenizer(add_bos=True, specials_last=specials_last)
    assert (tokenizer.eos_token_id > 255) is specials_last
    ids, labels = build(PROMPT, "int f();", tokenizer, 500)
    assert ids[0] == tokenizer.bos_token_id
    assert labels[-1] == end_id(tokenizer) == tokenizer.eos_token_id
    assert tokenizer.decode([x for x in labels[:-1] if x != IGNORED]) == "int f();"


def test_a_tokenizer_without_end_token_is_refused(make_tokenizer):
    tokenizer = make_tokenizer(eos="<end>", pad=None, add_bos=True)
    tokenizer = type(tokenizer)(tokenizer_object=tokenizer.backend_tokenizer)
    with pytest.raises(ModelError, match=r"no end token .*eos_token"):
        build(PROMPT, "int f();", tokenizer, 500)


def test_hash_follows_the_rules_and_not_the_use(make_tokenizer):
    tokenizer = make_tokenizer()
    before = tokenizer_hash(tokenizer)
    tokenizer(["a", "bc"], padding=True, truncation=True, max_length=4)
    assert tokenizer_hash(tokenizer) == before
    others = [make_tokenizer(add_bos=True), make_tokenizer(pad="</s>"), make_tokenizer(eos="<end>")]
    assert len({before, *map(tokenizer_hash, others)}) == 4


def test_hash_of_a_slow_tokenizer_is_refused():
    with pytest.raises(
        ModelError, match=r"object: the tokenizer is not a fast one.*tokenizer\.json"
    ):
        tokenizer_hash(object())
