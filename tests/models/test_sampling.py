"""Several answers of a prompt: those of `generate`, whatever else is in the batch."""

from __future__ import annotations

import itertools
import math
import random

import pytest
import torch
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

from sk2d.errors import ModelError
from sk2d.models import growing_cache, sampling
from sk2d.models.answers import Answer, cut_at_stop, decode
from sk2d.models.generate import generate
from sk2d.models.sampling import NOT_FINITE, draw, sample_groups
from tests.models.making import FAMILIES, PROMPTS, make_model, trained_adapter


def ask(model, tokenizer, prompts=PROMPTS, **settings):
    settings = {"per_prompt": 3, "stop": (), "max_new_tokens": 24} | settings
    return sample_groups(model, tokenizer, prompts, **settings)


def greedy(model, tokenizer, prompts=PROMPTS, **settings):
    return generate(model, tokenizer, prompts, **({"stop": (), "max_new_tokens": 24} | settings))


def assert_greedy_is_generates(model, tokenizer, prompts=PROMPTS, per_prompt=3, **settings):
    wanted = greedy(model, tokenizer, prompts, **settings)
    found = ask(model, tokenizer, prompts, per_prompt=per_prompt, temperature=0, **settings)
    assert found == [[answer] * per_prompt for answer in wanted]
    return wanted


@pytest.mark.parametrize("per_prompt", [1, 3])
def test_the_likeliest_tokens_are_generates(model, tokenizer, per_prompt):
    answers = assert_greedy_is_generates(model, tokenizer, per_prompt=per_prompt)
    assert len({answer.tokens for answer in answers}) > 1


@pytest.mark.parametrize("per_prompt", [1, 3])
def test_stop_strings_end_a_row_where_generate_ends_it(model, tokenizer, per_prompt):
    plain = greedy(model, tokenizer)
    for place in (2, 5, 9):
        stop = ("never \x00 seen", plain[0].text[place : place + 2], plain[2].text[place])
        stopped = assert_greedy_is_generates(
            model, tokenizer, per_prompt=per_prompt, stop=tuple(filter(None, stop))
        )
        assert any(answer.finished for answer in stopped)


def sentencepiece_like(tokenizer):
    """Give a tokenizer that strips the space at the start of what it decodes, as Llama's does."""
    vocabulary = {"<unk>": 0, **{f"<0x{byte:02X}>": 1 + byte for byte in range(256)}}
    for piece in ("\u2581", "\u2581a", "a", "b", "\u2581b", "ab\u2581", "\u00e9"):
        vocabulary[piece] = len(vocabulary)
    made = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>", byte_fallback=True))
    steps = [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
    made.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)])
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<unk>")


@pytest.mark.parametrize("kind", [lambda tokenizer: tokenizer, sentencepiece_like])
def test_a_stop_string_is_seen_at_the_token_that_completes_it(model, tokenizer, kind):
    """Every token is looked at here, only those that may complete a stop string there."""
    tokenizer = kind(tokenizer)
    chance = random.Random(1)
    favourites = [
        tokenizer(text)["input_ids"] for text in (" ", "a", "b", "\u00e9", "\n", "\u20ac")
    ]
    some = [*itertools.chain(*favourites), *range(257, len(tokenizer))]
    for stop in ((" a", "b b"), ("\u00e9",), ("a\u20ac", ""), ("a ",), ("\n\n", "b"), ("",), ()):
        endings = sampling._Endings(model, tokenizer, stop)
        for _ in range(40):
            ids = chance.choices(some, k=30)
            seen = [endings.stops(ids[:length]) for length in range(1, 31)]
            texts = [decode(tokenizer, ids[:length]) for length in range(1, 31)]
            wanted = [cut_at_stop(text, stop) is not None for text in texts]
            assert [*seen, True].index(True) == [*wanted, True].index(True)


def test_prompts_of_one_length_need_no_mask(model, tokenizer):
    assert_greedy_is_generates(model, tokenizer, PROMPTS[2:3])
    assert_greedy_is_generates(model, tokenizer, [PROMPTS[0], PROMPTS[0]])


def test_lora_is_answering(tiny, tokenizer):
    model = trained_adapter(tiny, size=2.0, dropout=0.5).train()
    answers = assert_greedy_is_generates(model, tokenizer)
    with model.disable_adapter():
        assert greedy(model, tokenizer) != answers
    assert model.training


ARCHITECTURES = {
    "gpt2": {},  # learned positions
    "starcoder2": {},  # a window of 4
    "qwen2": {},
    "bloom": {"attention": "eager", "n_layer": 2, "n_head": 4},  # takes no positions
    "lfm2": {"layer_types": ["conv", "full_attention"]},  # a state beside keys and values
}


@pytest.mark.parametrize("family", ARCHITECTURES)
def test_other_architectures(tokenizer, family, monkeypatch):
    monkeypatch.setitem(FAMILIES, family, FAMILIES.get(family, {}))
    model = make_model(family, vocab_size=len(tokenizer), **ARCHITECTURES[family])
    assert_greedy_is_generates(model, tokenizer)


def test_gradient_checkpointing_is_in_nobodys_way(model, tokenizer):
    from sk2d.models.lora import enable_gradient_checkpointing

    plain = ask(model, tokenizer)
    enable_gradient_checkpointing(model)
    assert ask(model.train(), tokenizer) == plain
    assert model.training


def test_longer_than_the_room_of_the_cache(model, tokenizer, monkeypatch):
    plain = ask(model, tokenizer)
    monkeypatch.setattr(growing_cache, "ROOM", 5)
    assert ask(model, tokenizer) == plain


def test_sampling_depends_on_its_seed_alone(model, tokenizer):
    torch.manual_seed(1)
    first = ask(model, tokenizer, seed=3)
    torch.manual_seed(2)
    before = torch.get_rng_state()
    assert ask(model, tokenizer, seed=3) == first
    assert torch.equal(torch.get_rng_state(), before)
    assert ask(model, tokenizer, seed=4) != first
    assert all(len(set(group)) == 3 for group in first)


def test_answers_do_not_depend_on_who_has_left(model, tokenizer, monkeypatch):
    """Rows end at many different places; whether they are taken out changes nothing."""
    settings = {"stop": ("e", "1", "("), "per_prompt": 6, "max_new_tokens": 40}
    found = {}
    for share in (0.0, 0.75, 1.0):
        monkeypatch.setattr(sampling, "COMPACT_AT", share)
        found[share] = ask(model, tokenizer, **settings)
    assert found[0.0] == found[0.75] == found[1.0]
    assert len({len(answer.tokens) for group in found[0.0] for answer in group}) > 5


def test_ended_rows_leave_the_batch(model, tokenizer, monkeypatch):
    sizes = []
    model.register_forward_pre_hook(
        lambda _, args, kwargs: sizes.append(len(kwargs["input_ids"])), with_kwargs=True
    )
    ask(model, tokenizer, stop=("e", "1", "("), per_prompt=6)
    assert sizes[:2] == [len(PROMPTS), 6 * len(PROMPTS)]
    assert sizes[-1] < sizes[1]


def test_shorter_answers_are_the_beginnings_of_longer_ones(model, tokenizer):
    short, long = (ask(model, tokenizer, max_new_tokens=most) for most in (1, 24))
    first = [[answer.tokens for answer in group] for group in short]
    assert first == [[answer.tokens[:1] for answer in group] for group in long]


def test_the_first_token_comes_from_the_softmax(model, tokenizer):
    rows, temperature = 4000, 2.0
    ids = torch.tensor([tokenizer(PROMPTS[0])["input_ids"]])
    with torch.no_grad():
        expected_V = (model(ids).logits[0, -1] / temperature).softmax(-1) * rows
    settings = {"per_prompt": rows, "max_new_tokens": 1, "temperature": temperature}
    (answers,) = ask(model, tokenizer, PROMPTS[:1], **settings)
    counts_V = torch.bincount(
        torch.tensor([answer.tokens[0] for answer in answers]), minlength=len(expected_V)
    )
    often = expected_V >= 5
    expected = torch.cat([expected_V[often], expected_V[~often].sum()[None]])
    counts = torch.cat([counts_V[often], counts_V[~often].sum()[None]])
    freedom = len(expected) - 1
    assert freedom > 10
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)


def test_all_of_the_distribution_can_be_drawn_and_nothing_else():
    """The ends of the interval of numbers, and tokens of probability 0 at both ends and between."""
    never = -torch.inf
    logits_RV = torch.tensor([never, 0.0, never, 0.0, never]).repeat(4, 1)
    numbers_R = torch.tensor([0.0, 0.5 - 1e-12, 0.5, 1 - 2**-53], dtype=torch.float64)
    assert draw(logits_RV, 1.0, numbers_R).tolist() == [1, 1, 3, 3]
    # A number of 1, as rounding could give, is behind the last token.
    assert draw(logits_RV[:1], 1.0, numbers_R[:1] + 1).item() == 1


@pytest.mark.parametrize("temperature", [1e-30, 1e-3])
def test_a_temperature_near_zero_takes_the_likeliest(temperature):
    logits_RV = torch.tensor([[1.0, 300.0, 298.0]], dtype=torch.bfloat16)
    assert draw(logits_RV, temperature, torch.tensor([0.9999], dtype=torch.float64)).item() == 1


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_logits_that_are_no_numbers_are_told(model, tokenizer, temperature):
    bad = torch.tensor([[torch.nan, 1.0], [torch.inf, 1.0], [-torch.inf, -torch.inf], [1.0, 0.0]])
    tokens = draw(bad, temperature, torch.zeros(4, dtype=torch.float64))
    assert tokens.tolist() == [NOT_FINITE] * 3 + [0]
    model.train()
    with torch.no_grad():
        model.get_output_embeddings().weight[7, 0] = torch.nan
    with pytest.raises(ModelError, match="token 1 of an answer has logits that are NaN"):
        ask(model, tokenizer, temperature=temperature)
    assert model.training


def test_every_end_token_counts(model, tokenizer):
    """A second end token, named in the generation config only, ends an answer as well."""
    plain = ask(model, tokenizer, ["x"], per_prompt=1)[0][0]
    extra = plain.tokens[3]
    for ends, place in (([tokenizer.eos_token_id, extra], 3), (None, 24)):
        model.generation_config.eos_token_id = ends
        answer = ask(model, tokenizer, ["x"], per_prompt=1)[0][0]
        length = plain.tokens.index(extra) + 1 if place == 3 else 24
        assert answer.tokens == plain.tokens[:length]
        assert answer.finished == (place == 3)


def test_unfinished_answers_say_so(model, tokenizer):
    for most in (1, 2):
        groups = ask(model, tokenizer, max_new_tokens=most)
        answers = [answer for group in groups for answer in group]
        assert len(answers) == 3 * len(PROMPTS)
        assert all(isinstance(answer, Answer) for answer in answers)
        assert all(len(answer.tokens) == most and not answer.finished for answer in answers)


def test_no_prompts_no_answers(model, tokenizer):
    assert ask(model, tokenizer, []) == []


def test_a_prompt_that_nearly_fills_the_context_takes_no_room_from_others(model, tokenizer):
    positions = model.config.get_text_config().max_position_embeddings
    ids = tokenizer("x = 1;\n" * positions)["input_ids"][: positions - 4]
    prompts = [PROMPTS[1], tokenizer.decode(ids), PROMPTS[0]]
    answers = assert_greedy_is_generates(model, tokenizer, prompts)
    assert [len(answer.tokens) for answer in answers] == [24, 4, 24]


def test_half_precision(model, tokenizer):
    groups = ask(model.bfloat16(), tokenizer)
    assert all(len(set(group)) == 3 for group in groups)
