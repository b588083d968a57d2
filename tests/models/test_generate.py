"""Answers: greedy is repeatable and does not depend on the batch; the global RNG is left alone."""

from __future__ import annotations

import pytest
import torch

from sk2d.models.answers import Answer, end_ids
from sk2d.models.generate import generate
from tests.models.making import PROMPTS, trained_adapter


def ask(model, tokenizer, prompts=PROMPTS, **settings):
    settings = {"stop": (), "max_new_tokens": 24} | settings
    return generate(model, tokenizer, prompts, **settings)


def test_a_batch_answers_as_one_by_one(model, tokenizer):
    together = ask(model, tokenizer)
    apart = [ask(model, tokenizer, [prompt])[0] for prompt in PROMPTS]
    assert together == apart
    assert len({answer.text for answer in together}) > 1


def test_order_of_the_batch_does_not_matter(model, tokenizer):
    assert ask(model, tokenizer, PROMPTS[::-1]) == ask(model, tokenizer)[::-1]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_global_rng_and_the_mode_come_back(model, tokenizer, temperature):
    model.train()
    torch.manual_seed(11)
    before = torch.get_rng_state()
    ask(model, tokenizer, temperature=temperature, seed=3)
    assert torch.equal(torch.get_rng_state(), before)
    assert model.training


def test_sampling_depends_on_its_seed_alone(model, tokenizer):
    torch.manual_seed(1)
    first = ask(model, tokenizer, temperature=1.5, seed=3)
    torch.manual_seed(2)
    assert ask(model, tokenizer, temperature=1.5, seed=3) == first
    assert ask(model, tokenizer, temperature=1.5, seed=4) != first


def test_dropout_is_off_while_answering(tiny, tokenizer):
    model = trained_adapter(tiny, dropout=0.5).train()
    assert ask(model, tokenizer) == ask(model, tokenizer)


def test_works_with_gradient_checkpointing_on(model, tokenizer):
    from sk2d.models.lora import enable_gradient_checkpointing

    plain = ask(model, tokenizer)
    enable_gradient_checkpointing(model)
    assert ask(model.train(), tokenizer) == plain


def test_stop_strings_end_their_own_row_and_are_cut(model, tokenizer):
    plain = ask(model, tokenizer)
    stop = plain[0].text[6:9]
    stopped = ask(model, tokenizer, stop=("never \x00 seen", stop))
    assert stopped[0].finished
    assert stopped[0].text == plain[0].text[: plain[0].text.index(stop)]
    assert len(stopped[0].tokens) < len(plain[0].tokens)
    for before, after in zip(plain, stopped, strict=True):
        expected = before.text.split(stop)[0]
        assert after == before if stop not in before.text else after.text == expected


def test_unfinished_answers_say_so(model, tokenizer):
    answer = ask(model, tokenizer, ["x"], max_new_tokens=2)[0]
    assert not answer.finished
    assert len(answer.tokens) == 2


def test_every_end_token_counts(model, tokenizer):
    """A second end token, named in the generation config only, ends an answer as well."""
    plain = ask(model, tokenizer, ["x"])[0]
    extra = plain.tokens[3]
    model.generation_config.eos_token_id = [tokenizer.eos_token_id, extra]
    assert end_ids(model, tokenizer) == sorted({tokenizer.eos_token_id, extra})
    answer = ask(model, tokenizer, ["x"])[0]
    assert answer.finished
    assert answer.tokens == plain.tokens[: plain.tokens.index(extra) + 1]


def test_the_models_own_sampling_settings_do_not_leak_in(model, tokenizer):
    plain = ask(model, tokenizer)
    model.generation_config.update(do_sample=True, top_k=3, repetition_penalty=9.0)
    assert ask(model, tokenizer) == plain


def test_no_prompts_no_answers(model, tokenizer):
    assert ask(model, tokenizer, []) == []


def test_special_tokens_inside_code_are_text(model, tokenizer):
    """An end token's spelling in the prompt is code, and does not end anything."""
    answer = ask(model, tokenizer, ['puts("<|end|>");'], max_new_tokens=3)[0]
    assert isinstance(answer, Answer)
    assert len(answer.tokens) == 3


def test_a_prompt_that_nearly_fills_the_context_takes_no_room_from_others(model, tokenizer):
    positions = model.config.get_text_config().max_position_embeddings
    long = "x = 1;\n" * positions
    ids = tokenizer(long)["input_ids"][: positions - 4]
    prompts = [tokenizer.decode(ids), PROMPTS[0]]
    together = ask(model, tokenizer, prompts)
    assert together == [ask(model, tokenizer, [prompt])[0] for prompt in prompts]
    assert len(together[1].tokens) == 24


def test_guessing_ahead_ends_at_the_same_token(model, tokenizer):
    for prompt in PROMPTS:
        (plain,) = ask(model, tokenizer, [prompt], max_new_tokens=60)
        middle = plain.text[len(plain.text) // 2 :][:2]
        for stop in ((), (middle,) if middle else ()):
            (wanted,) = ask(model, tokenizer, [prompt], max_new_tokens=60, stop=stop)
            (found,) = ask(
                model, tokenizer, [prompt], max_new_tokens=60, stop=stop, prompt_lookup=5
            )
            assert found == wanted
